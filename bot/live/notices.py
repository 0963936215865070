"""Who gets a desk, and when it comes anew, so that its player is told of a turn."""

from bot.matches import Look
from bot.storage import PlaceRecord


def wants_desk(look: Look) -> bool:
    """Whether a seat that has no desk gets one: not where it chooses on the table, now.

    Nor where its player wants no direct messages; he opens it with My hand.
    """
    assert look.seat is not None
    gone = look.places[look.seat].left
    return not gone and not look.here and not (look.tap and look.pace == "live")


def brings_notice(look: Look, desk: PlaceRecord) -> bool:
    """Whether a desk must come anew because a turn has begun that its seat owes a move in.

    Once a turn; not where moves come so fast that its player is looking on, as those of computers
    do, nor to somebody who wants no direct messages.
    """
    unwanted = look.pace == "live" or look.here or look.paused or look.is_solitary
    return look.owes and look.turn > desk.turn and not unwanted
