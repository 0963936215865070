"""Who has asked whom to play, by a challenge or for a rematch: kept for as long as it limits them.

The seat of somebody who was asked may be given up, and the match may begin without them or end: the
question has reached them in any case.
"""

from collections.abc import Collection
from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Table,
    and_,
    bindparam,
    delete,
    distinct,
    exists,
    func,
    or_,
    select,
    tuple_,
    update,
)
from sqlalchemy.dialects.postgresql import insert as upsert

from bot.storage.records import COMPUTER, TABLE, MatchId
from bot.storage.repository import Repository
from bot.storage.schema import NUMBER, metadata, places

asks = Table(
    "asks",
    metadata,
    Column("match", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("actor", BigInteger, primary_key=True, autoincrement=False),  # who asked
    Column("user", BigInteger, primary_key=True, autoincrement=False),  # who was asked
    Column("asked_at", NUMBER, nullable=False),
    Column("declined", Boolean, nullable=False),  # who accepts and plays has no row
    sqlite_with_rowid=False,
)
Index("ix_asks_actor", asks.c.actor)
Index("ix_asks_user", asks.c.user)
Index("ix_asks_asked_at", asks.c.asked_at)

_USERS: Final = bindparam("users", type_=BigInteger, expanding=True)
_NOTED: Final = upsert(asks).values(
    match=bindparam("of_match"),
    actor=bindparam("new_actor", type_=BigInteger),
    user=bindparam("new_user", type_=BigInteger),
    asked_at=bindparam("new_asked_at", type_=asks.c.asked_at.type),
    declined=False,
)
# Again for a rematch of one match, where that was resumed meanwhile.
_NOTE: Final = _NOTED.on_conflict_do_update(
    index_elements=["match", "actor", "user"], set_={"asked_at": _NOTED.excluded.asked_at}
)
_OF_MATCH: Final = asks.c.match == bindparam("of_match")
_DECLINE: Final = (
    update(asks).where(_OF_MATCH, asks.c.user == bindparam("of_user")).values(declined=True)
)
_ACCEPT: Final = delete(asks).where(_OF_MATCH, asks.c.user.in_(_USERS))

_BY: Final = asks.c.actor == bindparam("of_actor")
_HAS_REACHED: Final = and_(
    asks.c.asked_at > bindparam("since"),
    # A time to come is from before the clock was set back: it says nothing.
    asks.c.asked_at <= bindparam("until"),
    exists().where(places.c.match == asks.c.match, places.c.place == TABLE),
)
_TO_EACH: Final = (
    select(asks.c.user, func.count().label("times"))
    .where(_HAS_REACHED, asks.c.user.in_(_USERS), or_(_BY, asks.c.actor < COMPUTER))
    .group_by(asks.c.user)
)
_IN_ALL: Final = select(func.count(distinct(asks.c.match))).where(
    _HAS_REACHED, _BY, ~asks.c.declined
)

_IS_OUTSIDE: Final = or_(
    asks.c.asked_at <= bindparam("since"), asks.c.asked_at > bindparam("until")
)
_ANY_OUTSIDE: Final = select(asks.c.match).where(_IS_OUTSIDE).limit(1)
_KEY: Final = tuple_(*asks.primary_key.columns)
# What somebody else is just deleting is gone without us.
_FORGET: Final = delete(asks).where(
    _KEY.in_(select(*asks.primary_key.columns).where(_IS_OUTSIDE).with_for_update(skip_locked=True))
)


class AskRepository(Repository):
    async def note(self, match: MatchId, actor: int, users: Collection[int], now: int) -> None:
        """Note that these people are asked to play, by this challenge or again after this match."""
        await self._locks.matches(match)
        values = {"of_match": match, "new_actor": actor, "new_asked_at": now}
        for user in users:
            self._connection.later(_NOTE, {**values, "new_user": user}, about=match)

    async def decline(self, match: MatchId, user: int) -> None:
        """Note that this person has answered no."""
        await self._locks.matches(match)
        await self._connection.execute(_DECLINE, {"of_match": match, "of_user": user})

    async def accept(self, match: MatchId, users: Collection[int]) -> None:
        """Forget that these people were asked: they play, or play again."""
        await self._locks.matches(match)
        await self._connection.execute(_ACCEPT, {"of_match": match, "users": list(users)})

    async def unanswered(
        self, actor: int, others: Collection[int], since: int, until: int
    ) -> tuple[dict[int, int], int]:
        """How often between then nobody accepted: each of these people, and anybody in all.

        To one person those count too who were deleted since they asked. In all, a refusal is an
        answer. What never stood at a table reached nobody.
        """
        values = {"of_actor": actor, "since": since, "until": until}
        rows = await self._connection.execute(_TO_EACH, {**values, "users": list(others)})
        each = {row.user: row.times for row in rows}
        return each, (await self._connection.execute(_IN_ALL, values)).scalar_one()

    async def any_outside(self, since: int, until: int) -> bool:
        """Whether anybody asked at another time than between these moments."""
        values = {"since": since, "until": until}
        return (await self._connection.execute(_ANY_OUTSIDE, values)).first() is not None

    async def forget_outside(self, since: int, until: int) -> None:
        """Forget who asked at another time than between these moments."""
        await self._connection.execute(_FORGET, {"since": since, "until": until})
