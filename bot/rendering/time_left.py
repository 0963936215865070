"""What tables and desks say of time: how much is left, for whom it ran out and what follows."""

from collections.abc import Sequence

from bot.matches import Look
from bot.rendering.phrases import countdown, listed


def time_left(look: Look, what: str) -> str:
    """The deadline, counted down, as a line of its own; "" where no clock runs."""
    return "" if look.deadline is None else f"\n⏳ {what} {countdown(look.deadline)}."


def own_time(look: Look) -> str:
    """The deadline for whoever owes a move, and what it means to miss this one too."""
    if not look.owes or look.deadline is None:
        return ""
    return time_left(look, "Your time runs out") + last_chance(look)


def last_chance(look: Look) -> str:
    """A warning to the onlooker if he missed his last deadline."""
    if look.seat is None or not look.places[look.seat].strikes:
        return ""
    return "\n⚠️ **You missed your last deadline; one more forfeits your seat.**"


def late(look: Look, names: Sequence[str]) -> str:
    """For whom the clock played last, as a line after the story."""
    if not look.late:
        return ""
    who = listed([names[seat] for seat in look.late])
    return f"\n⌛ Time ran out for {who}: the move was made by the clock."


def forfeited(look: Look, names: Sequence[str]) -> str:
    """Who forfeited by the clock, as a line below the result."""
    gone = [names[i] for i, place in enumerate(look.places) if place.left_why == "time"]
    if not gone:
        return ""
    return f"\n⌛ {listed(gone)} missed two deadlines in a row, which forfeits a seat."


def left(look: Look) -> str:
    """How the onlooker came to leave, as a clause."""
    why = None if look.seat is None else look.places[look.seat].left_why
    match why:
        case "time":
            return "You missed two deadlines in a row, so your seat is forfeited"
        case "unseated":
            return "A moderator of this server has taken you from this match"
        case _:
            return "You have left this match"
