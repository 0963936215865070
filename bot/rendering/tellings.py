"""What a hand says above itself that has come by direct message to tell its player something."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from bot.matches import SeatSnapshot
from bot.matches.notices import told_now
from bot.rendering.agreements import offer_made
from bot.rendering.phrases import day, mention, names
from bot.storage import Event
from bot.text import capitalized

FOOT: Final = "-# `/notify` sets what I tell you and how."


def telling(snapshot: SeatSnapshot) -> str:
    """What has happened, as a line to stand first, which a notification shows; "" if nothing."""
    event = told_now(snapshot)
    return "" if event is None else f"{_LINES[event](snapshot)}\n"


def settings_line(snapshot: SeatSnapshot) -> str:
    """Where that can be changed, as a line of its own; not of a turn, of which a hand always is."""
    return "" if told_now(snapshot) in {None, "turn"} else f"\n{FOOT}"


def _time(snapshot: SeatSnapshot) -> str:
    if snapshot.closes_at is not None:
        # What happens comes first: a notification may be cut off, or not translate the day.
        end = day(snapshot.closes_at)
        return f"⏰ **This match closes without a result if nobody moves by {end}.**"
    return f"⏰ **Your time is running out.** {_consequence(snapshot)}"


def _consequence(snapshot: SeatSnapshot) -> str:
    """What it means to miss the time limit; the hand below says until when that is."""
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
    return f"🤝 **{offer_made(snapshot, names(snapshot), _actor(snapshot))}.** Answer below."


def _rematch(snapshot: SeatSnapshot) -> str:
    return f"🔁 **{_who(snapshot)} wants a rematch.** Press **Rematch** below to play."


def _who(snapshot: SeatSnapshot) -> str:
    """How the one who did it is called at the beginning of a sentence."""
    return capitalized(mention(_actor(snapshot)))


def _actor(snapshot: SeatSnapshot) -> int:
    """The person who did it; 0 where nobody did, or nobody knows any more."""
    by = None if snapshot.told is None else snapshot.told.by
    return 0 if by is None else snapshot.places[by].user


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
"""Those that a hand comes to tell."""
