"""What the prizes of two seats are worth: the race to all seven numbers.

Between hands a match is taken to be a race: the next hand is won by its leader with a fixed chance,
and its winner takes the best tile of a hand as losers are left with. Both are measured on hands
played ahead, so no table of figures is kept. That played prizes and hands depend on each other is
left out; the search of the hand itself makes up for it. So is that more prizes decide between
equally many numbers; the last hand itself, with no race after it, is judged by both.
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
"""Hands ahead after which nothing changes any more."""

_ALL_NUMBERS: Final = 127
_UNREACHABLE_HANDS: Final = 99.0

Worth = tuple[tuple[float, ...], ...]
"""What a match is worth by what two seats lack, each as a set of bits."""


@dataclass(frozen=True, slots=True)
class Sample:
    """How hands came out that were played ahead."""

    led: float
    """The part of them won by the seat that led."""

    left: tuple[Tiles, ...]
    """What each loser held at the end."""


@cache
def sample() -> Sample:
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
    """The chance that a won hand changes what a row lacks from one set to another.

    A winner takes what leaves the fewest hands to be won after this one.
    """
    left = sample().left
    there = np.array([[rest >> i & 1 for i in range(len(TILES))] for rest in left], dtype=bool)
    wins = np.zeros(_ALL_NUMBERS + 1)
    steps = np.zeros((_ALL_NUMBERS + 1, _ALL_NUMBERS + 1))
    steps[0, 0] = 1
    for lack in sorted(range(1, _ALL_NUMBERS + 1), key=int.bit_count):
        after = np.array([lack & ~cover for cover in COVERS])
        needed = np.where(after == lack, _UNREACHABLE_HANDS, wins[after])
        best = np.where(there, needed, 2 * _UNREACHABLE_HANDS).argmin(axis=1)
        np.add.at(steps[lack], after[best], 1 / len(left))
        wins[lack] = (1 + steps[lack] @ wins) / (1 - steps[lack, lack])  # its own is still 0
    return steps


@cache
def _tables() -> tuple[Floats, ...]:
    """The worth of a match to the seat that does not lead, for each number of hands to come."""
    led = sample().led
    # Few sets can follow a set. One product of whole matrices would take longer, and numpy would
    # spread it over all cores, where others are at work.
    steps = [(row[row > 0], np.flatnonzero(row)) for row in _steps()]
    numbers = np.array([(_ALL_NUMBERS - lack).bit_count() for lack in range(_ALL_NUMBERS + 1)])
    tables = [np.sign(numbers[:, None] - numbers[None, :]).astype(np.float64)]
    for _ in range(_HORIZON_HANDS):
        won = np.array([chances @ tables[-1][after] for chances, after in steps])
        # The loser of a hand leads the next, so a leader that wins is in the other place then.
        table = (1 - led) * won - led * won.T
        table[0, :], table[:, 0] = 1, -1
        tables.append(table)
    return tuple(tables)


def worth(hands: int) -> Worth:
    """P(win) - P(loss) of the seat that does not lead, by what it and what the leader lack.

    `hands` is the most that can still be played.
    """
    return _rows(min(hands, _HORIZON_HANDS))


@cache
def _rows(hands: int) -> Worth:
    """The table of so many hands to come, which plain tuples make quicker to read."""
    return tuple(tuple(row) for row in _tables()[hands].tolist())
