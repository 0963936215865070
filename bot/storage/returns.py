"""Marks of people who were deleted, by which alone nobody can tell who they were."""

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
    Column("until", NUMBER, nullable=False),  # when it is deleted
    sqlite_with_rowid=False,
)

former_blocks = Table(
    "former_blocks",
    metadata,
    Column("mark", ForeignKey("former_people.mark", ondelete="CASCADE"), primary_key=True),
    Column("user", BigInteger, primary_key=True),  # who had blocked the one with the mark
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
        """Keep a mark until then, in seconds since 1970."""
        await self._connection.execute(_MARK, {"mark": mark, "until": until})

    async def latest(self, marks: Iterable[str], now: int) -> int | None:
        """Until when the last of these marks stands; None where none does."""
        values = {"marks": list(marks), "now": now}
        found: int | None = (await self._connection.execute(_LATEST, values)).scalar_one()
        return found

    async def expired(self, now: int) -> bool:
        """Whether a mark stands that should not any more."""
        return (await self._connection.execute(_ANY_EXPIRED, {"now": now})).first() is not None

    async def forget_expired(self, now: int) -> None:
        """Delete the marks whose time is over."""
        await self._connection.execute(_FORGET_EXPIRED, {"now": now})

    async def block(self, mark: str, users: Collection[int]) -> None:
        """Keep with a mark that these people had blocked the one whose it is."""
        if users:
            rows = [{"mark": mark, "user": user} for user in users]
            await self._connection.execute(upsert(former_blocks).on_conflict_do_nothing(), rows)

    async def unblock(self, user: int, mark: str) -> bool:
        """Take back that this person had blocked the one with the mark; False if they had not."""
        taken = await self._connection.execute(
            delete(former_blocks).where(former_blocks.c.mark == mark, former_blocks.c.user == user)
        )
        return taken.rowcount == 1
