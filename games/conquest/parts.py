"""Joining the parts of a seat with two battalions into moves (R21)."""

from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

T = TypeVar("T")

MIN_LISTED_MOVES: Final = 200
"""Joint moves that are listed at least, where there are that many: all would be too many."""


def joined(first: Sequence[T], second: Sequence[T]) -> Iterator[tuple[T, T]]:
    """Joint moves of two battalions, in a stable order.

    All of them, or at least `MIN_LISTED_MOVES` such that every part of each battalion occurs: the
    pairs lie on a grid, and each walk along one of its diagonals meets every row and every column.
    """
    longer, shorter = max(len(first), len(second)), min(len(first), len(second))
    walks = min(shorter, -(-MIN_LISTED_MOVES // longer))
    for shift in range(walks):
        for i in range(longer):
            j = (i + shift) % shorter
            yield (first[i], second[j]) if longer == len(first) else (first[j], second[i])
