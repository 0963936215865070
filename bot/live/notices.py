"""Who gets a desk, and when it comes anew, so that its player is told of a turn."""

from bot.matches import SeatSnapshot
from bot.storage import MessageRef


def wants_desk(snapshot: SeatSnapshot) -> bool:
    """Whether a seat that has no desk gets one: not where it chooses on the table, now.

    Nor where its player wants no direct messages; he opens it with My hand.
    """
    gone = snapshot.places[snapshot.seat].left
    return not gone and not snapshot.here and not (snapshot.tap and snapshot.time_control == "live")


def brings_notice(snapshot: SeatSnapshot, desk: MessageRef) -> bool:
    """Whether a desk must come anew because a turn has begun that its seat owes a move in.

    Once a turn; not where moves come so fast that its player is looking on, as those of computers
    do, nor to somebody who wants no direct messages.
    """
    unwanted = (
        snapshot.time_control == "live" or snapshot.here or snapshot.paused or snapshot.is_solitary
    )
    return snapshot.owes and snapshot.turn > desk.turn and not unwanted
