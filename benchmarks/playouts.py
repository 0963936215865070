"""Random playouts per second of every game through its contract: `python -m benchmarks.playouts`.

A playout is a whole match on one core: the deal, then in each step the awaited seats, all of their
legal moves, a random one of these, every check and the new state, until no seat is awaited. The
duel is also played by a bare loop over lists, which plays the same matches without the contract;
the ratio is the cost of the contract. Seconds are CPU time, so that a busy machine affects it less.
"""

import argparse
import hashlib
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from games import GAMES, AnyGame
from games.chance import Chance
from games.duel import DUEL, SETS


@dataclass(frozen=True, kw_only=True)
class Measure:
    """What is counted for a game, and the target per second on one core."""

    unit: str
    target: int | None
    count: Callable[[Any, int], int]
    """The number of units in a match, given its last state and number of steps."""

    matches: int
    """The number of matches in one run, which take about a second."""

    seats: int = 2


MEASURES = {
    "pico": Measure(unit="matches", target=None, count=lambda _, __: 1, matches=1000),
    "duel": Measure(unit="two-round duels", target=2000, count=lambda _, __: 1, matches=2000),
    "conquest": Measure(
        unit="four-seat turns", target=500, count=lambda end, _: end.turn, matches=5, seats=4
    ),
    "prize": Measure(unit="hands", target=1000, count=lambda end, _: end.number, matches=20),
    "spite": Measure(unit="steps", target=15_000, count=lambda _, steps: steps, matches=100),
}


def seed_of(number: int) -> str:
    return hashlib.sha256(str(number).encode()).hexdigest()


def playout(game: AnyGame, seats: int, seed: str) -> tuple[Any, int]:
    """The last state of a random match of the standard preset, and the number of its steps."""
    state = game.setup(game.presets["standard"], seats, Chance(seed, 0))
    choice = Chance(f"{seed}:players", 0)
    step = 0
    while awaited := sorted(game.awaiting(state)):
        step += 1
        moves = {seat: choice.pick(game.legal_moves(state, seat)) for seat in awaited}
        state = game.play(state, moves, Chance(seed, step))
    return state, step


def bare_duel(seed: str) -> list[int]:
    """The points of the same random duel, played by a loop over lists without the contract."""
    tiles = SETS[10]
    drawn = Chance(seed, 0).shuffled(tiles.totals)
    dealt = [sorted(drawn[: tiles.hand]), sorted(drawn[tiles.hand :])]
    choice = Chance(f"{seed}:players", 0)
    points = [0, 0]
    for one, other in (dealt, dealt[::-1]):
        mine, theirs = list(one), list(other)
        while mine:
            a = mine.pop(choice.below(len(mine)))
            b = theirs.pop(choice.below(len(theirs)))
            lower, higher = (a, b) if a < b else (b, a)
            lower_wins = higher % lower == 0 or higher - lower == 1
            points[(a < b) != lower_wins] += 1
    return points


def rate(run: Callable[[], int], runs: int) -> tuple[float, float, float]:
    """Units per second in several runs: the median, the minimum and the maximum."""
    rates = []
    for _ in range(runs):
        begin = time.process_time()
        units = run()
        rates.append(units / (time.process_time() - begin))
    return statistics.median(rates), min(rates), max(rates)


def play_all(game: AnyGame, measure: Measure, part: float) -> int:
    numbers = range(max(1, round(measure.matches * part)))
    return sum(measure.count(*playout(game, measure.seats, seed_of(n))) for n in numbers)


def play_bare(part: float) -> int:
    numbers = range(max(1, round(MEASURES["duel"].matches * part)))
    return sum(1 for n in numbers if bare_duel(seed_of(n)))


def compare_duels() -> None:
    """Raise SystemExit unless the bare loop plays exactly the same duels."""
    for n in range(50):
        outcome = DUEL.outcome(playout(DUEL, 2, seed_of(n))[0])
        if outcome is None or list(outcome.scores) != bare_duel(seed_of(n)):
            raise SystemExit(f"The bare loop plays duel {n} differently.")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Random playouts per second of every game.")
    parser.add_argument("--runs", type=int, default=5, help="runs; prints their median")
    parser.add_argument("--part", type=float, default=1.0, help="fraction of a run's matches")
    asked = parser.parse_args(arguments)
    compare_duels()
    for key, game in GAMES.items():
        measure = MEASURES[key]
        median, least, most = rate(partial(play_all, game, measure, asked.part), asked.runs)
        goal = f", target {measure.target:,}" if measure.target else ""
        print(f"{key:9}{median:10,.0f} {measure.unit} per second ({least:,.0f}-{most:,.0f}{goal})")
        if key == "duel":
            bare = rate(partial(play_bare, asked.part), asked.runs)[0]
            print(f"{'':9}{bare:10,.0f} in a bare loop, {bare / median:.1f} times as many")


if __name__ == "__main__":
    main()
