"""Notices as messages: a sentence for each event, with a button to where its reader can act."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType
from typing import Final

from bot.matches import MatchSnapshot, SeatSnapshot
from bot.matches.nudges import Nudge
from bot.messaging.components import Button, Link, Option, Press, Row, Select
from bot.messaging.content import MessageContent
from bot.rendering.agreements import offer_sentence
from bot.rendering.challenge import why_expired
from bot.rendering.hand_reasons import FOOT
from bot.rendering.pauses import how_to_resume, server_link
from bot.rendering.phrases import (
    NO_MATCH,
    OPEN,
    countdown,
    mention,
    my_hand_button,
    seat_names,
    timestamp,
    title,
    with_selected,
)
from bot.rendering.presentation import Presentation
from bot.rendering.results import result_line
from bot.rendering.time_left import last_chance
from bot.settings.notices import EARLINESS, EVENTS, way_of
from bot.storage import Event, Way
from bot.storage.people import NoticePreference
from bot.text import capitalized, listed

WAYS: Final[Mapping[Way, str]] = MappingProxyType(
    {"dm": "direct message", "channel": "mention at the table", "none": "off"}
)
EARLY: Final[Mapping[int | None, str]] = MappingProxyType(
    {
        None: "When a quarter of the time is left",
        10 * 60: "10 minutes before",
        60 * 60: "1 hour before",
        3 * 60 * 60: "3 hours before",
        8 * 60 * 60: "8 hours before",
    }
)

_CHOOSES: Final = frozenset({"turn", "time", "last", "back", "nudged", "offered", "accepted"})
"""The events after which the reader can do something in their hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """What a notice is about."""

    event: Event
    snapshot: MatchSnapshot
    """The match as the reader may know it."""

    presentation: Presentation
    actor: int | None
    """The user who did it, if known."""

    @property
    def what(self) -> str:
        return f"**{title(self.snapshot, self.presentation)}**"

    @property
    def who(self) -> str:
        """The actor's mention, for the beginning of a sentence."""
        return capitalized(mention(self.actor or 0))


def notice_content(
    notice: Notice, table_url: str | None, *, mentioned: int | None = None
) -> MessageContent:
    """The message about an event: a direct message, or one in a channel that mentions a user.

    A hand that is sent instead has a line about the event: see `bot/rendering/hand_reasons.py`.
    """
    snapshot = notice.snapshot
    buttons: list[Button | Link] = []
    if notice.event in _CHOOSES and snapshot.status == "running":
        buttons.append(my_hand_button(snapshot, notice.presentation))
    if notice.event == "lost":
        buttons.append(server_link(snapshot))
    elif table_url is not None:
        buttons.append(Link(label="Go to the table", url=table_url))
    address = "" if mentioned is None else f"{mention(mentioned)}: "
    return MessageContent(
        head=f"{_SIGNS[notice.event]} {address}{SENTENCES[notice.event](notice)}\n{FOOT}",
        rows=(tuple(buttons),),
    )


def _turn(notice: Notice) -> str:
    return (
        f"It's your turn in {notice.what}. Press **{notice.presentation.hand_label}** and choose."
    )


def _time(notice: Notice) -> str:
    return f"It's your turn in {notice.what}.{_limit(notice.snapshot)}"


def _limit(snapshot: MatchSnapshot) -> str:
    """The reader's deadline, and what happens if they miss it."""
    if snapshot.time_control == "none" and snapshot.due_at is not None:
        due = timestamp(snapshot.due_at)
        return f" If nobody moves by {due}, the match closes without a result."
    limit = (
        "" if snapshot.deadline is None else f" Your time limit: {countdown(snapshot.deadline)}."
    )
    warning = last_chance(snapshot) if isinstance(snapshot, SeatSnapshot) else ""
    return f"{limit}{warning or ' If you miss it, I move for you.'}"


