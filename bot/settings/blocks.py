"""Whom somebody has blocked: written and taken back."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from bot.errors import MatchError
from bot.settings.people import Person
from bot.storage import Storage, Transaction

MAX_BLOCKS: Final = 100
"""So many mentions fit into one message."""

UnblockFormer = Callable[[Transaction, int, int], Awaitable[bool]]
"""Takes back somebody's block of another who was deleted since; False if there is none."""


class Blocks:
    def __init__(self, storage: Storage, *, unblock_former: UnblockFormer) -> None:
        self._storage = storage
        self._unblock_former = unblock_former

    async def add(self, user: int, other: Person) -> bool:
        """Let no challenges of the other come any more; whether they did."""
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
        """Let the other challenge this user again."""
        async with self._storage.transaction() as writing:
            taken = await writing.blocks.remove(user, other.id)
            of_former = await self._unblock_former(writing, user, other.id)
        if not (taken or of_former):
            raise MatchError(f"You haven't blocked <@{other.id}>. `/block` shows your list.")

    async def of(self, user: int) -> Sequence[int]:
        """Whom this person has blocked."""
        async with self._storage.reading() as reading:
            return await reading.blocks.of(user)
