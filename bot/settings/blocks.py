"""Whose challenges somebody does not want: written, taken back and told as sentences."""

from collections.abc import Sequence
from typing import Final

from bot.errors import MatchError
from bot.settings.people import Person
from bot.storage import Storage

MOST: Final = 100
"""So many mentions fit into one message."""


class Blocks:
    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def add(self, user: int, other: Person) -> str:
        """Let no challenges of the other come any more; what is told to the user."""
        if other.id == user:
            raise MatchError("That is you. Name the person whose challenges you don't want.")
        if other.bot:
            raise MatchError("Bots challenge nobody, so there is nothing to block.")
        async with self._storage.transaction() as writing:
            made = await writing.blocks.add(user, other.id)
            if await writing.blocks.count(user) > MOST:
                raise MatchError(
                    f"You have blocked {MOST} people, the most one person can. Take somebody off "
                    "the list with `/unblock` first."
                )
        if not made:
            return f"You had blocked <@{other.id}> already. `/unblock` takes that back."
        return (
            f"<@{other.id}> can't challenge you any more, nor join a table at which you sit, and "
            "is not told. Matches that run go on. `/unblock` takes that back."
        )

    async def remove(self, user: int, other: Person) -> str:
        """Let the other challenge this user again; what is told to the user."""
        async with self._storage.transaction() as writing:
            taken = await writing.blocks.remove(user, other.id)
        if not taken:
            raise MatchError(f"You have not blocked <@{other.id}>; `/block` shows your list.")
        return f"<@{other.id}> can challenge you again."

    async def told(self, user: int) -> str:
        """The list, as a sentence to the user."""
        async with self._storage.reading() as reading:
            return _listed(await reading.blocks.of(user))


def _listed(blocked: Sequence[int]) -> str:
    if not blocked:
        return (
            "You have blocked nobody. `/block` with a person's name keeps that person's challenges "
            "from you."
        )
    people = " ".join(f"<@{other}>" for other in blocked)
    return f"People whose challenges you don't want: {people}\n`/unblock` takes one off the list."
