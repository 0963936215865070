"""Whether, and how long, a slot is left alone because Discord refuses what is sent there."""

import asyncio
from math import inf
from typing import Final

from bot.messaging.failures import PASSING_FAILURES, Failure

LASTING: Final = frozenset({Failure.NOWHERE, Failure.CLOSED, Failure.REFUSED})
"""Failures without a timed retry: the bot learns when they are over, by `/resume` or by a message
that arrives."""

PAUSES: Final = (60.0, 300.0, 1800.0)
"""Seconds until a retry after the first other refusal, the second in a row, and so on: Discord
doesn't report everything that ends one, such as a permission that comes back. Each try may cost two
refusals, and Discord counts them."""


class Bar:
    def __init__(self) -> None:
        self._until = 0.0
        """When sending may be tried again, in event loop time."""

        self._refused = 0
        """Refusals in a row."""

        self._blocked: str | None = None
        """The key of content that Discord refused for what it says; other content may be accepted.
        """

    @property
    def holds(self) -> bool:
        """Whether nothing may be sent now."""
        return self.remaining > 0

    @property
    def remaining(self) -> float:
        """Seconds until sending is tried again; infinite if time alone changes nothing."""
        return max(0.0, self._until - asyncio.get_running_loop().time())

    @property
    def is_hopeless(self) -> bool:
        """Whether Discord refused again after each of the pauses."""
        return self._refused > len(PAUSES)

    def close(self) -> None:
        """Bar sending until `lift` is called, or something arrives."""
        self._until = inf

    def refused(self, failure: Failure) -> None:
        """Note that something wasn't delivered, and why."""
        if failure in LASTING:
            self.close()
        elif failure in PASSING_FAILURES:
            self.lift()
        else:
            pause = PAUSES[min(self._refused, len(PAUSES) - 1)]
            self._until = asyncio.get_running_loop().time() + pause
            self._refused += 1

    def block(self, key: str) -> None:
        """Don't send content with this key again."""
        self._blocked = key

    def blocks(self, key: str) -> bool:
        """Whether content with this key was refused for what it says."""
        return self._blocked == key

    def unblock(self) -> None:
        """Allow the blocked key again: it stands for other content now."""
        self._blocked = None

    def lift(self) -> None:
        """Allow sending again: somebody wants that, or there is another way to send."""
        self._until, self._blocked = 0.0, None

    def arrived(self) -> None:
        """Note that something arrived, which ends all refusals."""
        self._until, self._refused, self._blocked = 0.0, 0, None
