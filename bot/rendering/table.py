"""The table as a message: what everybody may see of a match, and who has chosen."""

from collections.abc import Iterator
from typing import Final

from bot.matches import PublicSnapshot
from bot.messaging.components import Row
from bot.messaging.content import MessageContent, balanced, buttons_per_row
from bot.rendering.agreements import (
    answer_buttons,
    buttons_after_end,
    open_offers,
    rematch_line,
    resume_line,
)
from bot.rendering.phrases import (
    GONE,
    OVER,
    RUNNING,
    button,
    commitment_line,
    heading,
    menu_button,
    my_hand_button,
    rules_button,
    seat_names,
)
from bot.rendering.presentation import Presentation
from bot.rendering.rating_changes import changes_line, stakes
from bot.rendering.results import result_line
from bot.rendering.time_left import (
    departure_text,
    forfeit_line,
    remarks,
    silence_end,
    times_left,
)

DOTS: Final = "\N{NO-BREAK SPACE}…"
"""The space keeps phones from breaking the line before the dots."""


def table_content(
    snapshot: PublicSnapshot,
    presentation: Presentation,
    rematch_url: str | None = None,
) -> MessageContent:
    """The public message of a match that has begun."""
    who = seat_names(snapshot)
    head = heading(snapshot, presentation)
    story = presentation.story(snapshot.view, who) + remarks(snapshot, who)
    if snapshot.status in {"over", "closed"}:
        how = result_line(snapshot, presentation)
        return MessageContent(
            head=f"{head}\n{how}{forfeit_line(snapshot, who)}\n{story}",
            picture=presentation.picture(snapshot, ""),
            foot=f"{presentation.score(snapshot, who)}{changes_line(snapshot, presentation)}"
            f"{rematch_line(snapshot, who)}{resume_line(snapshot, who)}\n{_sealed(snapshot)}",
            rows=balanced((*buttons_after_end(snapshot, rematch_url), rules_button(snapshot))),
            color=OVER if snapshot.status == "over" else GONE,
        )
    return MessageContent(
        head=f"{head}\n**{presentation.headline(snapshot.view)}.** {story}",
        picture=presentation.picture(snapshot, ""),
        foot=f"{presentation.score(snapshot, who)}{open_offers(snapshot, who)}\n"
        f"{_waiting(snapshot, presentation)}\n{_sealed(snapshot)}",
        rows=(
            *_taps(snapshot, presentation),
            *_answers(snapshot, presentation),
            (my_hand_button(snapshot, presentation), menu_button(snapshot), rules_button(snapshot)),
        ),
        color=RUNNING,
    )


def _taps(snapshot: PublicSnapshot, presentation: Presentation) -> Iterator[Row]:
    """If the match is played by taps: the choices of each person who owes a move, by name."""
    if not snapshot.tap:
        return
    for i, choices in enumerate(presentation.taps(snapshot)):
        person = snapshot.seats[i].computer is None
        if person and i in snapshot.awaiting and choices:
            yield f"{presentation.emblem(snapshot.view, i)} {seat_names(snapshot)[i]}"
            for row in balanced(tuple(choices), buttons_per_row(c.label for c in choices)):
                yield tuple(
                    button(snapshot, c.label, "tap", f"{i} {c.move}", style="primary") for c in row
                )


def _answers(snapshot: PublicSnapshot, presentation: Presentation) -> tuple[Row, ...]:
    """The buttons that answer open offers, or a line that says where these are.

    Next to the taps of three people, a message has room for the answers to two offers only.
    """
    rows = answer_buttons(snapshot)
    if not snapshot.tap or len(rows) <= 1:
        return rows
    return (f"To answer the offers, press **{presentation.hand_label}**.",)


def _waiting(snapshot: PublicSnapshot, presentation: Presentation) -> str:
    """Who has chosen, who is still choosing and who has left, with the time limits."""
    parts = []
    for i, name in enumerate(seat_names(snapshot)):
        if snapshot.seats[i].left:
            does = departure_text(snapshot.seats[i].left_why)
        elif i in snapshot.chosen:
            does = "has chosen ✓"
        elif i in snapshot.awaiting:
            person = snapshot.seats[i].computer is None
            does = f"is {'choosing' if person else 'thinking'}{DOTS}"
        else:
            continue
        parts.append(f"{presentation.emblem(snapshot.view, i)} {name} {does}")
    times = times_left(snapshot, seat_names(snapshot))
    return f"{' · '.join(parts)}{times}{silence_end(snapshot)}"


def _sealed(snapshot: PublicSnapshot) -> str:
    """The sealed deal, after the stakes of a match that has or can still get a result."""
    has_stakes = snapshot.seed is None and snapshot.status != "closed"
    rated = f"{stakes(snapshot)} · " if has_stakes else ""
    return f"-# {rated}{commitment_line(snapshot)}"