def _back(notice: Notice) -> str:
    return f"Your vacation is over, and it's your turn in {notice.what}.{_limit(notice.snapshot)}"


def _nudged(notice: Notice) -> str:
    end = "" if notice.snapshot.closes_at is None else _limit(notice.snapshot)
    return f"{notice.who} is waiting for your move in {notice.what}.{end}"


def _challenged(notice: Notice) -> str:
    return f"{notice.who} challenges you to {notice.what}. Accept or decline at the table."


def _accepted(notice: Notice) -> str:
    turn = " It's your turn." if notice.snapshot.owes else ""
    if notice.snapshot.predecessor is not None:
        return f"Your rematch has begun: {notice.what}.{turn}"
    return f"{notice.who} accepted your challenge: {notice.what} has begun.{turn}"


def _declined(notice: Notice) -> str:
    if notice.snapshot.status == "open":
        return f"{notice.who} won't play {notice.what}. Anyone can take their seat now."
    if notice.snapshot.ending == "moderator":
        return f"A moderator withdrew your challenge to {notice.what}. There is no match."
    if any(info.agrees == "absent" for info in notice.snapshot.seats):
        return f"{notice.who} has left the server, so the challenge to {notice.what} is off."
    if any(info.agrees == "declined" and info.accepted for info in notice.snapshot.seats):
        return f"{notice.who} gave up their seat in {notice.what}, so the challenge is off."
    return f"{notice.who} declined the challenge to {notice.what}. There is no match."


def _expired(notice: Notice) -> str:
    """That the challenge expired, without the command for a new one, which the table names.

    Used in direct messages, that command would start a match against the computer.
    """
    return f"The challenge to {notice.what} expired. {why_expired(notice.snapshot)}"


def _offered(notice: Notice) -> str:
    if notice.snapshot.counts_at is not None:
        return (
            f"{notice.who} wants to resume {notice.what}, which ended because time ran out. "
            "Press **Resume match** at the table if you want that too."
        )
    offer = offer_sentence(notice.snapshot, seat_names(notice.snapshot), notice.actor)
    return f"{offer} in {notice.what}. Answer at the table."


def _rematch(notice: Notice) -> str:
    return f"{notice.who} wants a rematch of {notice.what}. Press **Rematch** at the table to play."


def _lost(notice: Notice) -> str:
    cause = f"I lost access to the channel of {notice.what}, so the match is paused."
    return f"{cause} {how_to_resume(notice.snapshot)}"


def _out(notice: Notice) -> str:
    own = notice.snapshot.own
    if own is not None and own.left_why == "unseated":
        return f"A moderator removed you from {notice.what}. The others play on."
    lost = f"You missed two deadlines in a row and lost your seat in {notice.what}."
    return f"{lost} The others play on."


def _over(notice: Notice) -> str:
    """The result, and when it counts if it doesn't yet; written to be true whenever it's read.

    A countdown would read `counts 2 days ago` later, and still say that the match can be resumed.
    A promise of the whole week would be wrong too: any player can let the result count earlier.
    """
    counts_at = notice.snapshot.counts_at
    result = result_line(notice.snapshot, notice.presentation)
    if counts_at is None:
        return f"{notice.what} is over. {result}"
    is_over = notice.snapshot.status == "over"
    end, early = ("counts", "lets it count") if is_over else ("closes for good", "closes it")
    return (
        f"{notice.what} is over. {result} It {end} on {timestamp(counts_at)}, or earlier if a "
        f"player {early}. Until then it can be resumed."
    )


def _watched(notice: Notice) -> str:
    """What watchers are told; about a held result, a second time once it counts.

    After a challenge that came to nothing, it names no command: watchers can't make a new one.
    """
    snapshot = notice.snapshot
    if snapshot.status == "declined":
        return _declined(notice)
    if snapshot.status in {"withdrawn", "expired"}:
        became = "was withdrawn" if snapshot.status == "withdrawn" else "expired"
        return f"The challenge to {notice.what} {became}. There is no match."
    by_time = any(info.left_why == "time" for info in snapshot.seats)
    if not by_time or snapshot.status != "over" or snapshot.counts_at is not None:
        return _over(notice)
    return f"{notice.what} is over, and it counts. {result_line(snapshot, notice.presentation)}"


