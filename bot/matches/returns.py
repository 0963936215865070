"""Users who come back after their data was deleted: unrated for a while, and still blocked."""

import hashlib
import hmac
from collections.abc import Collection
from datetime import timedelta
from typing import Final

from bot.storage import Transaction

UNRATED: Final = timedelta(days=30)
"""How long after a deletion a user's matches are casual, lest a loss be undone by deleting it."""


class Returns:
    """Recognizes users by a mark, a keyed digest of their id that is deleted when it expires.

    The key isn't in the database, so with a copy of that alone, nobody can try ids until one fits.
    """

    def __init__(self, key: bytes) -> None:
        self._key = key

    async def note_gone(
        self, writing: Transaction, user: int, now: int, blocking: Collection[int]
    ) -> None:
        """Store a mark of a user whose data is just being deleted.

        The users in `blocking`, who have blocked them, are stored with it: blocks must survive.
        """
        until, mark = now + int(UNRATED.total_seconds()), self._mark(user)
        await writing.returns.mark(mark, until)
        await writing.returns.block(mark, blocking)

    async def blocking(self, reading: Transaction, users: Collection[int], other: int) -> list[int]:
        """Those of these users who have blocked `other`, even before that user was deleted."""
        return await reading.blocks.blocking(users, other, self._mark(other))

    async def unblock(self, writing: Transaction, user: int, other: int) -> bool:
        """Remove a block from before the other user was deleted; False if there is none."""
        return await writing.returns.unblock(user, self._mark(other))

    async def unrated_until(self, reading: Transaction, user: int, now: int) -> int | None:
        """When this user's matches can be rated again; None unless they deleted their data."""
        return await reading.returns.latest([self._mark(user)], now)

    async def deleted_at(self, reading: Transaction, user: int, now: int) -> int | None:
        """When this user last deleted their data (Unix time); None if not within `UNRATED`."""
        until = await self.unrated_until(reading, user, now)
        return None if until is None else until - int(UNRATED.total_seconds())

    async def is_any_back(self, reading: Transaction, users: Collection[int], now: int) -> bool:
        """Whether the data of one of these users was deleted within the last `UNRATED`."""
        return await reading.returns.latest(map(self._mark, users), now) is not None

    def _mark(self, user: int) -> str:
        return hmac.new(self._key, str(user).encode(), hashlib.sha256).hexdigest()
