"""Whose challenges somebody does not want: written, taken back and told as sentences."""

from collections.abc import Sequence
from typing import Final

from bot.errors import MatchError
from bot.settings.people import Person
from bot.storage import Storage
from bot.storage.blocks import block, blocked_by, count_blocked, unblock

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
            made = await block(writing.connection, user, other.id)
            if await count_blocked(writing.connection, user) > MOST:
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
            taken = await unblock(writing.connection, user, other.id)
        if not taken:
            raise MatchError(f"You have not blocked <@{other.id}>; `/block` shows your list.")
        return f"<@{other.id}> can challenge you again."

    async def told(self, user: int) -> str:
        """The list, as a sentence to the user."""
        async with self._storage.reading() as connection:
            return _listed(await blocked_by(connection, user))


def _listed(blocked: Sequence[int]) -> str:
    if not blocked:
        return (
            "You have blocked nobody. `/block` with a person's name keeps that person's challenges "
            "from you."
        )
    people = " ".join(f"<@{other}>" for other in blocked)
    return f"People whose challenges you don't want: {people}\n`/unblock` takes one off the list."
