"""Plays and counts the matches of two players of a two-player game.

Every deal is played twice, with the seats exchanged, so that neither the luck of the deal nor going
first favors anybody; both matches are one sample. A draw counts half. Each share of wins is printed
with its interval of two standard errors, and with who is better, if the interval shows that.
Matches are played on all cores at once; the seconds of a choice are CPU time.
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
"""Returns a move for a view, a seat and a chance; picklable, as matches run in processes."""


@dataclass(frozen=True)
class LevelPlayer:
    """The computer of a game at one of its levels."""

    game: str
    key: str

    def __call__(self, view: Any, seat: Seat, chance: Chance) -> Any:  # noqa: ANN401
        computer = COMPUTERS[self.game]
        (level,) = (level for level in computer.levels if level.key == self.key)
        return computer.choose(view, seat, level, chance)


@dataclass(frozen=True)
class Played:
    """The result of one match for the first player: 1 for a win, 0.5 for a draw, 0 for a loss."""

    result: float
    seconds: tuple[float, ...]
    """Seconds of CPU of each of its choices."""


@dataclass(frozen=True)
class Contest:
    """Matches of two players with the standard preset; they exchange seats in every other match."""

    game: str
    players: tuple[Player, Player]
    seed: str

    def play(self, number: int) -> Played:
        """Play the match with this number, which always takes the same course."""
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
    """The results of a contest for its first player."""

    title: str
    contest: Contest
    results: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        share, error = self.share
        return (
            f"{self.title:34}{share:7.1%} +- {error:.1%} ({told_apart(share, error, 0.5)})"
            f" of {len(self.results)} matches"
            f" (seed {self.contest.seed!r}); {sum(self.seconds) / len(self.seconds):.3f} s per"
            f" choice, max {max(self.seconds):.2f} s"
        )

    @property
    def share(self) -> tuple[float, float]:
        """The share of matches won, with draws as half, and its standard error.

        The two matches of a deal are one sample. The error includes one more sample, an even one,
        because winning all of a few deals proves little.
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
                print(self, file=sys.stderr, flush=True)  # an interrupted run isn't lost


def told_apart(share: float, error: float, even: float) -> str:
    """The interval of two standard errors, and whether it's better or worse than `even`."""
    low, high = max(0.0, share - 2 * error), min(1.0, share + 2 * error)
    verdict = "better" if low > even else "worse" if high < even else "inconclusive"
    return f"{low:.0%} to {high:.0%}: {verdict}"


def compare(game: str, arguments: Sequence[str]) -> None:
    """Print how the strongest level does against `easy`, the greedy player, and neighbors do."""
    parser = argparse.ArgumentParser(description=f"How well the computer plays {game}.")
    parser.add_argument("--matches", type=int, default=400, help="matches of the strongest level")
    parser.add_argument(
        "--fewer", type=int, default=200, help="matches of each other pair; 0 for none"
    )
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
