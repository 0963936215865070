"""The locks that a transaction holds until it ends, for databases with several writers at once.

SQLite allows one writing transaction at a time, so nothing is locked there, and no statement is
sent. On PostgreSQL each statement sees what was committed before it. So a transaction that reads in
order to write first locks what it reads. All lock in this order, so that no two wait for each
other: matches by number, then people and servers by id, then results, then the rows of messages by
match and place. A transaction that notes what many messages show locks only their rows.
"""

from collections.abc import Iterable
from typing import Final
from zlib import crc32

from sqlalchemy import (
    ARRAY,
    BigInteger,
    ColumnElement,
    Integer,
    any_,
    bindparam,
    literal,
    select,
    text,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import MatchId
from bot.storage.schema import matches, places

_RESULTS: Final = 1
"""The class of advisory locks on the results of one game in one server. Locks on people and servers
have no class: their key is a Discord id, which is unique."""

# NO KEY UPDATE: a match's key never changes, so rows that refer to it need not wait for the lock.
_MATCHES: Final = (
    select(matches.c.id)
    .where(matches.c.id == any_(bindparam("numbers", type_=ARRAY(BigInteger))))
    .order_by(matches.c.id)
    .with_for_update(key_share=True)
)
# Locks in the order of the array: a function in FROM returns its rows one after another.
_IDS: Final = text("SELECT count(pg_advisory_xact_lock(id)) FROM unnest(:ids) AS id").bindparams(
    bindparam("ids", type_=ARRAY(BigInteger))
)
# A rollback to a savepoint releases the locks taken after it.
_SAVEPOINT: Final = text("SAVEPOINT before_locks")
_RELEASE: Final = text("ROLLBACK TO SAVEPOINT before_locks")
_RESULTS_OF: Final = text("SELECT pg_advisory_xact_lock(:kind, :key)").bindparams(
    bindparam("kind", type_=Integer), bindparam("key", type_=Integer)
)


class Locks:
    """The locks of one transaction; none is requested twice."""

    def __init__(self, connection: AsyncConnection, *, writing: bool) -> None:
        self._connection = connection
        self._needed = writing and connection.dialect.name == "postgresql"
        self._held: set[tuple[str, int]] = set()

    async def matches(self, *numbers: MatchId) -> None:
        """Lock these matches, so that nobody else acts on them; missing ones are ignored."""
        if missing := self._missing("match", numbers):
            await self._connection.execute(_MATCHES, {"numbers": missing})

    async def matching(self, condition: ColumnElement[bool]) -> ColumnElement[bool]:
        """Lock all matches that meet this condition now; returns a condition that only they meet.

        A statement that repeated the original condition would also find a match that has met it
        since, and wait for its lock.
        """
        if not self._needed:
            return condition
        numbers = await self._lock(condition)
        return matches.c.id == any_(literal(sorted(numbers), ARRAY(BigInteger)))

    async def all_of(self, condition: ColumnElement[bool], *ids: int) -> None:
        """Lock all matches that meet this condition, and then the people or servers that have them.

        No other match meets it until the transaction ends. A match may begin after the others are
        locked and before its people are. Waiting for it at that point would break the order of
        locks, so everything locked here is released, and locked again.
        """
        while self._needed:
            await self._connection.execute(_SAVEPOINT)
            held = await self._lock(condition)
            await self._lock_ids(sorted(ids))
            now = await self._connection.execute(select(matches.c.id).where(condition))
            if held.issuperset(now.scalars()):
                self._held |= {("match", number) for number in held} | {("id", i) for i in ids}
                return
            await self._connection.execute(_RELEASE)

    async def ids(self, *ids: int) -> None:
        """Lock these people or servers: what they have chosen or opened changes only here."""
        if missing := self._missing("id", ids):
            await self._lock_ids(missing)

    async def results(self, *pairs: tuple[int, str]) -> None:
        """Lock the results of these pairs of server and game: no other match of theirs can end."""
        # PostgreSQL's 32-bit integers are signed.
        keys = [crc32(f"{guild}:{game}".encode()) - 2**31 for guild, game in pairs]
        for key in self._missing("results", keys):
            await self._connection.execute(_RESULTS_OF, {"kind": _RESULTS, "key": key})

    async def messages(self, condition: ColumnElement[bool]) -> None:
        """Lock the rows of these messages, before several are changed or deleted."""
        if self._needed:
            query = select(places.c.match).where(condition).order_by(*places.primary_key.columns)
            await self._connection.execute(query.with_for_update())

    async def _lock(self, condition: ColumnElement[bool]) -> set[int]:
        query = select(matches.c.id).where(condition).order_by(matches.c.id)
        rows = await self._connection.execute(query.with_for_update(key_share=True))
        return set(rows.scalars())

    async def _lock_ids(self, ids: list[int]) -> None:
        await self._connection.execute(_IDS, {"ids": ids})

    def _missing(self, kind: str, wanted: Iterable[int]) -> list[int]:
        """The numbers not locked yet, in order; they are recorded as held."""
        if not self._needed:
            return []
        missing = {(kind, number) for number in wanted} - self._held
        self._held |= missing
        return sorted(number for _, number in missing)
