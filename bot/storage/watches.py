"""The matches that people follow without playing in them."""

from collections.abc import Collection
from typing import Final

from sqlalchemy import BigInteger, bindparam, delete, func, select
from sqlalchemy.dialects.postgresql import insert as upsert

from bot.storage.records import MatchId
from bot.storage.repository import Repository
from bot.storage.schema import watches

_OF_PERSON: Final = watches.c.user == bindparam("of_user")
_ADD: Final = upsert(watches).on_conflict_do_nothing()
_REMOVE: Final = delete(watches).where(watches.c.match == bindparam("of_match"), _OF_PERSON)
_COUNT: Final = select(func.count()).select_from(watches).where(_OF_PERSON)
_WATCHED: Final = select(watches.c.match).where(
    _OF_PERSON, watches.c.match.in_(bindparam("numbers", expanding=True, type_=BigInteger))
)


class WatchRepository(Repository):
    async def add(self, match: MatchId, user: int) -> None:
        """Have this person follow the match; does nothing if they do already."""
        await self._connection.execute(_ADD, {"match": match, "user": user})

    async def remove(self, match: MatchId, user: int) -> None:
        """Have this person follow the match no longer; does nothing if they don't."""
        await self._connection.execute(_REMOVE, {"of_match": match, "of_user": user})

    async def count(self, user: int) -> int:
        """How many matches this person follows; locks them, so that they follow no other."""
        await self._locks.ids(user)
        return (await self._connection.execute(_COUNT, {"of_user": user})).scalar_one()

    async def watched(self, user: int, numbers: Collection[MatchId]) -> frozenset[MatchId]:
        """Those of these matches that this person follows."""
        values = {"of_user": user, "numbers": list(numbers)}
        found = (await self._connection.execute(_WATCHED, values)).scalars()
        return frozenset(MatchId(number) for number in found)
