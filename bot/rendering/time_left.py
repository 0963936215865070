"""What tables and desks say of time: how much is left, for whom it ran out and what follows."""

from collections.abc import Sequence

from bot.matches import Snapshot
from bot.rendering.phrases import countdown
from bot.text import listed


def time_left(snapshot: Snapshot, what: str) -> str:
    """The deadline, counted down, as a line of its own; "" where no clock runs."""
    return "" if snapshot.deadline is None else f"\n⏳ {what} {countdown(snapshot.deadline)}."


def own_time(snapshot: Snapshot) -> str:
    """The deadline for whoever owes a move, and what it means to miss this one too."""
    if not snapshot.owes or snapshot.deadline is None:
        return ""
    return time_left(snapshot, "Your time runs out") + last_chance(snapshot)


def last_chance(snapshot: Snapshot) -> str:
    """A warning to the onlooker if he missed his last deadline."""
    if snapshot.seat is None or not snapshot.places[snapshot.seat].strikes:
        return ""
    return "\n⚠️ **You missed your last deadline; one more forfeits your seat.**"


def late(snapshot: Snapshot, names: Sequence[str]) -> str:
    """For whom the clock played last, as a line after the story."""
    if not snapshot.late:
        return ""
    who = listed([names[seat] for seat in snapshot.late])
    return f"\n⌛ Time ran out for {who}: the move was made by the clock."


def forfeited(snapshot: Snapshot, names: Sequence[str]) -> str:
    """Who forfeited by the clock, as a line below the result."""
    gone = [names[i] for i, place in enumerate(snapshot.places) if place.left_why == "time"]
    if not gone:
        return ""
    return f"\n⌛ {listed(gone)} missed two deadlines in a row, which forfeits a seat."


def left(snapshot: Snapshot) -> str:
    """How the onlooker came to leave, as a clause."""
    why = None if snapshot.seat is None else snapshot.places[snapshot.seat].left_why
    match why:
        case "time":
            return "You missed two deadlines in a row, so your seat is forfeited"
        case "unseated":
            return "A moderator of this server has taken you from this match"
        case _:
            return "You have left this match"
