"""Plays matches in parallel, one per core; the results are the same as one after another."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

Which = TypeVar("Which")
Played = TypeVar("Played")


def spread(play: Callable[[Which], Played], matches: Iterable[Which]) -> Iterator[Played]:
    """The results of `play` for each match, in order; a match is named by its number or deal.

    `play` must be picklable, and its result must depend on that name only.
    """
    # Otherwise NumPy's linear algebra would use all cores in each process.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        yield from pool.map(play, matches)
