"""Which of the bot's servers a statement is about: those of some shards, or some by number."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, Integer, and_, bindparam, func, literal

MAX_SHARDS_REMEMBERED: Final = 4
"""Of which the statements are kept: those of a process change when a server has an outage."""


@dataclass(frozen=True, slots=True)
class Shards:
    """Some of the shards that Discord has divided the bot's servers among."""

    numbers: frozenset[int]
    count: int
    """How many there are in all; Discord finds a server's by the number of them."""

    away: frozenset[int] = frozenset()
    """Servers that are left out, because an outage of Discord's keeps everybody from them."""

    def has(self, guild: ColumnElement[int | None]) -> ColumnElement[bool]:
        """Whether a server is of one of these shards; no server is of the first, as messages are.

        Discord sends what happens in direct messages by the first shard.
        """
        number = func.coalesce(guild, 0)
        # PostgreSQL shifts by a number of 32 bits only.
        here = (number.bitwise_rshift(literal(22, Integer)) % self.count).in_(self.numbers)
        return and_(here, ~one_of(number, self.away)) if self.away else here

    def hold(self, guild: int | None) -> bool:
        """The same of a server that is known."""
        here = ((guild or 0) >> 22) % self.count in self.numbers
        return here and (guild or 0) not in self.away


@dataclass(frozen=True, slots=True)
class Servers:
    """Some servers, wherever they are."""

    numbers: frozenset[int]

    def has(self, guild: ColumnElement[int | None]) -> ColumnElement[bool]:
        return one_of(guild, self.numbers)


def one_of(number: ColumnElement[Any], numbers: Collection[int]) -> ColumnElement[bool]:
    """Whether a number is one of these, which may be more than a statement takes parameters."""
    return number.in_(bindparam(None, sorted(numbers), expanding=True, literal_execute=True))
