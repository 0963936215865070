"""What one transaction keeps others from until it ends, where several can write at once.

SQLite lets one transaction write at a time, so nothing has to be locked there, and nothing is sent.
On PostgreSQL each statement sees what was committed before it. So whoever reads in order to write
first takes the lock of what they read, in this order, which keeps two from waiting for each other:
matches by number, then people and servers by id, then results, then the rows of messages by match
and place. Who notes what many messages show holds nothing but those.
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
"""The class of advisory locks on the results of one game in one server. Those on people and servers
have no class: the key is the id, which Discord gives once."""

# No key of a match is ever changed, so rows that refer to it need not wait for whoever holds it.
_MATCHES: Final = (
    select(matches.c.id)
    .where(matches.c.id == any_(bindparam("numbers", type_=ARRAY(BigInteger))))
    .order_by(matches.c.id)
    .with_for_update(key_share=True)
)
# In the order of the array: a function in FROM gives its rows one after another.
_IDS: Final = text("SELECT count(pg_advisory_xact_lock(id)) FROM unnest(:ids) AS id").bindparams(
    bindparam("ids", type_=ARRAY(BigInteger))
)
# What is locked after a savepoint is let go where the transaction goes back to it.
_SAVE: Final = text("SAVEPOINT before_locks")
_LET_GO: Final = text("ROLLBACK TO SAVEPOINT before_locks")
_RESULTS_OF: Final = text("SELECT pg_advisory_xact_lock(:kind, :key)").bindparams(
    bindparam("kind", type_=Integer), bindparam("key", type_=Integer)
)


class Locks:
    """The locks of one transaction; nothing is asked for twice."""

    def __init__(self, connection: AsyncConnection, *, writing: bool) -> None:
        self._connection = connection
        self._needed = writing and connection.dialect.name == "postgresql"
        self._held: set[tuple[str, int]] = set()

    async def matches(self, *numbers: MatchId) -> None:
        """Let nobody else act on these matches; those that are not there are left out."""
        if missing := self._missing("match", numbers):
            await self._connection.execute(_MATCHES, {"numbers": missing})

    async def matching(self, condition: ColumnElement[bool]) -> ColumnElement[bool]:
        """The same for all matches of which this is true now.

        What is returned is true of these alone. A statement that asked for the condition once more
        would also find a match of which it became true meanwhile, and wait for whoever holds that.
        """
        if not self._needed:
            return condition
        found = await self._lock(condition)
        return matches.c.id == any_(literal(sorted(found), ARRAY(BigInteger)))

    async def all_of(self, condition: ColumnElement[bool], *ids: int) -> None:
        """The same with these people, whose matches they are: none is added until the end.

        A match may begin after the others are locked and before its people are. To wait for it then
        would be out of order, so what was locked here is let go, and locked anew.
        """
        while self._needed:
            await self._connection.execute(_SAVE)
            held = await self._lock(condition)
            await self._lock_ids(sorted(ids))
            now = await self._connection.execute(select(matches.c.id).where(condition))
            if held.issuperset(now.scalars()):
                self._held |= {("match", number) for number in held} | {("id", i) for i in ids}
                return
            await self._connection.execute(_LET_GO)

    async def ids(self, *ids: int) -> None:
        """Let nothing that these people or servers have chosen or under way change, but here."""
        if missing := self._missing("id", ids):
            await self._lock_ids(missing)

    async def results(self, *those: tuple[int, str]) -> None:
        """Let no other match of these games end in these servers; of pairs of a server and game."""
        # PostgreSQL's numbers of 32 bits are signed.
        keys = [crc32(f"{guild}:{game}".encode()) - 2**31 for guild, game in those]
        for key in self._missing("results", keys):
            await self._connection.execute(_RESULTS_OF, {"kind": _RESULTS, "key": key})

    async def messages(self, condition: ColumnElement[bool]) -> None:
        """Let nobody note what these messages show, while several are changed or deleted."""
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
        """Those that are still to be locked, in order; they are noted as held."""
        if not self._needed:
            return []
        missing = {(kind, number) for number in wanted} - self._held
        self._held |= missing
        return sorted(number for _, number in missing)
