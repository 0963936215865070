"""What all repositories have in common: the connection of their transaction, and what it changed.

Nothing outside this package sees a connection.
"""

import json
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy import ARRAY, BigInteger, any_, bindparam, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.connection import ShieldedConnection
from bot.storage.locks import Locks
from bot.storage.records import MatchId
from bot.storage.schema import matches


@dataclass(slots=True)
class Changes:
    """What one transaction has done that others are told once it is committed."""

    due_at: int | None = None
    """The earliest moment to act that was written, in seconds since 1970."""

    computers: set[MatchId] = field(default_factory=set)
    """The matches with computers that were read, which may owe a move now."""

    news: list[tuple[MatchId, str, str]] = field(default_factory=list)
    """What became of which match of which game, for the log and the metrics."""

    touched: set[MatchId] = field(default_factory=set)
    """The matches of which anything has changed that can be seen."""

    moved: set[MatchId] = field(default_factory=set)
    """The matches of which a message stands somewhere else now."""

    is_rehearsed: bool = False
    """Whether something was written only to see that it can be."""

    def touch(self, *numbers: MatchId) -> None:
        """Let the revision of these matches be raised, once, before the commit."""
        self.touched.update(numbers)

    def wake_at(self, due_at: int) -> None:
        self.due_at = due_at if self.due_at is None else min(self.due_at, due_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Committed:
    """What a transaction has done, told after its commit: where to look, and no truth.

    Where the connection broke during the commit, it may not have been done.
    """

    due_at: int | None = None
    """The earliest moment for the clock to act that was written, in seconds since 1970."""

    computers: frozenset[MatchId] = frozenset()
    """The matches with computers that the transaction was about: one may owe a move now."""

    changed: frozenset[MatchId] = frozenset()
    """The matches whose revision was raised."""

    moved: frozenset[MatchId] = frozenset()
    """The matches of which a message stands somewhere else now, so another may be one too many."""


Listener = Callable[[Committed], None]


class Repository:
    """Statements about the rows of one aggregate, all within one transaction."""

    def __init__(self, connection: ShieldedConnection, changes: Changes, locks: Locks) -> None:
        self._connection = connection
        self._changes = changes
        self._locks = locks

    async def _touch(self, *numbers: MatchId) -> None:
        """Let the revision of these matches be raised; nobody else can act on them from here on."""
        await self._locks.matches(*numbers)
        self._changes.touch(*numbers)


_RAISE: Final = update(matches).values(revision=matches.c.revision + 1)
# One statement for any number of matches, however many there are in a server.
_RAISED: Final = {
    "sqlite": _RAISE.where(text("id IN (SELECT value FROM json_each(:numbers))")),
    "postgresql": _RAISE.where(matches.c.id == any_(bindparam("numbers", type_=ARRAY(BigInteger)))),
}


async def raise_revisions(
    connection: AsyncConnection, locks: Locks, numbers: Collection[MatchId]
) -> None:
    """Count one more change of each of these matches."""
    if not numbers:
        return
    await locks.matches(*numbers)
    listed: object = sorted(numbers)
    if connection.dialect.name == "sqlite":
        listed = json.dumps(listed)
    await connection.execute(_RAISED[connection.dialect.name], {"numbers": listed})
