"""People who had everything about them deleted and come back: unrated, and still blocked."""

import hashlib
import hmac
from collections.abc import Collection
from datetime import timedelta
from typing import Final

from bot.storage import Transaction

UNRATED: Final = timedelta(days=30)
"""How long after a deletion somebody's matches are casual: or a loss could be deleted for good."""


class Returns:
    """Knows people again by a mark, a keyed digest of their id that is deleted when it expires.

    The key is none of the database's: who has only a copy of that cannot try ids until one fits.
    """

    def __init__(self, key: bytes) -> None:
        self._key = key

    async def note_gone(
        self, writing: Transaction, user: int, now: int, blocking: Collection[int]
    ) -> None:
        """Note that this person has just had everything about them deleted.

        Those who had blocked them are kept with the mark: else nobody could keep them away.
        """
        until, mark = now + int(UNRATED.total_seconds()), self._mark(user)
        await writing.returns.mark(mark, until)
        await writing.returns.block(mark, blocking)

    async def blocking(self, reading: Transaction, users: Collection[int], other: int) -> list[int]:
        """Those of these people who have blocked the other, maybe before that one was deleted."""
        return await reading.blocks.blocking(users, other, self._mark(other))

    async def unblock(self, writing: Transaction, user: int, other: int) -> bool:
        """Take such a block back; False if there is none."""
        return await writing.returns.unblock(user, self._mark(other))

    async def unrated_until(self, reading: Transaction, user: int, now: int) -> int | None:
        """Until when this person's matches are casual; None for almost everybody."""
        return await reading.returns.latest([self._mark(user)], now)

    async def is_any_back(self, reading: Transaction, users: Collection[int], now: int) -> bool:
        """Whether one of these people was deleted not long ago."""
        return await reading.returns.latest(map(self._mark, users), now) is not None

    def _mark(self, user: int) -> str:
        return hmac.new(self._key, str(user).encode(), hashlib.sha256).hexdigest()
