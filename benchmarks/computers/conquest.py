"""How well the computer plays Divide & Conquer: `python -m benchmarks.computers.conquest`.

The yardstick is the race player of `games/conquest/computer/race.py`, which knows the shortest way
and minds nobody; above it stands `detour` (`conquest_detour.py`), which goes around what blocks it
and takes what it can. In each contest one seat is the first player's, each seat in turn, and all
others are the second's, with the same order of execution; a first player as good as the second
wins one match in as many as there are seats.
A shared first place is not a win. Matches are played on all cores at once; seconds are those that a
choice takes of one of them.
"""

import argparse
import hashlib
import math
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from benchmarks.computers.conquest_detour import detour
from benchmarks.computers.contest import LevelPlayer, Player, told_apart
from benchmarks.computers.cores import spread
from games.chance import Chance
from games.conquest import CONQUEST, Options
from games.conquest.computer.race import race
from games.core import Seat

CONTESTS = (
    ("strong", "race", 2, 1.0),
    ("strong", "race", 4, 1.0),
    ("strong", "race", 3, 0.5),
    ("strong", "detour", 2, 0.3),
    ("strong", "detour", 3, 0.2),
    ("strong", "detour", 4, 0.2),
    ("detour", "race", 2, 0.3),
    ("steady", "race", 2, 0.2),
    ("easy", "race", 2, 0.2),
    ("steady", "easy", 2, 0.2),
    ("strong", "steady", 2, 0.5),
    ("strong", "steady", 3, 0.5),
    ("strong", "steady", 4, 0.5),
    ("steady", "easy", 4, 0.2),
)
"""Who plays whom, in how many seats, in which part of the matches asked for."""

LEAST = 3
"""Matches below which nothing could be told: such a contest is left out."""

TARGETS = {("strong", "race", 2): 0.70, ("strong", "race", 4): 0.45}


@dataclass(frozen=True)
class Played:
    """What came of one match for the first player."""

    won: bool
    shared: bool
    turns: int
    seconds: tuple[float, ...]
    """Of each of its choices."""


@dataclass(frozen=True)
class Contest:
    """A player in one seat, in turn each of them, and another in all the others."""

    first: str
    second: str
    seats: int

    def play(self, number: int) -> Played:
        """The match of a number: the same whenever and wherever it is played."""
        mine, seconds = Seat(number % self.seats), []
        seed = hashlib.sha256(f"conquest {number // self.seats}".encode()).hexdigest()
        first, second = player(self.first), player(self.second)
        state, step = CONQUEST.setup(Options(), self.seats, Chance(seed, 0)), 0
        while awaited := CONQUEST.awaiting(state):
            step += 1
            moves = {}
            for seat in sorted(awaited):
                view, chance = CONQUEST.observe(state, seat), Chance(f"{seed}:{seat}", step)
                begin = time.process_time()
                moves[seat] = (first if seat == mine else second)(view, seat, chance)
                if seat == mine:
                    seconds.append(time.process_time() - begin)
            state = CONQUEST.play(state, moves, Chance(seed, step))
        outcome = CONQUEST.outcome(state)
        assert outcome is not None, "nobody is awaited"
        best, alone = outcome.ranks[mine] == 1, outcome.ranks.count(1) == 1
        return Played(best and alone, best and not alone, state.turn, tuple(seconds))


def player(key: str) -> Player:
    """A yardstick or a level by its name."""
    return {"race": race, "detour": detour}.get(key) or LevelPlayer(CONQUEST.key, key)


@dataclass
class Count:
    """What came of a contest for its first player."""

    contest: Contest
    played: list[Played] = field(default_factory=list)

    def __str__(self) -> str:
        matches, seats = len(self.played), self.contest.seats
        wins = sum(match.won for match in self.played)
        part = wins / matches
        # As if one more were won and one more lost: a clean sweep of few matches is not certain.
        likely = (wins + 1) / (matches + 2)
        error = math.sqrt(likely * (1 - likely) / matches)
        turns = sum(match.turns for match in self.played) / matches
        seconds = [each for match in self.played for each in match.seconds]
        return (
            f"{self.contest.first:6} against {self.contest.second:6}"
            f"{part:6.1%} +- {error:.1%} ({told_apart(part, error, 1 / seats)})"
            f" won of {matches} matches in {seats} seats "
            f"(even: {1 / seats:.0%}; {sum(match.shared for match in self.played)} shared), "
            f"{turns:.1f} turns; {sum(seconds) / len(seconds):.3f} s a choice, "
            f"at most {max(seconds):.2f} s"
        )

    def take(self, matches: int, played: Iterator[Played]) -> None:
        for match in islice(played, matches):
            self.played.append(match)
            if len(self.played) % 20 == 0 and len(self.played) < matches:
                print(self, file=sys.stderr, flush=True)  # so that a run cut short is not lost


def _play(match: tuple[Contest, int]) -> Played:
    contest, number = match
    return contest.play(number)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="How well the computer plays Divide & Conquer.")
    parser.add_argument("--matches", type=int, default=200, help="of the longest contests")
    asked = parser.parse_args(arguments)
    print("Divide & Conquer (board), standard; deal n has the seed sha256('conquest n')")
    sizes = {
        Contest(first, second, seats): matches
        for first, second, seats, part in CONTESTS
        if (matches := round(asked.matches * part)) >= LEAST
    }
    # All in one line: no core is idle while the last match of a contest is played.
    numbered = [(contest, number) for contest, size in sizes.items() for number in range(size)]
    played = spread(_play, numbered)
    for contest, size in sizes.items():
        count = Count(contest)
        count.take(size, played)
        target = TARGETS.get((contest.first, contest.second, contest.seats))
        print(f"{count}{f', target {target:.0%}' if target else ''}", flush=True)


if __name__ == "__main__":
    main()
