"""Who has asked a person to play, by a challenge or a rematch; kept while it limits further asks.

A row stays when the seat of the person who was asked is given up, and when the match begins without
them or ends: they have been notified in any case.
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
    Column("declined", Boolean, nullable=False),  # the row of a person who accepts is deleted
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
# The row exists if a rematch of the same match was asked for before it was resumed.
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
    # A time in the future was written before the clock was set back, so it means nothing.
    asks.c.asked_at <= bindparam("until"),
    exists().where(places.c.match == asks.c.match, places.c.place == TABLE),
)
_TO_EACH: Final = (
    select(asks.c.user, func.count().label("times"))
    .where(_HAS_REACHED, asks.c.user.in_(_USERS), or_(_BY, asks.c.actor < COMPUTER))
    .group_by(asks.c.user)
)
_IN_ALL: Final = select(func.count(distinct(asks.c.match))).where(_HAS_REACHED, ~asks.c.declined)
_IN_ALL_BY: Final = _IN_ALL.where(_BY)
_IN_ALL_BY_DELETED: Final = _IN_ALL.where(asks.c.actor < COMPUTER)

_IS_OUTSIDE: Final = or_(
    asks.c.asked_at <= bindparam("since"), asks.c.asked_at > bindparam("until")
)
_ANY_OUTSIDE: Final = select(asks.c.match).where(_IS_OUTSIDE).limit(1)
_KEY: Final = tuple_(*asks.primary_key.columns)
# Rows that another transaction is deleting need no wait.
_FORGET: Final = delete(asks).where(
    _KEY.in_(select(*asks.primary_key.columns).where(_IS_OUTSIDE).with_for_update(skip_locked=True))
)


class AskRepository(Repository):
    async def note(self, match: MatchId, actor: int, users: Collection[int], now: int) -> None:
        """Record that `actor` asks these people to play, by this challenge or for its rematch."""
        await self._locks.matches(match)
        values = {"of_match": match, "new_actor": actor, "new_asked_at": now}
        for user in users:
            self._connection.later(_NOTE, {**values, "new_user": user}, about=match)

    async def decline(self, match: MatchId, user: int) -> None:
        """Record that this person has declined what they were asked in this match."""
        await self._locks.matches(match)
        await self._connection.execute(_DECLINE, {"of_match": match, "of_user": user})

    async def accept(self, match: MatchId, users: Collection[int]) -> None:
        """Delete the asks of this match to these people: they play, or play again."""
        await self._locks.matches(match)
        await self._connection.execute(_ACCEPT, {"of_match": match, "users": list(users)})

    async def unanswered(
        self, actor: int, others: Collection[int], since: int, until: int, *, deleted_at: int | None
    ) -> tuple[dict[int, int], int]:
        """How many asks of `actor` between two moments (Unix time) nobody accepted.

        Returns the number for each of `others` by id (none: missing), and the number of matches in
        all. Both include asks by people who were deleted since, who may have been `actor`: the
        second only those until `deleted_at`, when `actor` was last deleted. The second leaves out
        asks that were declined. An ask whose table was never posted reached nobody and isn't
        counted.
        """
        values = {"of_actor": actor, "since": since, "until": until}
        rows = await self._connection.execute(_TO_EACH, {**values, "users": list(others)})
        each = {row.user: row.times for row in rows}
        in_all: int = (await self._connection.execute(_IN_ALL_BY, values)).scalar_one()
        if deleted_at is not None and deleted_at > since:
            values["until"] = min(until, deleted_at)
            in_all += (await self._connection.execute(_IN_ALL_BY_DELETED, values)).scalar_one()
        return each, in_all

    async def any_outside(self, since: int, until: int) -> bool:
        """Whether there are asks from before `since` or after `until` (Unix times)."""
        values = {"since": since, "until": until}
        return (await self._connection.execute(_ANY_OUTSIDE, values)).first() is not None

    async def forget_outside(self, since: int, until: int) -> None:
        """Delete asks from before `since` or after `until` (Unix times)."""
        await self._connection.execute(_FORGET, {"since": since, "until": until})
