"""The table: what everybody may see of a match, and who has chosen."""

from collections.abc import Iterator

from bot.matches import Look
from bot.messaging.components import Row
from bot.messaging.content import Sheet, balanced
from bot.rendering.agreements import after_the_end, answers, offered, wanting
from bot.rendering.phrases import (
    GONE,
    OVER,
    RUNNING,
    button,
    ending,
    menu,
    names,
    rules,
    title,
    versus,
)
from bot.rendering.presentation import Choice, Presentation
from bot.rendering.rating_changes import changes, stakes
from bot.rendering.time_left import forfeited, late, time_left
from bot.storage import Why
from games import Seat


def table_sheet(look: Look, presentation: Presentation, rematch_url: str | None = None) -> Sheet:
    """The public message of a match that has begun."""
    who = names(look)
    head = f"### {title(look, presentation)}\n{versus(look, presentation)}"
    story = presentation.story(look, who) + late(look, who)
    if look.status in {"over", "closed"}:
        how = ending(look) if look.ending else presentation.result(look, who)
        return Sheet(
            head=f"{head}\n{how}{forfeited(look, who)}\n{story}",
            picture=presentation.picture(look, ""),
            foot=f"{presentation.score(look, who)}{changes(look, presentation)}"
            f"{wanting(look, who)}\n{_opened(look)}",
            rows=((*after_the_end(look, rematch_url), rules(look)),),
            color=OVER if look.status == "over" else GONE,
        )
    return Sheet(
        head=f"{head}\n**{presentation.headline(look)}.** {story}",
        picture=presentation.picture(look, ""),
        foot=f"{presentation.score(look, who)}{offered(look, who)}\n"
        f"{_waiting(look, presentation)}\n{_sealed(look)}",
        rows=(
            *_taps(look, presentation),
            *answers(look),
            (button(look, "My hand", "hand", style="primary"), menu(look), rules(look)),
        ),
        color=RUNNING,
    )


def _taps(look: Look, presentation: Presentation) -> Iterator[Row]:
    """For one tap: the choices of each seat that owes a move, under its name."""
    if not look.tap:
        return
    for i, choices in enumerate(presentation.taps(look)):
        if i in look.awaiting and choices:
            yield f"{presentation.badge(i)} {names(look)[i]}"
            for row in balanced(tuple(choices)):
                yield tuple(
                    button(look, c.label, "tap", tap_argument(Seat(i), c), style="primary")
                    for c in row
                )


def tap_argument(seat: Seat, choice: Choice) -> str:
    """Whose button it is and what it chooses, as it stands in the button."""
    return f"{seat} {choice.move}"


def _waiting(look: Look, presentation: Presentation) -> str:
    """Who has chosen and who is still thinking; who has left is said by the story's owner."""
    parts = []
    for i, name in enumerate(names(look)):
        if look.places[i].left:
            does = _departed(look.places[i].left_why)
        elif i in look.chosen:
            does = "has chosen ✓"
        elif i in look.awaiting:
            does = "is choosing …" if look.places[i].computer is None else "is thinking …"
        else:
            continue
        parts.append(f"{presentation.badge(i)} {name} {does}")
    return " · ".join(parts) + time_left(look, "Time runs out")


def _departed(why: Why | None) -> str:
    match why:
        case "time":
            return "ran out of time"
        case "unseated":
            return "was taken from the match by a moderator"
        case _:
            return "has left"


def _sealed(look: Look) -> str:
    return f"-# {stakes(look)} · Sealed deal: SHA-256 of the seed is `{look.commitment}`"


def _opened(look: Look) -> str:
    return f"-# The deal's seed was `{look.seed}`; its SHA-256 is `{look.commitment}`"
