"""A hand: what one player may see of a match, and where that player chooses."""

from dataclasses import replace
from typing import Final

from bot.matches import SeatSnapshot
from bot.matches.notices import told_now
from bot.messaging.components import Button, Link, Option, Press, Row, Select, Style
from bot.messaging.content import MessageContent, balanced
from bot.messaging.openings import Delay
from bot.rendering.agreements import (
    after_the_end,
    answers,
    is_rematched,
    offered,
    resuming,
    wanting,
)
from bot.rendering.phrases import (
    GONE,
    OVER,
    RUNNING,
    button,
    heading,
    menu,
    names,
    rules,
    sealed_deal,
)
from bot.rendering.presentation import (
    Choice,
    ChoiceMenu,
    Control,
    Presentation,
    choice_text,
)
from bot.rendering.rating_changes import changes
from bot.rendering.results import result_line
from bot.rendering.tellings import settings_line, telling
from bot.rendering.time_left import forfeited, late, left, own_time, remark

CLOSED: Final = (
    "-# My direct messages can't reach you. To get your hand there, allow messages from members "
    "of this server; then, in `/preferences`, switch to **At the table** and back. Playing here "
    "works too."
)
"""A client sends no choice of the option that stands there already, so it is chosen anew."""

_DELAYED: Final = {
    Delay.LIMIT: (
        "I can start only so many direct messages an hour.",
        "Yours is in line and comes by itself; until then, play here.",
    ),
    Delay.REFUSED: (
        "Discord won't let me start new direct messages right now.",
        "I'll keep trying; until then, play here.",
    ),
}
NEXT: Final = "next"
"""The act of the button that leads from a hand to the next match of a list."""

_BESIDE_THE_TABLE: Final = "Play here: in this match I'll write to you only after you've been away."


def delayed(delay: Delay, *, plays_here: bool) -> str:
    """Why a hand has not come by direct message, and what follows; `plays_here` as of a seat."""
    why, to_come = _DELAYED[delay]
    return f"-# {why} {_BESIDE_THE_TABLE if plays_here else to_come}"


def unfollowed(snapshot: SeatSnapshot, label: str) -> str:
    """What is said of a private hand that nobody edits; `label` is the button that opens it."""
    way = "`/games`" if snapshot.is_solo else f"**{label}** at the table"
    return f"-# This message won't update by itself. To see what's new, use {way}."


def leading_on(content: MessageContent, snapshot: SeatSnapshot) -> MessageContent:
    """A hand that was opened from a list of matches, with the way to the next of them.

    It is not asked whether there is one: that would be a query with each click at the hand.
    """
    on = Button(label="Next match", press=Press(snapshot.match, 0, NEXT))
    return replace(content, rows=(*content.rows, (on,)))


def hand_content(
    snapshot: SeatSnapshot,
    presentation: Presentation,
    url: str | None,
    draft: str,
) -> MessageContent:
    """The private message of a seat; it leads to its table, or to that of the rematch.

    That of a solo match has no table to lead to, and says itself what a table says.
    """
    who = names(snapshot)
    head = telling(snapshot) + heading(snapshot, presentation, of_hand=not snapshot.is_solo)
    link = () if url is None else (Link(label="Go to the table", url=url),)
    if snapshot.status in {"over", "closed"}:
        foot = f"{_deal(snapshot)}{settings_line(snapshot)}"
        back = () if is_rematched(snapshot) else link
        rows = balanced((*after_the_end(snapshot, url), *back))
        return _ended(snapshot, presentation, head, foot, rows)
    if snapshot.own.left:
        gone = f"{head}\n{left(snapshot)}. The others play on.{settings_line(snapshot)}"
        return MessageContent(head=gone, rows=(link,) if link else (), color=GONE)
    controls = (
        _control(snapshot, i, control)
        for i, control in enumerate(presentation.controls(snapshot, draft))
    )
    told = "" if told_now(snapshot) == "offered" else offered(snapshot, who)
    return MessageContent(
        head=f"{head}\n**{presentation.headline(snapshot)}.** {_story(snapshot, presentation)}",
        picture=presentation.picture(snapshot, draft),
        foot=f"{presentation.score(snapshot, who)}{told}\n"
        f"{_asked(snapshot, presentation, draft)}{own_time(snapshot)}{_deal(snapshot)}"
        f"{settings_line(snapshot)}",
        rows=(*controls, *answers(snapshot), _ways(snapshot, url)),
        color=RUNNING,
    )


