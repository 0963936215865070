"""Deletes data that is kept for a limited time."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final, Protocol

import structlog

from bot.matches.nudges import AGAIN_AFTER
from bot.storage import MatchId, Storage, Transaction
from bot.time_units import HOUR_SECONDS

log = structlog.get_logger()

UNANSWERED_KEPT: Final = timedelta(days=7)
"""How long a withdrawn or expired challenge is kept."""

UNSHOWN_KEPT: Final = timedelta(days=30)
"""How long after the end of a match a table that couldn't be reached is still to show it."""

CHALLENGES_AT_ONCE: Final = 50
"""Challenges deleted in one transaction: everybody else's click waits while it runs."""


class Slots(Protocol):
    """The message slots."""

    def forget(self, match: MatchId, /) -> None: ...


class Expiry:
    def __init__(self, storage: Storage, slots: Slots, *, now: Callable[[], float]) -> None:
        self._storage = storage
        self._slots = slots
        self._now = now

    async def forget_old(self) -> None:
        """Delete what is too old; searching for it doesn't hold up anybody who writes."""
        await self._forget_unanswered()
        now = int(self._now())
        # Some are slightly ahead of this clock: from another process, or written meanwhile.
        asked = (now - HOUR_SECONDS, now + HOUR_SECONDS)
        nudged_at = now - int(AGAIN_AFTER.total_seconds())
        shown_by = now - int(UNSHOWN_KEPT.total_seconds())
        await self._forget(
            lambda tx: tx.returns.expired(now), lambda tx: tx.returns.forget_expired(now)
        )
        await self._forget(
            lambda tx: tx.asks.any_outside(*asked), lambda tx: tx.asks.forget_outside(*asked)
        )
        await self._forget(
            lambda tx: tx.vain_nudges.any_until(nudged_at),
            lambda tx: tx.vain_nudges.forget_until(nudged_at),
        )
        await self._forget(
            lambda tx: tx.messages.has_tokens_until(now),
            lambda tx: tx.messages.forget_tokens_until(now),
        )
        await self._forget(
            lambda tx: tx.messages.has_unshown_until(shown_by),
            lambda tx: tx.messages.forget_unshown_until(shown_by),
        )
        if self._storage.log_is_to_be_emptied:
            await self._storage.empty_log()

    async def _forget(
        self,
        there_are: Callable[[Transaction], Awaitable[bool]],
        forget: Callable[[Transaction], Awaitable[None]],
    ) -> None:
        async with self._storage.reading() as reading:
            is_needed = await there_are(reading)
        if is_needed:
            async with self._storage.transaction() as writing:
                await forget(writing)

    async def _forget_unanswered(self) -> None:
        before = int(self._now() - UNANSWERED_KEPT.total_seconds())
        while True:
            async with self._storage.reading() as reading:
                numbers = await reading.challenges.unanswered_before(before, CHALLENGES_AT_ONCE)
            if not numbers:
                return
            async with self._storage.transaction() as writing:
                await writing.challenges.forget_unanswered(numbers)
            for match in numbers:
                self._slots.forget(match)
            log.info("unanswered challenges forgotten", matches=len(numbers))
