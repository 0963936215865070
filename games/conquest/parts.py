"""Joins the parts of a seat's two battalions into moves (R21)."""

from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

T = TypeVar("T")

MIN_LISTED_MOVES: Final = 200
"""The least number of joint moves to list, if there are that many; all would be too many."""


def joined(first: Sequence[T], second: Sequence[T]) -> Iterator[tuple[T, T]]:
    """Yield joint moves of two battalions, in a stable order.

    These are all of them, or at least `MIN_LISTED_MOVES` in which every part of each battalion
    occurs. The pairs form a grid, and a walk along a diagonal visits every row and every column.
    """
    longer, shorter = max(len(first), len(second)), min(len(first), len(second))
    walks = min(shorter, -(-MIN_LISTED_MOVES // longer))
    for shift in range(walks):
        for i in range(longer):
            j = (i + shift) % shorter
            yield (first[i], second[j]) if longer == len(first) else (first[j], second[i])
