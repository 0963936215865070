"""The hand of a player as a message: what they may see of the match, and their choices."""

from dataclasses import replace
from typing import Final

from bot.matches import SeatSnapshot
from bot.matches.notices import event_of_hand
from bot.messaging.components import Button, Link, Option, Press, Row, Select, Style
from bot.messaging.content import MessageContent, balanced
from bot.messaging.openings import Delay
from bot.rendering.agreements import (
    answer_buttons,
    buttons_after_end,
    is_rematched,
    open_offers,
    rematch_line,
    resume_line,
)
from bot.rendering.hand_reasons import FOOT, hand_reason
from bot.rendering.phrases import (
    GONE,
    OVER,
    RUNNING,
    button,
    commitment_line,
    heading,
    menu_button,
    rules_button,
    seat_names,
)
from bot.rendering.presentation import Choice, ChoiceMenu, Control, Presentation
from bot.rendering.rating_changes import changes_line
from bot.rendering.results import result_line
from bot.rendering.time_left import (
    forfeit_line,
    own_departure,
    own_time,
    remarks,
    silence_end,
)

CLOSED: Final = (
    "-# My direct messages can't reach you. To get your hand there, allow messages from members "
    "of this server; then, in `/preferences`, switch to **At the table, with My hand** and back. "
    "Playing here works too."
)
"""Discord sends nothing if the current option is picked again, so the text asks for two changes."""

_DELAYED: Final = {
    Delay.LIMIT: (
        "I can start only so many direct messages an hour.",
        "Yours is in line and will come by itself; until then, play here.",
    ),
    Delay.REFUSED: (
        "Discord won't let me start new direct messages right now.",
        "I'll keep trying; until then, play here.",
    ),
}
NEXT: Final = "next"
"""The act of the button at a hand that opens the next match that waits for its player."""

_BESIDE_THE_TABLE: Final = "Play here: in this match I'll write to you only after you've been away."


def delay_note(delay: Delay, *, plays_here: bool) -> str:
    """Why a hand hasn't come by direct message, and what happens next.

    `plays_here` as in `SeatSnapshot`.
    """
    why, to_come = _DELAYED[delay]
    return f"-# {why} {_BESIDE_THE_TABLE if plays_here else to_come}"


def stale_note(snapshot: SeatSnapshot, label: str) -> str:
    """The note below a private hand that can't be edited; `label` is the button that opens one."""
    way = "`/games`" if snapshot.is_solo else f"**{label}** at the table"
    return f"-# This message won't update by itself. To see what's new, use {way}."


def with_next(content: MessageContent, snapshot: SeatSnapshot) -> MessageContent:
    """A hand that was opened from the list of matches, with a button that opens the next one.

    Whether there is a next one isn't checked: that would be a query for each click at the hand.
    """
    on = Button(label="Next match", press=Press(snapshot.match, 0, NEXT))
    return replace(content, rows=(*content.rows, (on,)))


def hand_content(
    snapshot: SeatSnapshot,
    presentation: Presentation,
    url: str | None,
    draft: str,
) -> MessageContent:
    """The private message of a seat; `url` is its table, or the rematch's once that has begun.

    A solo match has no table, so its hand also says what a table would.
    """
    who, event = seat_names(snapshot), event_of_hand(snapshot)
    head = hand_reason(snapshot) + heading(snapshot, presentation, of_hand=not snapshot.is_solo)
    settings = "" if event in {None, "turn"} else f"\n{FOOT}"  # a hand comes for every turn
    foot = f"\n-# {commitment_line(snapshot)}{settings}" if snapshot.is_solo else settings
    link = () if url is None else (Link(label="Go to the table", url=url),)
    if snapshot.status in {"over", "closed"}:
        back = () if is_rematched(snapshot) else link
        rows = balanced((*buttons_after_end(snapshot, url), *back))
        return _ended(snapshot, presentation, head, foot, rows)
    if snapshot.own.left:
        gone = f"{head}\n{own_departure(snapshot)}. The others play on.{settings}"
        return MessageContent(head=gone, rows=(link,) if link else (), color=GONE)
    story = presentation.story(snapshot.view, who) + remarks(snapshot, who)
    offers = "" if event == "offered" else open_offers(snapshot, who)
    time = own_time(snapshot) + ("" if event == "time" else silence_end(snapshot))
    controls = (
        _control(snapshot, i, control)
        for i, control in enumerate(presentation.controls(snapshot, draft))
    )
    # Three in the last row at most, because phones break rows of four.
    table = () if url is None else (Link(label="Table", url=url),)
    return MessageContent(
        head=f"{head}\n**{presentation.headline(snapshot.view)}.** {story}",
        picture=presentation.picture(snapshot, draft),
        foot=f"{presentation.score(snapshot, who)}{offers}\n"
        f"{_asked(snapshot, presentation, draft)}{time}{foot}",
        rows=(
            *controls,
            *answer_buttons(snapshot),
            (menu_button(snapshot), rules_button(snapshot), *table),
        ),
        color=RUNNING,
    )