SENTENCES: Final[Mapping[Event, Callable[[Notice], str]]] = MappingProxyType(
    {
        "turn": _turn,
        "time": _time,
        "last": _time,
        "back": _back,
        "nudged": _nudged,
        "challenged": _challenged,
        "accepted": _accepted,
        "declined": _declined,
        "expired": _expired,
        "offered": _offered,
        "rematch": _rematch,
        "lost": _lost,
        "out": _out,
        "over": _over,
        "watched": _watched,
    }
)
_SIGNS: Final[Mapping[Event, str]] = MappingProxyType(
    {
        "turn": "👉",
        "time": "⏰",
        "last": "⏰",
        "back": "🏝️",
        "nudged": "👋",
        "challenged": "⚔️",
        "accepted": "✅",
        "declined": "❌",
        "expired": "⌛",
        "offered": "🤝",
        "rematch": "🔁",
        "lost": "⏸️",
        "out": "🚪",
        "over": "🏁",
        "watched": "🏁",
    }
)


def nudge_confirmation(nudge: Nudge) -> str:
    """What a player is told after nudging."""
    who = seat_names(nudge.snapshot)
    sentences = []
    if nudge.reached:
        sentences.append(f"Nudged: {listed([who[seat] for seat in nudge.reached])}.")
    if nudge.unwilling:
        unwilling = listed([who[seat] for seat in nudge.unwilling])
        verb = "doesn't" if len(nudge.unwilling) == 1 else "don't"
        sentences.append(f"{unwilling} {verb} want to be nudged.")
    for seat in nudge.away:
        until = nudge.snapshot.seats[seat].away_until
        if until is not None:
            sentences.append(
                f"{who[seat]} is on vacation until {timestamp(until)}, so I didn't nudge them."
            )
    return " ".join(sentences)


def notice_panel(preference: NoticePreference, shown: Event) -> MessageContent:
    """The user's notice settings, with menus to change those of the event `shown`."""
    by_way = {way: [e for e in EVENTS if way_of(preference, e) == way] for way in WAYS}
    lines = chain.from_iterable(
        (f"**{capitalized(WAYS[way])}**", *(f"{_SIGNS[e]} {EVENTS[e].label}" for e in events))
        for way, events in by_way.items()
        if events
    )
    return MessageContent(
        head="### What I tell you\nThese settings apply in every server.\n" + "\n".join(lines),
        foot="-# I don't tell you what you just saw while playing. To tell you about your turn by "
        "direct message, I send your hand itself. If you see it at the table instead "
        "(`/preferences`), or I can't reach you, I mention you at the table; if I can't mention "
        "you, I send a direct message.",
        rows=(
            _select(
                "Pick what to change",
                "event",
                [(kind.label, f"show {event}") for event, kind in EVENTS.items()],
                f"show {shown}",
            ),
            _select(
                "How I tell you",
                "way",
                [(capitalized(label), f"{shown} {way}") for way, label in WAYS.items()],
                f"{shown} {way_of(preference, shown)}",
            ),
            "**Before your time runs out**: not in the first half of it, never at 2 minutes a move",
            _select(
                "How early I remind you",
                "early",
                [(EARLY[before], f"early {before or 0}") for before in EARLINESS],
                f"early {preference.before or 0}",
            ),
        ),
        color=OPEN,
    )


def _select(placeholder: str, name: str, lines: list[tuple[str, str]], chosen: str) -> Row:
    return Select(
        placeholder=placeholder,
        press=Press(NO_MATCH, 0, "notify", name),
        options=with_selected([Option(label=label, value=value) for label, value in lines], chosen),
    )
