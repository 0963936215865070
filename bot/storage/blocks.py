"""Whom somebody has blocked: whose challenges and questions they do not want."""

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
        """Note that this person wants no challenges of the other; False if that is noted."""
        made = await self._connection.execute(
            upsert(blocks).values(user=user, blocked=other).on_conflict_do_nothing()
        )
        return made.rowcount == 1

    async def remove(self, user: int, other: int) -> bool:
        """Take that back; False if there was nothing to take back."""
        taken = await self._connection.execute(
            delete(blocks).where(blocks.c.user == user, blocks.c.blocked == other)
        )
        return taken.rowcount == 1

    async def count(self, user: int) -> int:
        """How many people this person has blocked; they block nobody else meanwhile."""
        await self._locks.ids(user)
        query = select(func.count()).select_from(blocks).where(blocks.c.user == user)
        return (await self._connection.execute(query)).scalar_one()

    async def of(self, user: int) -> Sequence[int]:
        """The people whose challenges this person does not want, by their ids."""
        query = select(blocks.c.blocked).where(blocks.c.user == user).order_by(blocks.c.blocked)
        return [row.blocked for row in await self._connection.execute(query)]

    async def blocking(self, users: Collection[int], blocked: int, mark: str) -> list[int]:
        """Those of these people who want no challenges of that one, whose mark this is.

        By the mark those are found who had blocked them before everything about them was deleted.
        """
        values = {"users": list(users), "other": blocked, "mark": mark}
        return sorted(row.user for row in await self._connection.execute(_BLOCKING, values))
