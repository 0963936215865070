"""Blocks: the users whose challenges a user doesn't want."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from bot.errors import MatchError
from bot.settings.people import Person
from bot.storage import Storage, Transaction

MAX_BLOCKS: Final = 100
"""Blocks per user: that many mentions fit into one message."""

UnblockFormer = Callable[[Transaction, int, int], Awaitable[bool]]
"""Removes a user's block of another whose data was deleted since; returns False without one."""


class Blocks:
    def __init__(self, storage: Storage, *, unblock_former: UnblockFormer) -> None:
        self._storage = storage
        self._unblock_former = unblock_former

    async def add(self, user: int, other: Person) -> bool:
        """Block another user; returns False if they were blocked already.

        Raises MatchError for oneself, for bots, and beyond MAX_BLOCKS.
        """
        if other.id == user:
            raise MatchError("That's you. Name the person whose challenges you don't want.")
        if other.bot:
            raise MatchError("Bots don't send challenges, so there's nothing to block.")
        async with self._storage.transaction() as writing:
            made = await writing.blocks.add(user, other.id)
            if await writing.blocks.count(user) > MAX_BLOCKS:
                raise MatchError(
                    f"You've blocked {MAX_BLOCKS} people, the most you can. "
                    "Use `/unblock` for someone first."
                )
        return made

    async def remove(self, user: int, other: Person) -> None:
        """Unblock another user; raises MatchError if they weren't blocked."""
        async with self._storage.transaction() as writing:
            taken = await writing.blocks.remove(user, other.id)
            of_former = await self._unblock_former(writing, user, other.id)
        if not (taken or of_former):
            raise MatchError(f"You haven't blocked <@{other.id}>. `/block` shows your list.")

    async def of(self, user: int) -> Sequence[int]:
        """The ids of the users that this user has blocked."""
        async with self._storage.reading() as reading:
            return await reading.blocks.of(user)
