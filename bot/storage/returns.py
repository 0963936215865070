"""Marks of people who were deleted; a mark alone doesn't tell who they were."""

from collections.abc import Collection, Iterable
from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Table,
    Text,
    bindparam,
    delete,
    func,
    select,
)
from sqlalchemy.dialects.postgresql import insert as upsert

from bot.storage.repository import Repository
from bot.storage.schema import NUMBER, metadata

former_people = Table(
    "former_people",
    metadata,
    Column("mark", Text, primary_key=True),  # a keyed digest; the key is not in the database
    Column("until", NUMBER, nullable=False),  # when this row is deleted
    sqlite_with_rowid=False,
)

former_blocks = Table(
    "former_blocks",
    metadata,
    Column("mark", ForeignKey("former_people.mark", ondelete="CASCADE"), primary_key=True),
    Column("user", BigInteger, primary_key=True),  # who had blocked the person with the mark
    sqlite_with_rowid=False,
)
Index("ix_former_blocks_user", former_blocks.c.user)

_MARKED: Final = upsert(former_people)
_MARK: Final = _MARKED.on_conflict_do_update(
    index_elements=["mark"], set_={"until": _MARKED.excluded.until}
)
_LATEST: Final = select(func.max(former_people.c.until)).where(
    former_people.c.mark.in_(bindparam("marks", expanding=True, type_=Text)),
    former_people.c.until > bindparam("now"),
)
_IS_EXPIRED: Final = former_people.c.until <= bindparam("now")
_ANY_EXPIRED: Final = select(former_people.c.mark).where(_IS_EXPIRED).limit(1)
_FORGET_EXPIRED: Final = delete(former_people).where(_IS_EXPIRED)


class ReturnRepository(Repository):
    async def mark(self, mark: str, until: int) -> None:
        """Store a mark until `until` (Unix time)."""
        await self._connection.execute(_MARK, {"mark": mark, "until": until})

    async def latest(self, marks: Iterable[str], now: int) -> int | None:
        """The latest expiry of these marks (Unix time); None if none is valid."""
        values = {"marks": list(marks), "now": now}
        found: int | None = (await self._connection.execute(_LATEST, values)).scalar_one()
        return found

    async def expired(self, now: int) -> bool:
        """Whether any stored mark has expired."""
        return (await self._connection.execute(_ANY_EXPIRED, {"now": now})).first() is not None

    async def forget_expired(self, now: int) -> None:
        """Delete expired marks."""
        await self._connection.execute(_FORGET_EXPIRED, {"now": now})

    async def block(self, mark: str, users: Collection[int]) -> None:
        """Store that these people had blocked the person with this mark."""
        if users:
            rows = [{"mark": mark, "user": user} for user in users]
            await self._connection.execute(upsert(former_blocks).on_conflict_do_nothing(), rows)

    async def unblock(self, user: int, mark: str) -> bool:
        """Remove a block of the person with this mark; returns False if there was none."""
        taken = await self._connection.execute(
            delete(former_blocks).where(former_blocks.c.mark == mark, former_blocks.c.user == user)
        )
        return taken.rowcount == 1
