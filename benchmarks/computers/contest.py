"""Matches of two players of a game for two, counted: what the figures of a level rest on.

Every deal is played twice, with the seats exchanged, so that neither luck of the deal nor the lead
favors anybody. A draw counts half. Seconds are those of the processor.
"""

import argparse
import math
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from games import AnyGame
from games.chance import Chance
from games.computer import Level
from games.computers import AnyComputer
from games.core import Seat

Player = Callable[[Any, Seat, Chance], Any]
"""A move for a view, a seat and a chance."""


@dataclass(kw_only=True)
class Count:
    """What came of a contest for its first player."""

    title: str
    seed: str
    results: list[float] = field(default_factory=list)
    choices: int = 0
    seconds: float = 0.0
    slowest: float = 0.0

    def __str__(self) -> str:
        share, error = self.share
        return (
            f"{self.title:34}{share:7.1%} +- {error:.1%} of {len(self.results)} matches"
            f" (seed {self.seed!r}); {self.seconds / max(1, self.choices):.3f} s a choice,"
            f" at most {self.slowest:.2f} s"
        )

    @property
    def share(self) -> tuple[float, float]:
        """The part of the matches won, a draw counted half, and its standard error."""
        number = len(self.results)
        mean = sum(self.results) / number
        spread = sum((result - mean) ** 2 for result in self.results)
        return mean, math.sqrt(spread / max(1, number - 1) / number)


def player(computer: AnyComputer, level: Level) -> Player:
    return lambda view, seat, chance: computer.choose(view, seat, level, chance)


def compare(
    game: AnyGame, computer: AnyComputer, yardstick: Player, arguments: Sequence[str]
) -> None:
    """Print how the levels of a computer do against a yardstick and against each other."""
    parser = argparse.ArgumentParser(description=f"How well the computer plays {game.title}.")
    parser.add_argument("--matches", type=int, default=400, help="of the strongest level")
    parser.add_argument("--fewer", type=int, default=200, help="of all other pairs")
    parser.add_argument("--seed", default="figures")
    asked = parser.parse_args(arguments)
    strongest = computer.levels[-1]
    pairs = [(f"{strongest.key} against greedy", strongest, yardstick, asked.matches)]
    pairs += [
        (f"{high.key} against {low.key}", high, player(computer, low), asked.fewer)
        for low, high in pairwise(computer.levels)
    ]
    for title, level, opponent, matches in pairs:
        count = Count(title=title, seed=asked.seed)
        players = (player(computer, level), opponent)
        print(contest(game, players, count, matches), flush=True)


def contest(game: AnyGame, players: Sequence[Player], count: Count, matches: int) -> Count:
    """Play so many matches of the standard variant and count them for the first of two players."""
    options = game.presets["standard"]
    for number in range(matches):
        deal = f"{count.seed} deal {number // 2}"
        state, step = game.setup(options, 2, Chance(deal, 0)), 0
        while awaited := game.awaiting(state):
            (seat,) = awaited
            step += 1
            asked = game.observe(state, seat), seat, Chance(f"{count.seed} mind {number}", step)
            move = _timed(players, (seat + number) % 2, asked, count)
            state = game.play(state, {seat: move}, Chance(deal, step))
        outcome = game.outcome(state)
        assert outcome is not None
        mine, theirs = outcome.ranks[number % 2], outcome.ranks[1 - number % 2]
        count.results.append(0.5 + 0.5 * ((mine < theirs) - (mine > theirs)))
        if len(count.results) % 50 == 0 and len(count.results) < matches:
            print(count, file=sys.stderr, flush=True)  # so that a run cut short is not lost
    return count


def _timed(
    players: Sequence[Player], which: int, asked: tuple[Any, Seat, Chance], count: Count
) -> object:
    begin = time.process_time()
    move = players[which](*asked)
    seconds = time.process_time() - begin
    if which == 0:
        count.choices += 1
        count.seconds += seconds
        count.slowest = max(count.slowest, seconds)
    return move
