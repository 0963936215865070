"""What tables and desks say of time: how much is left, for whom it ran out and what follows."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from bot.matches import MatchSnapshot, SeatSnapshot
from bot.rendering.phrases import countdown
from bot.storage import Remark
from bot.text import listed


def time_left(snapshot: MatchSnapshot, what: str) -> str:
    """The deadline, counted down, as a line of its own; "" where no clock runs.

    Discord counts on after it, as `17 hours ago`, so `what` fits a moment that has passed too.
    """
    return "" if snapshot.deadline is None else f"\n⏳ {what} {countdown(snapshot.deadline)}."


def own_time(snapshot: SeatSnapshot) -> str:
    """The deadline of a player who owes a move, and what it means to miss this one too."""
    if not snapshot.owes or snapshot.deadline is None:
        return ""
    return time_left(snapshot, "Your time limit:") + last_chance(snapshot)


def last_chance(snapshot: SeatSnapshot) -> str:
    """A warning to a player who missed the last deadline."""
    if not snapshot.places[snapshot.seat].strikes:
        return ""
    return "\n⚠️ **You missed your last deadline. Miss one more and you lose your seat.**"


def remark(snapshot: MatchSnapshot) -> str:
    """What happened besides moves since the last step, as a line after the story."""
    return "" if snapshot.remark is None else f"\n{_REMARKS[snapshot.remark]}"


_REMARKS: Final[Mapping[Remark, str]] = MappingProxyType(
    {
        "resumed": "▶️ The pause is over: a player resumed the match, and the clock is running.",
        "pause_over": "▶️ The pause is over, and the clock is running again.",
        "reopened": "▶️ Everyone agreed to resume this match, so it goes on.",
        "taken_back": "↩️ Everyone agreed to take back the last step. The match is unrated now.",
    }
)


def late(snapshot: MatchSnapshot, names: Sequence[str]) -> str:
    """For whom the clock played last, as a line after the story."""
    if not snapshot.late:
        return ""
    who = listed([names[seat] for seat in snapshot.late])
    return f"\n⌛ Time ran out for {who}, so I moved for them."


def forfeited(snapshot: MatchSnapshot, names: Sequence[str]) -> str:
    """Who forfeited by the clock, as a line below the result."""
    gone = [names[i] for i, place in enumerate(snapshot.places) if place.left_why == "time"]
    if not gone:
        return ""
    seats = "seat" if len(gone) == 1 else "seats"
    return f"\n⌛ {listed(gone)} missed two deadlines in a row and lost their {seats}."


def left(snapshot: SeatSnapshot) -> str:
    """How a player came to leave, as a clause."""
    match snapshot.places[snapshot.seat].left_why:
        case "time":
            return "You missed two deadlines in a row and lost your seat"
        case "unseated":
            return "A moderator removed you from this match"
        case _:
            return "You resigned"
