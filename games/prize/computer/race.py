"""What the prizes of two seats are worth: the race to all seven numbers.

The rest of a match is modeled as a race: its leader wins the next hand with a fixed probability,
and the winner takes the best tile of a typical loser's hand. Both are measured on playouts, so no
tables are stored. The model ignores that prizes can be played in a hand; the search of the current
hand makes up for that. It also ignores that more prizes decide between equally many numbers; the
last hand, which has no race after it, is judged by both.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from games.chance import Chance
from games.equilibrium import Floats
from games.prize.computer.fast_state import COVERS, TILES, FastState, Tiles
from games.prize.computer.playout import finished

_SAMPLE_HANDS: Final = 1500
_HORIZON_HANDS: Final = 60
"""Hands ahead beyond which more hands change nothing."""

_ALL_NUMBERS: Final = 127
_UNREACHABLE_HANDS: Final = 99.0

Worth = tuple[tuple[float, ...], ...]
"""The worth of a match by the numbers that two seats lack, each as a set of bits; see `worth`."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The results of a sample of playouts."""

    led: float
    """The share of hands that the leader won."""

    left: tuple[Tiles, ...]
    """The tiles that each loser held at the end."""


@cache
def playout_sample() -> Sample:
    chance = Chance("the race", 0)
    noise, won = 1, 0
    left = []
    for _ in range(_SAMPLE_HANDS):
        pool = chance.shuffled(range(len(TILES)))
        hands = [sum(1 << i for i in pool[:7]), sum(1 << i for i in pool[7:14])]
        winner, rest, noise = finished(FastState(hands, pool[14:]), noise)
        won += winner == 0
        left.append(rest)
    return Sample(won / _SAMPLE_HANDS, tuple(left))


@cache
def _steps() -> Floats:
    """The probability that winning a hand changes the numbers a row lacks: [before][after].

    A winner takes the tile that leaves the fewest hands to be won after this one.
    """
    left = playout_sample().left
    there = np.array([[rest >> i & 1 for i in range(len(TILES))] for rest in left], dtype=bool)
    wins = np.zeros(_ALL_NUMBERS + 1)
    steps = np.zeros((_ALL_NUMBERS + 1, _ALL_NUMBERS + 1))
    steps[0, 0] = 1
    for lack in sorted(range(1, _ALL_NUMBERS + 1), key=int.bit_count):
        after = np.array([lack & ~cover for cover in COVERS])
        needed = np.where(after == lack, _UNREACHABLE_HANDS, wins[after])
        best = np.where(there, needed, 2 * _UNREACHABLE_HANDS).argmin(axis=1)
        np.add.at(steps[lack], after[best], 1 / len(left))
        wins[lack] = (1 + steps[lack] @ wins) / (1 - steps[lack, lack])  # `wins[lack]` is still 0
    return steps


@cache
def _tables() -> tuple[Floats, ...]:
    """The worth of a match to the seat that doesn't lead, by the number of hands to come.

    Each table is [numbers that it lacks][numbers that the leader lacks].
    """
    led = playout_sample().led
    # Few sets can follow a set. A product of whole matrices would take longer, and numpy would
    # spread it over all cores, which other work needs.
    steps = [(row[row > 0], np.flatnonzero(row)) for row in _steps()]
    numbers = np.array([(_ALL_NUMBERS - lack).bit_count() for lack in range(_ALL_NUMBERS + 1)])
    tables = [np.sign(numbers[:, None] - numbers[None, :]).astype(np.float64)]
    for _ in range(_HORIZON_HANDS):
        won = np.array([chances @ tables[-1][after] for chances, after in steps])
        # The loser of a hand leads the next one, so the roles change when the leader wins.
        table = (1 - led) * won - led * won.T
        table[0, :], table[:, 0] = 1, -1
        tables.append(table)
    return tuple(tables)


def worth(hands: int) -> Worth:
    """P(win) - P(loss) of the seat that doesn't lead: [numbers it lacks][numbers the leader lacks].

    `hands` is the number of hands until the limit.
    """
    return _rows(min(hands, _HORIZON_HANDS))


@cache
def _rows(hands: int) -> Worth:
    """The table for this many hands to come, as tuples, which are quicker to read than arrays."""
    return tuple(tuple(row) for row in _tables()[hands].tolist())
