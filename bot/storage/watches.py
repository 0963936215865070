"""Who follows which match without playing in it."""

from collections.abc import Collection

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert as upsert

from bot.storage.records import MatchId
from bot.storage.repository import Repository
from bot.storage.schema import watches


class WatchRepository(Repository):
    async def add(self, match: MatchId, user: int) -> None:
        """Note that this person follows the match; nothing where that is noted."""
        await self._connection.execute(
            upsert(watches).values(match=match, user=user).on_conflict_do_nothing()
        )

    async def remove(self, match: MatchId, user: int) -> None:
        """Take that back; nothing where it was not noted."""
        await self._connection.execute(
            delete(watches).where(watches.c.match == match, watches.c.user == user)
        )

    async def count(self, user: int) -> int:
        """How many matches this person follows; they follow no other meanwhile."""
        await self._locks.ids(user)
        query = select(func.count()).select_from(watches).where(watches.c.user == user)
        return (await self._connection.execute(query)).scalar_one()

    async def watched(self, user: int, numbers: Collection[MatchId]) -> frozenset[MatchId]:
        """Those of these matches that this person follows."""
        query = select(watches.c.match).where(watches.c.user == user, watches.c.match.in_(numbers))
        found = (await self._connection.execute(query)).scalars()
        return frozenset(MatchId(number) for number in found)
