"""How many clicks of one person are taken in so short a time; the rest is told to wait."""

from collections.abc import Callable
from typing import Final

from bot.errors import HurriedError
from bot.rate_limit import RateLimit
from bot.telemetry.metrics import FLOODED
from bot.text import counted

WITHIN_SECONDS: Final = 10.0

MAX_LISTS: Final = 50
"""Lists that are offered to one person within these seconds while they type: Discord's own clients
ask for hardly half as many."""


class FloodControl:
    """Lets a person's clicks and commands pass, up to `most` of them in 10 seconds.

    What is only typed is not counted with them: it is offered less.
    """

    def __init__(self, most: int, now: Callable[[], float]) -> None:
        self.most = most
        self._limit = RateLimit(most, WITHIN_SECONDS, now=now)
        self._typed = RateLimit(MAX_LISTS, WITHIN_SECONDS, now=now)

    def forget(self, person: int) -> None:
        """Remember nothing of this person."""
        self._limit.forget(person)
        self._typed.forget(person)

    def admits_typing(self, person: int) -> bool:
        """Whether this person is offered something for what they type; it is counted."""
        return not self._typed.take(person)

    def admit(self, person: int) -> None:
        """Count a click of this person; a HurriedError if it is one too many."""
        wait = self._limit.take(person)
        if wait:
            FLOODED.inc()
            raise HurriedError(
                f"Slow down, please: that was more than {self.most} clicks in {WITHIN_SECONDS:.0f} "
                f"seconds. Try again in {counted(wait, 'second')}; your earlier choices are safe."
            )
