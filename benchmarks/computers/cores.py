"""Matches played side by side, each on one core: what comes of them is the same as in a row."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

Played = TypeVar("Played")


def spread(play: Callable[[int], Played], numbers: Iterable[int]) -> Iterator[Played]:
    """What comes of the match of each number, in their order.

    `play` must be picklable, and may depend on its number only.
    """
    # A library of linear algebra would take all cores for each of the processes.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        yield from pool.map(play, numbers)
