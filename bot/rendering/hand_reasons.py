"""The line at the top of a hand sent as a direct message, which says why it was sent."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from bot.matches import SeatSnapshot
from bot.matches.notices import event_of_hand
from bot.rendering.agreements import offer_sentence
from bot.rendering.phrases import mention, seat_names, timestamp
from bot.storage import Event
from bot.text import capitalized

FOOT: Final = "-# `/notify` sets what I tell you and how."
"""Below what is sent because of a notice."""


def hand_reason(snapshot: SeatSnapshot) -> str:
    """What happened, as the hand's first line, which notifications show; "" if nothing did."""
    event = event_of_hand(snapshot)
    return "" if event is None else f"{_LINES[event](snapshot)}\n"


def _time(snapshot: SeatSnapshot) -> str:
    if snapshot.closes_at is not None:
        # The day comes last: a notification may be cut off, or show the timestamp as markup.
        end = timestamp(snapshot.closes_at)
        return f"⏰ **This match closes without a result if nobody moves by {end}.**"
    return f"⏰ **Your time is running out.** {_consequence(snapshot)}"


def _consequence(snapshot: SeatSnapshot) -> str:
    """What happens if the player misses the time limit; the hand below says when that is."""
    if snapshot.own.strikes:
        return "If it runs out again, you lose your seat."
    return "If it runs out, I move for you."


def _nudged(snapshot: SeatSnapshot) -> str:
    return f"👋 **{_who(snapshot)} is waiting for your move.**"


def _accepted(snapshot: SeatSnapshot) -> str:
    if snapshot.predecessor is not None:
        return "✅ **Your rematch has begun.**"
    return f"✅ **{_who(snapshot)} accepted your challenge, and the match has begun.**"


def _offered(snapshot: SeatSnapshot) -> str:
    if snapshot.counts_at is not None:
        return f"🤝 **{_who(snapshot)} wants to resume this match.** Answer below."
    return (
        f"🤝 **{offer_sentence(snapshot, seat_names(snapshot), _actor(snapshot))}.** Answer below."
    )


def _rematch(snapshot: SeatSnapshot) -> str:
    return f"🔁 **{_who(snapshot)} wants a rematch.** Press **Rematch** below to play."


def _who(snapshot: SeatSnapshot) -> str:
    """The mention of the player who did it, for the beginning of a sentence."""
    return capitalized(mention(_actor(snapshot)))


def _actor(snapshot: SeatSnapshot) -> int:
    """The user who did it; 0 if nobody did or it's no longer known."""
    by = None if snapshot.told is None else snapshot.told.by
    return 0 if by is None else snapshot.seats[by].user


_LINES: Final[Mapping[Event, Callable[[SeatSnapshot], str]]] = MappingProxyType(
    {
        "turn": lambda snapshot: "👉 **It's your turn.**",
        "time": _time,
        "last": _time,
        "back": lambda snapshot: "🏝️ **Your vacation is over, and your clock is running.**",
        "nudged": _nudged,
        "accepted": _accepted,
        "offered": _offered,
        "rematch": _rematch,
        # The hand below says why.
        "out": lambda snapshot: "🚪 **You're out of this match.**",
        "over": lambda snapshot: "🏁 **This match is over.**",
        "watched": lambda snapshot: "🏁 **This match is over.**",
    }
)
"""The line for each event about which a hand can be sent."""
