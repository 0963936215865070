"""Whom somebody has blocked: written, taken back and told as sentences."""

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

    async def add(self, user: int, other: Person) -> str:
        """Let no challenges of the other come any more; what is told to the user."""
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
        if not made:
            return f"You've already blocked <@{other.id}>. To undo that, use `/unblock`."
        return (
            f"Blocked. <@{other.id}> can't challenge you or join your tables. I don't tell them; "
            "if they try, I say that they can't, but not why. Matches in progress continue, but I "
            "no longer notify you of what they ask there. To undo this, use `/unblock`."
        )

    async def remove(self, user: int, other: Person) -> str:
        """Let the other challenge this user again; what is told to the user."""
        async with self._storage.transaction() as writing:
            taken = await writing.blocks.remove(user, other.id)
            of_former = await self._unblock_former(writing, user, other.id)
        if not (taken or of_former):
            raise MatchError(f"You haven't blocked <@{other.id}>. `/block` shows your list.")
        return f"<@{other.id}> can challenge you again."

    async def told(self, user: int) -> str:
        """The list, as a sentence to the user."""
        async with self._storage.reading() as reading:
            return _listed(await reading.blocks.of(user))


def _listed(blocked: Sequence[int]) -> str:
    if not blocked:
        return (
            "You haven't blocked anyone. To block someone's challenges, use `/block` with their "
            "name."
        )
    people = " ".join(f"<@{other}>" for other in blocked)
    return f"You've blocked: {people}\nTo unblock someone, use `/unblock`."
