"""Whether a notice still holds: what happened is still so, and concerns the one who is told."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from bot.matches.agreements import OFFERS
from bot.matches.snapshots import SeatSnapshot, Snapshot
from bot.storage import Event
from bot.storage.notices import NoticeRecord, SentRecord


def holds(notice: NoticeRecord | SentRecord, snapshot: Snapshot) -> bool:
    """Whether an event is still so for the one who is told, whose snapshot this is.

    A reminder waits while its receiver's clock is stopped; that it was told says nothing then.
    """
    if isinstance(notice, SentRecord) and _rests(notice.event, snapshot):
        return False
    if notice.user <= 0:
        return False  # a former player
    if notice.event in _FOR_ALL:
        return _FOR_ALL[notice.event](snapshot)
    return isinstance(snapshot, SeatSnapshot) and _FOR_SEATS[notice.event](snapshot, notice.turn)


def told_now(snapshot: SeatSnapshot) -> Event | None:
    """The event that a hand has come to tell of, as long as that holds."""
    told = snapshot.told
    if told is None or _rests(told.event, snapshot):
        return None
    if told.event in _FOR_ALL:
        return told.event if _FOR_ALL[told.event](snapshot) else None
    return told.event if _FOR_SEATS[told.event](snapshot, told.turn) else None


def _rests(event: Event, snapshot: Snapshot) -> bool:
    """Whether it tells somebody that their time is running out, and it is not."""
    own = snapshot.own
    is_stopped = snapshot.paused or (own is not None and own.away_until is not None)
    return event == "time" and is_stopped


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


def _is_invited(snapshot: SeatSnapshot, turn: int) -> bool:
    del turn
    return snapshot.status == "open" and not snapshot.own.accepted


def has_offer(snapshot: SeatSnapshot) -> bool:
    """Whether an offer stands that this seat has not answered."""
    own = snapshot.own
    if snapshot.counts_at is not None:  # it has ended, and somebody wants to resume it
        wanted = any(place.agrees == "resume" for place in snapshot.places)
        return wanted and own.agrees != "resume"
    offers = {place.agrees for place in snapshot.places}.intersection(OFFERS)
    return snapshot.status == "running" and bool(offers - {own.agrees}) and not own.left


def _is_offered(snapshot: SeatSnapshot, turn: int) -> bool:
    del turn
    return has_offer(snapshot)


def _is_asked_again(snapshot: SeatSnapshot, turn: int) -> bool:
    """Whether another wants a rematch that this seat has not agreed to."""
    del turn
    wanted = any(place.agrees == "rematch" for place in snapshot.places)
    return wanted and snapshot.own.agrees != "rematch"


def _is_lost(snapshot: SeatSnapshot, turn: int) -> bool:
    """Whether a match waits to be resumed elsewhere, and this seat can do that."""
    del turn
    is_paused = snapshot.status == "running" and snapshot.paused and not snapshot.rests
    return is_paused and not snapshot.own.left


def _is_out(snapshot: SeatSnapshot, turn: int) -> bool:
    """Whether this seat has left a match that goes on without it: of one that ended, "over" tells.

    Nobody is told so who resigned.
    """
    del turn
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


_FOR_SEATS: Final[Mapping[Event, Callable[[SeatSnapshot, int], bool]]] = MappingProxyType(
    {
        "turn": _owes,
        "time": _is_reminded,
        "back": _owes,  # of a turn that began in a vacation, "turn" tells
        "nudged": _owes,  # a nudge is about one move: in the next turn, nobody may be waiting
        "challenged": _is_invited,
        "accepted": _begins,
        "offered": _is_offered,
        "rematch": _is_asked_again,
        "lost": _is_lost,
        "out": _is_out,
        "over": lambda snapshot, turn: _has_ended(snapshot),
    }
)
_FOR_ALL: Final[Mapping[Event, Callable[[Snapshot], bool]]] = MappingProxyType(
    {"declined": _never_began, "expired": _never_began, "watched": _is_done}
)
