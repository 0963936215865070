"""Whether a notice still holds: what happened is still so, and concerns the one who is told."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from bot.matches.agreements import OFFERS
from bot.matches.snapshots import SeatSnapshot, Snapshot
from bot.storage import Event
from bot.storage.notices import NoticeRecord, SentRecord

REMINDERS: Final[frozenset[Event]] = frozenset({"time", "last"})
"""What tells somebody that their time is running out."""


def holds(notice: NoticeRecord | SentRecord, snapshot: Snapshot) -> bool:
    """Whether an event is still so for the one who is told, whose snapshot this is.

    A reminder waits while its receiver's clock is stopped; that it was told says nothing then.
    """
    if isinstance(notice, SentRecord) and _rests(notice.event, snapshot):
        return False
    if notice.user <= 0:
        return False  # a former player
    return _is_so(notice.event, notice.turn, snapshot)


def told_now(snapshot: SeatSnapshot) -> Event | None:
    """The event that a hand has come to tell of, as long as that holds."""
    told = snapshot.told
    if told is None or _rests(told.event, snapshot):
        return None
    return told.event if _is_so(told.event, told.turn, snapshot) else None


def _is_so(event: Event, turn: int, snapshot: Snapshot) -> bool:
    """Whether what happened in a turn is still so, as far as this snapshot tells."""
    if event in _FOR_ALL:
        return _FOR_ALL[event](snapshot)
    if not isinstance(snapshot, SeatSnapshot):
        return False
    return _OF_TURNS[event](snapshot, turn) if event in _OF_TURNS else _FOR_SEATS[event](snapshot)


def _rests(event: Event, snapshot: Snapshot) -> bool:
    """Whether it tells somebody that their time is running out, and it is not."""
    own = snapshot.own
    is_stopped = snapshot.paused or (own is not None and own.away_until is not None)
    return event in REMINDERS and is_stopped


def _owes(snapshot: SeatSnapshot, turn: int) -> bool:
    return snapshot.owes and snapshot.turn == turn


def _is_reminded(snapshot: SeatSnapshot, turn: int) -> bool:
    """Whether a seat owes a move, and silence ends a match without a clock."""
    is_near = snapshot.time_control != "none" or snapshot.closes_at is not None
    return _owes(snapshot, turn) and is_near


def _begins(snapshot: SeatSnapshot, turn: int) -> bool:
    """Whether a match is in the turn with which it began, and this seat has not chosen."""
    running = snapshot.status == "running" and snapshot.turn == turn
    return running and snapshot.seat not in snapshot.chosen


def _is_invited(snapshot: SeatSnapshot) -> bool:
    return snapshot.status == "open" and not snapshot.own.accepted


def has_offer(snapshot: SeatSnapshot) -> bool:
    """Whether an offer stands that this seat has not answered."""
    own = snapshot.own
    if snapshot.counts_at is not None:  # it has ended, and somebody wants to resume it
        wanted = any(place.agrees == "resume" for place in snapshot.places)
        return wanted and own.agrees != "resume"
    offers = {place.agrees for place in snapshot.places}.intersection(OFFERS)
    return snapshot.status == "running" and bool(offers - {own.agrees}) and not own.left


def _is_asked_again(snapshot: SeatSnapshot) -> bool:
    """Whether another wants a rematch that this seat has not agreed to."""
    wanted = any(place.agrees == "rematch" for place in snapshot.places)
    return wanted and snapshot.own.agrees != "rematch"


def _is_lost(snapshot: SeatSnapshot) -> bool:
    """Whether a match waits to be resumed elsewhere, and this seat can do that."""
    is_paused = snapshot.status == "running" and snapshot.paused and not snapshot.rests
    return is_paused and not snapshot.own.left


def _is_out(snapshot: SeatSnapshot) -> bool:
    """Whether this seat has left a match that goes on without it: of one that ended, "over" tells.

    Nobody is told so who resigned.
    """
    return snapshot.status == "running" and bool(snapshot.own.left)


def _is_over(snapshot: Snapshot) -> bool:
    """Whether a match has ended."""
    return snapshot.status in {"over", "closed"}


def _is_done(snapshot: Snapshot) -> bool:
    """Whether a match never began or has ended, and perhaps has a rematch already."""
    return not snapshot.is_unfinished


def _has_ended(snapshot: Snapshot) -> bool:
    """Whether a match has ended, and no rematch of it has begun."""
    return _is_over(snapshot) and not all(place.agrees == "rematch" for place in snapshot.places)


def _never_began(snapshot: Snapshot) -> bool:
    """Whether a challenge has not led to a match: a seat was declined, or all of it."""
    return snapshot.status not in {"running", "over", "closed"}


_OF_TURNS: Final[Mapping[Event, Callable[[SeatSnapshot, int], bool]]] = MappingProxyType(
    {
        "turn": _owes,
        "time": _is_reminded,
        "last": _owes,
        "back": _owes,  # of a turn that began in a vacation, "turn" tells
        "nudged": _owes,  # a nudge is about one move: in the next turn, nobody may be waiting
        "accepted": _begins,
    }
)
_FOR_SEATS: Final[Mapping[Event, Callable[[SeatSnapshot], bool]]] = MappingProxyType(
    {
        "challenged": _is_invited,
        "offered": has_offer,
        "rematch": _is_asked_again,
        "lost": _is_lost,
        "out": _is_out,
        "over": _has_ended,
    }
)
_FOR_ALL: Final[Mapping[Event, Callable[[Snapshot], bool]]] = MappingProxyType(
    {"declined": _never_began, "expired": _never_began, "watched": _is_done}
)
