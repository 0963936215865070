"""Limits how many clicks one person can make in a short time; for more, they're told to wait."""

from collections.abc import Callable
from typing import Final

from bot.errors import HurriedError
from bot.rate_limit import RateLimit
from bot.telemetry.metrics import FLOODED
from bot.text import counted

WITHIN_SECONDS: Final = 10.0

MAX_LISTS: Final = 50
"""Autocomplete lists offered to one person in `WITHIN_SECONDS`; Discord's own clients ask for
hardly half as many."""


class FloodControl:
    """Lets a person's clicks and commands pass, up to `most` of them in 10 seconds.

    Autocomplete is counted separately; beyond its limit, no list is offered.
    """

    def __init__(self, most: int, now: Callable[[], float]) -> None:
        self._limit = RateLimit(most, WITHIN_SECONDS, now=now)
        self._typed = RateLimit(MAX_LISTS, WITHIN_SECONDS, now=now)

    def admit_typing(self, person: int) -> bool:
        """Count an autocomplete request of this person; whether to offer a list."""
        return not self._typed.take(person)

    def admit(self, person: int) -> None:
        """Count a click of this person; HurriedError if it's one too many."""
        wait = self._limit.take(person)
        if wait:
            FLOODED.inc()
            raise HurriedError(
                f"Slow down, please: that was more than {self._limit.most} clicks in "
                f"{WITHIN_SECONDS:.0f} seconds. Try again in {counted(wait, 'second')}; your "
                "earlier choices are safe."
            )
