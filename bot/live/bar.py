"""Whether a slot is left alone, because Discord refuses what would be sent there, and how long."""

import asyncio
from math import inf
from typing import Final

from bot.messaging.failures import PASSING_FAILURES, Failure

LASTING: Final = frozenset({Failure.NOWHERE, Failure.CLOSED, Failure.REFUSED})
"""Of these the bot hears when they end: by `/resume`, or by a message that does arrive."""

PAUSES: Final = (60.0, 300.0, 1800.0)
"""Seconds after the first other refusal, the second in a row, and so on: not all that ends one is
told, as a permission is that comes back. Each try may cost two refusals, and Discord counts them.
"""


class Bar:
    def __init__(self) -> None:
        self._until = 0.0
        """In the time of the event loop."""

        self._refused = 0
        """Refusals one after the other."""

        self._blocked: str | None = None
        """The key of what was refused for what it says: what says something else may be taken."""

    @property
    def holds(self) -> bool:
        """Whether nothing is to be tried now."""
        return self.remaining > 0

    @property
    def remaining(self) -> float:
        """Seconds until it is tried again; infinite where time alone changes nothing."""
        return max(0.0, self._until - asyncio.get_running_loop().time())

    @property
    def is_hopeless(self) -> bool:
        """Whether it was refused after each of the pauses too."""
        return self._refused > len(PAUSES)

    def close(self) -> None:
        """Let nothing be tried until it is lifted, or something arrives."""
        self._until = inf

    def refused(self, failure: Failure) -> None:
        """Something did not arrive for this reason."""
        if failure in LASTING:
            self.close()
        elif failure in PASSING_FAILURES:
            self.lift()
        else:
            pause = PAUSES[min(self._refused, len(PAUSES) - 1)]
            self._until = asyncio.get_running_loop().time() + pause
            self._refused += 1

    def block(self, key: str) -> None:
        """Let what has this key not be tried again."""
        self._blocked = key

    def blocks(self, key: str) -> bool:
        """Whether what has this key was refused for what it says."""
        return self._blocked == key

    def unblock(self) -> None:
        """The same key stands for something else now."""
        self._blocked = None

    def lift(self) -> None:
        """Let it be tried again: somebody wants that, or it may be done in another way."""
        self._until, self._blocked = 0.0, None

    def arrived(self) -> None:
        """Something did arrive."""
        self._until, self._refused, self._blocked = 0.0, 0, None
