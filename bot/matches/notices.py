"""Whether a notice still holds: what it reports is still the case for the user it is for."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from bot.matches.agreements import OFFERS
from bot.matches.snapshots import SeatSnapshot, Snapshot
from bot.storage import Event
from bot.storage.notices import NoticeRecord, SentRecord

REMINDERS: Final[frozenset[Event]] = frozenset({"time", "last"})
"""The events that warn a player that their time is running out."""


def still_holds(notice: NoticeRecord | SentRecord, snapshot: Snapshot) -> bool:
    """Whether a notice still holds for its receiver, whose snapshot this is.

    While their clock is stopped, nothing sent holds that says it runs; what is unsent is kept.
    """
    if isinstance(notice, SentRecord) and _is_of_stopped_clock(notice.event, snapshot):
        return False
    if notice.user <= 0:
        return False  # a former player
    return _still_holds(notice.event, notice.turn, snapshot)


def event_of_hand(snapshot: SeatSnapshot) -> Event | None:
    """The event that the hand was last sent to report; None if that doesn't hold now."""
    telling = snapshot.told
    if telling is None or _is_of_stopped_clock(telling.event, snapshot):
        return None
    return telling.event if _still_holds(telling.event, telling.turn, snapshot) else None


def _still_holds(event: Event, turn: int, snapshot: Snapshot) -> bool:
    """Whether an event of this turn still holds, as far as this snapshot shows."""
    if event in _FOR_ALL:
        return _FOR_ALL[event](snapshot)
    if not isinstance(snapshot, SeatSnapshot):
        return False
    return _OF_TURNS[event](snapshot, turn) if event in _OF_TURNS else _FOR_SEATS[event](snapshot)


def _is_of_stopped_clock(event: Event, snapshot: Snapshot) -> bool:
    """Whether the event says that time runs, to a player whose clock is stopped.

    The end of a vacation may be told before the clock has ended it in the match, so a vacation says
    nothing about that; when another one begins, it outdates what was told (`Vacations.start`).
    """
    if event == "back":
        return snapshot.paused
    own = snapshot.own
    is_stopped = snapshot.paused or (own is not None and own.away_until is not None)
    return event in REMINDERS and is_stopped


def _owes(snapshot: SeatSnapshot, turn: int) -> bool:
    return snapshot.owes and snapshot.turn == turn


def _is_reminded(snapshot: SeatSnapshot, turn: int) -> bool:
    """Whether a seat still owes that turn's move, and time or silence is about to run out."""
    is_near = snapshot.time_control != "none" or snapshot.closes_at is not None
    return _owes(snapshot, turn) and is_near


def _is_new(snapshot: SeatSnapshot, turn: int) -> bool:
    """Whether the match began with this turn, and this seat hasn't chosen in its own first one.

    That may be the second turn. Where several choose at once, each has chosen in the first.
    """
    first = {turn, turn + 1} if snapshot.awaiting == {snapshot.seat} else {turn}
    running = snapshot.status == "running" and snapshot.turn in first
    return running and snapshot.seat not in snapshot.chosen


def _is_invited(snapshot: SeatSnapshot) -> bool:
    return snapshot.status == "open" and not snapshot.own.accepted


def has_offer(snapshot: SeatSnapshot) -> bool:
    """Whether there is an offer that this seat hasn't agreed to."""
    own = snapshot.own
    if snapshot.counts_at is not None:  # ended by time, so the offer is to resume it
        wanted = any(info.agrees == "resume" for info in snapshot.seats)
        return wanted and own.agrees != "resume"
    offers = {info.agrees for info in snapshot.seats}.intersection(OFFERS)
    return snapshot.status == "running" and bool(offers - {own.agrees}) and not own.left


def _is_asked_for_rematch(snapshot: SeatSnapshot) -> bool:
    """Whether somebody wants a rematch, and this seat hasn't agreed to it."""
    wanted = any(info.agrees == "rematch" for info in snapshot.seats)
    return wanted and snapshot.own.agrees != "rematch"


def _is_lost(snapshot: SeatSnapshot) -> bool:
    """Whether the match has lost its channel, and this seat can resume it in another one."""
    return snapshot.is_lost and not snapshot.own.left


def _is_out(snapshot: SeatSnapshot) -> bool:
    """Whether this seat has lost its place in a running match; "over" reports the end of one.

    Nobody who resigned gets this notice.
    """
    return snapshot.status == "running" and bool(snapshot.own.left)


def _is_over(snapshot: Snapshot) -> bool:
    """Whether a match has ended."""
    return snapshot.status in {"over", "closed"}


def _is_finished(snapshot: Snapshot) -> bool:
    """Whether the match has ended or never started; there may be a rematch already."""
    return not snapshot.is_unfinished


def _has_ended(snapshot: Snapshot) -> bool:
    """Whether the match has ended, and no rematch has started."""
    return _is_over(snapshot) and not all(info.agrees == "rematch" for info in snapshot.seats)


def _never_began(snapshot: Snapshot) -> bool:
    """Whether a challenge hasn't become a match: it has ended, or lost a player and is open."""
    return snapshot.status not in {"running", "over", "closed"}


_OF_TURNS: Final[Mapping[Event, Callable[[SeatSnapshot, int], bool]]] = MappingProxyType(
    {
        "turn": _owes,
        "time": _is_reminded,
        "last": _owes,
        "back": _owes,  # of a turn that begins during the vacation too, instead of "turn"
        "nudged": _owes,  # a nudge is about one move: in the next turn, nobody may be waiting
        "accepted": _is_new,
    }
)
_FOR_SEATS: Final[Mapping[Event, Callable[[SeatSnapshot], bool]]] = MappingProxyType(
    {
        "challenged": _is_invited,
        "offered": has_offer,
        "rematch": _is_asked_for_rematch,
        "lost": _is_lost,
        "out": _is_out,
        "over": _has_ended,
    }
)
_FOR_ALL: Final[Mapping[Event, Callable[[Snapshot], bool]]] = MappingProxyType(
    {"declined": _never_began, "expired": _never_began, "watched": _is_finished}
)
