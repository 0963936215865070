"""Limits a statement to some of the bot's servers: those of some shards, or listed ones."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, Integer, and_, bindparam, func, literal

MAX_SHARDS_REMEMBERED: Final = 4
"""How many sets of shards have cached statements: a process's set changes in an outage of
servers."""


@dataclass(frozen=True, slots=True)
class Shards:
    """Some of the shards among which Discord divides the bot's servers."""

    numbers: frozenset[int]
    count: int
    """The total number of shards, by which Discord computes a server's shard."""

    away: frozenset[int] = frozenset()
    """Servers that are left out, because of an outage at Discord."""

    def has(self, guild: ColumnElement[int | None]) -> ColumnElement[bool]:
        """Whether a server is in one of these shards; NULL is in shard 0.

        Discord sends direct messages, where solo matches are played, over shard 0.
        """
        number = func.coalesce(guild, 0)
        # PostgreSQL shifts only by a 32-bit integer.
        here = (number.bitwise_rshift(literal(22, Integer)) % self.count).in_(self.numbers)
        return and_(here, ~one_of(number, self.away)) if self.away else here

    def has_guild(self, guild: int | None) -> bool:
        """`has` for a known server; None is in shard 0."""
        here = ((guild or 0) >> 22) % self.count in self.numbers
        return here and (guild or 0) not in self.away


@dataclass(frozen=True, slots=True)
class Servers:
    """Some servers, in any shards."""

    numbers: frozenset[int]

    def has(self, guild: ColumnElement[int | None]) -> ColumnElement[bool]:
        return one_of(guild, self.numbers)


def one_of(number: ColumnElement[Any], numbers: Collection[int]) -> ColumnElement[bool]:
    """Whether a number is in a list that may be longer than a statement's limit of parameters."""
    return number.in_(bindparam(None, sorted(numbers), expanding=True, literal_execute=True))
