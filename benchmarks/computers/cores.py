"""Matches played side by side, each on one core: what comes of them is the same as in a row."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

Which = TypeVar("Which")
Played = TypeVar("Played")


def spread(play: Callable[[Which], Played], matches: Iterable[Which]) -> Iterator[Played]:
    """What comes of each match, called by its number or its deal, in their order.

    `play` must be picklable, and what comes of it may depend on that number or deal only.
    """
    # A library of linear algebra would take all cores for each of the processes.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        yield from pool.map(play, matches)
