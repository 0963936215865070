"""Randomness that can be replayed: the same seed and step give the same draws on every machine."""

from collections.abc import Sequence
from random import Random  # noqa: TID251 - the one place where it is allowed, seeded and replayable
from typing import TypeVar

T = TypeVar("T")


class Chance:
    """The draws of one step of one match.

    `seed` is 64 hexadecimal digits that stay secret until the match is over; `step` is 0 for the
    deal and n for the n-th `play`. It is derived again each time and never stored.

    Only `Random.random()` is used under it: Python promises its sequence for a seed between
    versions, and promises nothing of the kind for `shuffle`, `choice` or `randrange`.
    """

    __slots__ = ("_random", "_source")

    def __init__(self, seed: str, step: int) -> None:
        self._source = f"{seed}:{step}"
        self._random: Random | None = None  # seeding costs more than most steps, and few draw

    def fraction(self) -> float:
        """A number from 0 up to 1, all equally likely."""
        if self._random is None:
            self._random = Random(self._source)
        return self._random.random()

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1, each equally likely; `n` is at least 1."""
        if n < 1:
            raise ValueError(f"Chance can draw below 1 or more, not below {n}.")
        return int(self.fraction() * n)

    def pick(self, items: Sequence[T]) -> T:
        """One of the items, each equally likely; there must be at least one."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """The items in an order drawn at random, all orders equally likely (Fisher-Yates)."""
        rest = list(items)
        for i in range(len(rest) - 1, 0, -1):
            j = self.below(i + 1)
            rest[i], rest[j] = rest[j], rest[i]
        return tuple(rest)
