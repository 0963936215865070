"""Plays matches of two players who choose simultaneously, in games whose positions can be solved.

Every deal is played twice, with the seats exchanged; both matches are one sample. Besides the
actual result there is a luck-adjusted one: the value of the deal, plus the average change of the
value by the two mixes in each trick. It has the same mean and less variance. Deals are played on
all cores at once.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import numpy as np

from benchmarks.computers.cores import spread
from games.chance import Chance
from games.computer import mean_and_error
from games.core import Game, Seat
from games.equilibrium import Floats, draw

OptionsT = TypeVar("OptionsT")

Mix = Callable[[Any, Seat], Floats]
"""The probability of each legal move of a player in a view; picklable, like `Known`."""

Known = Callable[[Any], tuple[float, Floats]]
"""The value of a position to seat 0, and the matrix of its values after each pair of moves."""


@dataclass(frozen=True)
class Margin:
    """P(win) - P(loss) of the first player in each deal, as played and luck-adjusted."""

    plain: Sequence[float]
    without_luck: Sequence[float]

    def __str__(self) -> str:
        return f"{self.gain()} ({sample(self.plain)} not adjusted for luck)"

    def gain(self) -> str:
        return sample(self.without_luck)


def sample(numbers: Sequence[float]) -> str:
    """The mean and standard error of numbers, as text."""
    mean, error = mean_and_error(numbers)
    return f"{mean:+.3f} +- {error:.3f}"


def margins(
    game: Game[Any, Any, Any, OptionsT],
    options: OptionsT,
    pairs: Sequence[tuple[Mix, Mix]],
    known: Known,
    deals: Sequence[str],
) -> list[Margin]:
    """The margin of each pair. All pairs play a deal together, so its positions are solved once."""
    played = spread(partial(_play_deal, game, options, pairs, known), deals)
    return [Margin(*zip(*of_pair, strict=True)) for of_pair in zip(*played, strict=True)]


def _play_deal(
    game: Game[Any, Any, Any, OptionsT],
    options: OptionsT,
    pairs: Sequence[tuple[Mix, Mix]],
    known: Known,
    deal: str,
) -> list[tuple[float, float]]:
    """The margin of each pair's first player, the average of both seatings."""
    found = []
    for players in pairs:
        both = [_match(game, options, players, known, f"{deal} {first}") for first in (0, 1)]
        found.append(((both[0][0] + both[1][0]) / 2, (both[0][1] + both[1][1]) / 2))
    return found


def _match(
    game: Game[Any, Any, Any, OptionsT],
    options: OptionsT,
    players: tuple[Mix, Mix],
    known: Known,
    name: str,
) -> tuple[float, float]:
    """The first player's result, and the luck-adjusted one; `name` is "<deal> <its seat>"."""
    deal, first = name.rsplit(" ", 1)
    sits = players if first == "0" else players[::-1]
    state, step = game.setup(options, 2, Chance(_seed(deal), 0)), 0
    expected = known(game.observe(state, None))[0]
    while game.awaiting(state):
        step += 1
        view = game.observe(state, None)
        worth, payoffs = known(view)
        mixes = [sits[seat](view, Seat(seat)) for seat in range(2)]
        expected += float(mixes[0] @ payoffs @ mixes[1]) - worth
        mind = Chance(_seed(f"{name} minds"), step)
        moves = {
            Seat(seat): game.legal_moves(state, Seat(seat))[draw(mixes[seat], mind)]
            for seat in range(2)
        }
        state = game.play(state, moves, mind)
    outcome = game.outcome(state)
    assert outcome is not None
    side = 1 if first == "0" else -1
    return side * float(np.sign(outcome.ranks[1] - outcome.ranks[0])), side * expected


def _seed(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
