"""What all repositories share: their transaction's connection and locks, and what it changed.

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
    """What a transaction has done that listeners are told after its commit."""

    due_at: int | None = None
    """The earliest moment written at which the clock has to act (Unix time)."""

    computers: set[MatchId] = field(default_factory=set)
    """The matches read that have computers: one of them may owe a move now."""

    news: list[tuple[MatchId, str, str]] = field(default_factory=list)
    """Match, game and what became of it, for the log and the metrics."""

    touched: set[MatchId] = field(default_factory=set)
    """The matches of which anything visible has changed, so their revision is raised by one before
    the commit. All of them are locked."""

    moved: set[MatchId] = field(default_factory=set)
    """The matches with a message that is somewhere else now."""

    is_rehearsed: bool = False
    """Whether something was written only to check that it can be."""

    def wake_at(self, due_at: int) -> None:
        self.due_at = due_at if self.due_at is None else min(self.due_at, due_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Committed:
    """What a transaction has done, as told after its commit: where to look, not what is true.

    If the connection broke during the commit, it may not have been done.
    """

    due_at: int | None = None
    """The earliest moment written at which the clock has to act (Unix time)."""

    computers: frozenset[MatchId] = frozenset()
    """The matches read that have computers: one of them may owe a move now."""

    changed: frozenset[MatchId] = frozenset()
    """The matches whose revision was raised."""

    moved: frozenset[MatchId] = frozenset()
    """The matches with a message that is somewhere else now, so an older message may have to go."""


Listener = Callable[[Committed], None]


class Repository:
    """The statements about one aggregate, all within one transaction."""

    def __init__(self, connection: ShieldedConnection, changes: Changes, locks: Locks) -> None:
        self._connection = connection
        self._changes = changes
        self._locks = locks

    async def _touch(self, *numbers: MatchId) -> None:
        """Lock these matches, and have their revision raised before the commit."""
        await self._locks.matches(*numbers)
        self._changes.touched.update(numbers)


_RAISE: Final = update(matches).values(revision=matches.c.revision + 1)
# The list is one parameter, because a server may have more matches than a statement takes
# parameters.
_RAISED: Final = {
    "sqlite": _RAISE.where(text("id IN (SELECT value FROM json_each(:numbers))")),
    "postgresql": _RAISE.where(matches.c.id == any_(bindparam("numbers", type_=ARRAY(BigInteger)))),
}


async def raise_revisions(connection: AsyncConnection, numbers: Collection[MatchId]) -> None:
    """Add 1 to the revision of each of these matches."""
    if not numbers:
        return
    listed: object = sorted(numbers)
    if connection.dialect.name == "sqlite":
        listed = json.dumps(listed)
    await connection.execute(_RAISED[connection.dialect.name], {"numbers": listed})