def _ended(
    snapshot: SeatSnapshot, presentation: Presentation, head: str, foot: str, rows: tuple[Row, ...]
) -> MessageContent:
    """The hand of a match that has ended, with the result between `head` and `foot`."""
    who, event = seat_names(snapshot), event_of_hand(snapshot)
    how = f"{result_line(snapshot, presentation)}{forfeit_line(snapshot, who)}"
    rematch = "" if event == "rematch" else rematch_line(snapshot, who)
    resume = resume_line(snapshot, who, told=event == "offered")
    story = presentation.story(snapshot.view, who) + remarks(snapshot, who)
    return MessageContent(
        head=f"{head}\n{how}\n{story}",
        picture=presentation.picture(snapshot, ""),
        foot=f"{presentation.score(snapshot, who)}{changes_line(snapshot, presentation)}"
        f"{rematch}{resume}{foot}",
        rows=rows,
        color=OVER if snapshot.status == "over" else GONE,
    )


def receipt_content(snapshot: SeatSnapshot, presentation: Presentation) -> MessageContent:
    """The private answer to a tap at the table: what its player chose, later what was revealed.

    After a restart, or after 15 minutes, it can't be edited, so it must not become wrong.
    """
    if snapshot.choice is not None:
        return MessageContent(
            head=f"**{presentation.headline(snapshot.view)}.** You chose **{snapshot.choice}**. "
            "Until everyone has chosen, another tap changes it."
        )
    who = seat_names(snapshot)
    if snapshot.status in {"over", "closed"}:
        how = result_line(snapshot, presentation)
        return MessageContent(head=f"This match is over. {how}")
    if snapshot.own.left:
        return MessageContent(head=f"{own_departure(snapshot)}. The others play on.")
    return MessageContent(head=f"Revealed: {presentation.story(snapshot.view, who)}")


def receipt_key(snapshot: SeatSnapshot) -> str:
    """What a receipt for this snapshot says, as short text: equal keys need no edit."""
    choice = "" if snapshot.choice is None else snapshot.choice
    return f"{snapshot.status}.{snapshot.step}.{choice}"


def _asked(snapshot: SeatSnapshot, presentation: Presentation, draft: str) -> str:
    if snapshot.choice is not None and not draft:
        chosen = presentation.chosen(snapshot)
        return f"**You chose {chosen}.** You can change it until everyone has chosen."
    return presentation.question(snapshot, draft)


def _control(snapshot: SeatSnapshot, number: int, control: Control) -> Row:
    """A row of the hand; `number` makes the custom_ids of its menus differ."""
    if not isinstance(control, ChoiceMenu):
        return tuple(_choice(snapshot, choice) for choice in control)
    return Select(
        placeholder=control.placeholder,
        press=Press(snapshot.match, snapshot.step, control.choices[0].act, f"menu {number}"),
        options=tuple(
            Option(label=c.label, value=c.move, note=c.note, chosen=_is_chosen(snapshot, c))
            for c in control.choices
        ),
    )


def _choice(snapshot: SeatSnapshot, choice: Choice) -> Button:
    if _is_chosen(snapshot, choice):
        return button(snapshot, f"✓ {choice.label}", "pick", choice.move, style="success")
    style: Style = "secondary" if choice.quiet else "primary"
    return button(snapshot, choice.label, choice.act, choice.move, style=style)


def _is_chosen(snapshot: SeatSnapshot, choice: Choice) -> bool:
    is_move = choice.act == "pick"
    return is_move and snapshot.choice is not None and str(snapshot.choice) == choice.move
