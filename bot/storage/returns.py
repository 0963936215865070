"""Marks of people who were deleted, by which alone nobody can tell who they were."""

from collections.abc import Iterable

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert as upsert

from bot.storage.repository import Repository
from bot.storage.schema import former_people


class ReturnRepository(Repository):
    async def mark(self, mark: str, until: int) -> None:
        """Keep a mark until then, in seconds since 1970."""
        await self._connection.execute(
            upsert(former_people)
            .values(mark=mark, until=until)
            .on_conflict_do_update(index_elements=["mark"], set_={"until": until})
        )

    async def latest(self, marks: Iterable[str], now: int) -> int | None:
        """Until when the last of these marks stands; None where none does."""
        query = select(func.max(former_people.c.until)).where(
            former_people.c.mark.in_(list(marks)), former_people.c.until > now
        )
        found: int | None = (await self._connection.execute(query)).scalar_one()
        return found

    async def expired(self, now: int) -> bool:
        """Whether a mark stands that should not any more."""
        query = select(former_people.c.mark).where(former_people.c.until <= now).limit(1)
        return (await self._connection.execute(query)).first() is not None

    async def forget_expired(self, now: int) -> None:
        """Delete the marks whose time is over."""
        await self._connection.execute(delete(former_people).where(former_people.c.until <= now))
