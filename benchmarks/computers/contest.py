"""Matches of two players of a game for two, counted: what the figures of a level rest on.

Every deal is played twice, with the seats exchanged, so that neither luck of the deal nor the lead
favors anybody; the two together are one sample. A draw counts half. Beside each share stands the
interval of two standard errors, and whether it tells the first player from the second at all.
Matches are played on all cores at once; seconds are those that a choice takes of one of them.
"""

import argparse
import math
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from benchmarks.computers.cores import spread
from games import GAMES
from games.chance import Chance
from games.computers import COMPUTERS
from games.core import Seat

Player = Callable[[Any, Seat, Chance], Any]
"""A move for a view, a seat and a chance; picklable, for it plays in processes of its own."""


@dataclass(frozen=True)
class LevelPlayer:
    """The computer at one of its levels."""

    game: str
    key: str

    def __call__(self, view: Any, seat: Seat, chance: Chance) -> Any:  # noqa: ANN401
        computer = COMPUTERS[self.game]
        (level,) = (level for level in computer.levels if level.key == self.key)
        return computer.choose(view, seat, level, chance)


@dataclass(frozen=True)
class Played:
    """What came of one match for the first player."""

    result: float
    seconds: tuple[float, ...]
    """Of each of its choices."""


@dataclass(frozen=True)
class Contest:
    """Two players of the standard variant; the first has seat 0 in every other match."""

    game: str
    players: tuple[Player, Player]
    seed: str

    def play(self, number: int) -> Played:
        """The match of a number: the same whenever and wherever it is played."""
        game = GAMES[self.game]
        deal, seconds = f"{self.seed} deal {number // 2}", []
        state, step = game.setup(game.presets["standard"], 2, Chance(deal, 0)), 0
        while awaited := game.awaiting(state):
            (seat,) = awaited
            step += 1
            which = (seat + number) % 2
            asked = game.observe(state, seat), seat, Chance(f"{self.seed} mind {number}", step)
            begin = time.process_time()
            move = self.players[which](*asked)
            if which == 0:
                seconds.append(time.process_time() - begin)
            state = game.play(state, {seat: move}, Chance(deal, step))
        outcome = game.outcome(state)
        assert outcome is not None, "nobody is awaited"
        mine, theirs = outcome.ranks[number % 2], outcome.ranks[1 - number % 2]
        return Played(0.5 + 0.5 * ((mine < theirs) - (mine > theirs)), tuple(seconds))


@dataclass
class Count:
    """What came of a contest for its first player."""

    title: str
    contest: Contest
    results: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        share, error = self.share
        return (
            f"{self.title:34}{share:7.1%} +- {error:.1%} ({told_apart(share, error, 0.5)})"
            f" of {len(self.results)} matches"
            f" (seed {self.contest.seed!r}); {sum(self.seconds) / len(self.seconds):.3f} s a"
            f" choice, at most {max(self.seconds):.2f} s"
        )

    @property
    def share(self) -> tuple[float, float]:
        """The part of the matches won, a draw counted half, and its standard error.

        The two matches of a deal are one sample. The error counts an even one more: a clean sweep
        of few deals is not certain.
        """
        results = self.results
        samples = [sum(pair) / 2 for pair in zip(results[::2], results[1::2], strict=True)]
        number = len(samples)
        mean = sum(samples) / number
        spread_out = sum((result - mean) ** 2 for result in [*samples, 0.5])
        return mean, math.sqrt(spread_out / number / number)

    def run(self, matches: int) -> None:
        for played in spread(self.contest.play, range(matches + matches % 2)):
            self.results.append(played.result)
            self.seconds += played.seconds
            if len(self.results) % 50 == 0 and len(self.results) < matches:
                print(self, file=sys.stderr, flush=True)  # so that a run cut short is not lost


def told_apart(share: float, error: float, even: float) -> str:
    """The interval of two standard errors, and what can be said of who is better."""
    low, high = max(0.0, share - 2 * error), min(1.0, share + 2 * error)
    verdict = "better" if low > even else "worse" if high < even else "cannot be told"
    return f"{low:.0%} to {high:.0%}: {verdict}"


def compare(game: str, arguments: Sequence[str]) -> None:
    """Print how the levels of a computer do against `easy`, its greedy player, and each other."""
    parser = argparse.ArgumentParser(description=f"How well the computer plays {game}.")
    parser.add_argument("--matches", type=int, default=400, help="of the strongest level")
    parser.add_argument("--fewer", type=int, default=200, help="of each other pair; 0 for none")
    parser.add_argument("--seed", default="figures")
    asked = parser.parse_args(arguments)
    keys = [level.key for level in COMPUTERS[game].levels]
    strongest, greedy = LevelPlayer(game, keys[-1]), LevelPlayer(game, "easy")
    pairs = [(f"{keys[-1]} against greedy", strongest, greedy, asked.matches)]
    pairs += [
        (f"{high} against {low}", LevelPlayer(game, high), LevelPlayer(game, low), asked.fewer)
        for low, high in pairwise(keys)
        if asked.fewer
    ]
    for title, first, second, matches in pairs:
        count = Count(title, Contest(game, (first, second), asked.seed))
        count.run(matches)
        print(count, flush=True)
