"""Reproducible randomness: the same seed and step give the same draws on every machine."""

from collections.abc import Sequence
from random import Random  # noqa: TID251 - the only place where it's allowed: seeded, reproducible
from typing import TypeVar

T = TypeVar("T")


class Chance:
    """The random draws of one step of one match.

    `seed` is 64 hexadecimal digits, secret until the match is over; `step` is 0 for the deal and n
    for the n-th `play`. An instance is created whenever one is needed, and never stored.

    All draws are made with `Random.random()`: for a given seed, Python guarantees its sequence in
    all versions, which it doesn't for `shuffle`, `choice` or `randrange`.
    """

    __slots__ = ("_random", "_source")

    def __init__(self, seed: str, step: int) -> None:
        self._source = f"{seed}:{step}"
        self._random: Random | None = None  # seeding costs more than most steps do, and few draw

    def fraction(self) -> float:
        """A number drawn uniformly from 0 (included) to 1 (excluded)."""
        if self._random is None:
            self._random = Random(self._source)
        return self._random.random()

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1, each equally likely; ValueError if `n` is below 1."""
        if n < 1:
            raise ValueError(f"Chance can draw below 1 or more, not below {n}.")
        return int(self.fraction() * n)

    def pick(self, items: Sequence[T]) -> T:
        """One of the items, each equally likely; ValueError if there are none."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """The items in random order, all orders equally likely (Fisher-Yates)."""
        rest = list(items)
        for i in range(len(rest) - 1, 0, -1):
            j = self.below(i + 1)
            rest[i], rest[j] = rest[j], rest[i]
        return tuple(rest)
