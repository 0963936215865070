"""Blocks: whose challenges and nudges a person doesn't want."""

from collections.abc import Collection, Sequence
from typing import Final

from sqlalchemy import BigInteger, bindparam, delete, func, select, union
from sqlalchemy.dialects.postgresql import insert as upsert

from bot.storage.repository import Repository
from bot.storage.returns import former_blocks
from bot.storage.schema import blocks

_USERS: Final = bindparam("users", type_=BigInteger, expanding=True)
_BLOCKING: Final = union(
    select(blocks.c.user).where(blocks.c.user.in_(_USERS), blocks.c.blocked == bindparam("other")),
    select(former_blocks.c.user).where(
        former_blocks.c.user.in_(_USERS), former_blocks.c.mark == bindparam("mark")
    ),
)


class BlockRepository(Repository):
    async def add(self, user: int, other: int) -> bool:
        """Block `other` for `user`; returns False if that was already so."""
        made = await self._connection.execute(
            upsert(blocks).values(user=user, blocked=other).on_conflict_do_nothing()
        )
        return made.rowcount == 1

    async def remove(self, user: int, other: int) -> bool:
        """Remove a block; returns False if there was none."""
        taken = await self._connection.execute(
            delete(blocks).where(blocks.c.user == user, blocks.c.blocked == other)
        )
        return taken.rowcount == 1

    async def count(self, user: int) -> int:
        """How many people this person has blocked; locks them, so that they block no other."""
        await self._locks.ids(user)
        query = select(func.count()).select_from(blocks).where(blocks.c.user == user)
        return (await self._connection.execute(query)).scalar_one()

    async def of(self, user: int) -> Sequence[int]:
        """The ids of the people that this person has blocked, in order."""
        query = select(blocks.c.blocked).where(blocks.c.user == user).order_by(blocks.c.blocked)
        return [row.blocked for row in await self._connection.execute(query)]

    async def blocking(self, users: Collection[int], blocked: int, mark: str) -> list[int]:
        """Those of `users` who have blocked this person, sorted.

        `mark` is that person's mark: it finds people who had blocked them before everything about
        them was deleted.
        """
        values = {"users": list(users), "other": blocked, "mark": mark}
        return sorted(row.user for row in await self._connection.execute(_BLOCKING, values))