def _ended(
    snapshot: SeatSnapshot, presentation: Presentation, head: str, foot: str, rows: tuple[Row, ...]
) -> MessageContent:
    """The hand of a match that has ended: the result between this head and this foot."""
    who = names(snapshot)
    how = f"{result_line(snapshot, presentation)}{forfeited(snapshot, who)}"
    wanted = "" if told_now(snapshot) == "rematch" else wanting(snapshot, who)
    resume = resuming(snapshot, who, told=told_now(snapshot) == "offered")
    return MessageContent(
        head=f"{head}\n{how}\n{_story(snapshot, presentation)}",
        picture=presentation.picture(snapshot, ""),
        foot=f"{presentation.score(snapshot, who)}{changes(snapshot, presentation)}"
        f"{wanted}{resume}{foot}",
        rows=rows,
        color=OVER if snapshot.status == "over" else GONE,
    )


def _story(snapshot: SeatSnapshot, presentation: Presentation) -> str:
    """What has happened in the last step, and for whom the clock played it."""
    who = names(snapshot)
    return presentation.story(snapshot, who) + late(snapshot, who) + remark(snapshot)


def _ways(snapshot: SeatSnapshot, url: str | None) -> Row:
    """What else a hand leads to: three at most, for a phone breaks a row of four."""
    table = () if url is None else (Link(label="Table", url=url),)
    return (menu(snapshot), rules(snapshot), *table)


def receipt_content(snapshot: SeatSnapshot, presentation: Presentation) -> MessageContent:
    """What a seat has chosen by a tap, for its player only; then what came of it.

    After a restart, or a quarter of an hour, it can't be edited, so it says nothing that passes.
    """
    if snapshot.choice is not None:
        return MessageContent(
            head=f"**{presentation.headline(snapshot)}.** You chose **{snapshot.choice}**. "
            "Until everyone has chosen, another tap changes it."
        )
    who = names(snapshot)
    if snapshot.status in {"over", "closed"}:
        how = result_line(snapshot, presentation)
        return MessageContent(head=f"This match is over. {how}")
    if snapshot.own.left:
        return MessageContent(head=f"{left(snapshot)}. The others play on.")
    return MessageContent(head=f"Revealed: {presentation.story(snapshot, who)}")


def receipt_key(snapshot: SeatSnapshot) -> str:
    """What a receipt for this snapshot says, as short text."""
    choice = "" if snapshot.choice is None else snapshot.choice
    return f"{snapshot.status}.{snapshot.step}.{choice}"


def _deal(snapshot: SeatSnapshot) -> str:
    """Of a solo match, which has no table to say it, the sealed deal: closed, then opened."""
    return f"\n-# {sealed_deal(snapshot)}" if snapshot.is_solo else ""


def _asked(snapshot: SeatSnapshot, presentation: Presentation, draft: str) -> str:
    if snapshot.choice is not None and not draft:
        chosen = choice_text(presentation, snapshot)
        return f"**You chose {chosen}.** You can change it until everyone has chosen."
    return presentation.question(snapshot, draft)


def _control(snapshot: SeatSnapshot, number: int, control: Control) -> Row:
    """A row of the hand; the number tells its selects apart."""
    if not isinstance(control, ChoiceMenu):
        return tuple(_choice(snapshot, choice) for choice in control)
    act = _act(control.choices[0])
    return Select(
        placeholder=control.placeholder,
        press=Press(snapshot.match, snapshot.step, act, f"menu {number}"),
        options=tuple(
            Option(label=c.label, value=c.move, note=c.note, chosen=_is_chosen(snapshot, c))
            for c in control.choices
        ),
    )


def _choice(snapshot: SeatSnapshot, choice: Choice) -> Button:
    if _is_chosen(snapshot, choice):
        return button(snapshot, f"✓ {choice.label}", "pick", choice.move, style="success")
    style: Style = "secondary" if choice.quiet else "primary"
    return button(snapshot, choice.label, _act(choice), choice.move, style=style)


def _act(choice: Choice) -> str:
    return "draft" if choice.draft else choice.act


def _is_chosen(snapshot: SeatSnapshot, choice: Choice) -> bool:
    is_move = _act(choice) == "pick"
    return is_move and snapshot.choice is not None and str(snapshot.choice) == choice.move
