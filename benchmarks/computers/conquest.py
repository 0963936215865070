"""How well the computer plays Divide & Conquer: `python -m benchmarks.computers.conquest`.

The baseline is the race player of `games/conquest/computer/race.py`, which takes the shortest way
and ignores opponents. A stronger one is `detour` (`conquest_detour.py`), which goes around blockers
and attacks where it pays. In each contest, the first player has one seat, each in turn, and the
second player has all others, with the same order of execution. So a first player who is as good
as the second wins one in as many matches as there are seats. A shared first place isn't a win.
Matches are played on all cores at once; the seconds of a choice are CPU time.
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
"""First player, second player, number of seats, and the fraction of the `--matches` to play."""

LEAST = 3
"""The least number of matches; contests with fewer show nothing and are left out."""

TARGETS = {("strong", "race", 2): 0.70, ("strong", "race", 4): 0.45}


@dataclass(frozen=True)
class Played:
    """The result of one match for the first player."""

    won: bool
    shared: bool
    turns: int
    seconds: tuple[float, ...]
    """Seconds of CPU of each of its choices."""


@dataclass(frozen=True)
class Contest:
    """Matches of one player, in each seat in turn, against another in all other seats."""

    first: str
    second: str
    seats: int

    def play(self, number: int) -> Played:
        """Play the match with this number, which always takes the same course."""
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
    """A baseline player or a level, by its name."""
    return {"race": race, "detour": detour}.get(key) or LevelPlayer(CONQUEST.key, key)


@dataclass
class Count:
    """The results of a contest for its first player."""

    contest: Contest
    played: list[Played] = field(default_factory=list)

    def __str__(self) -> str:
        matches, seats = len(self.played), self.contest.seats
        wins = sum(match.won for match in self.played)
        part = wins / matches
        # With one more win and one more loss, as winning all of a few matches proves little.
        likely = (wins + 1) / (matches + 2)
        error = math.sqrt(likely * (1 - likely) / matches)
        turns = sum(match.turns for match in self.played) / matches
        seconds = [each for match in self.played for each in match.seconds]
        return (
            f"{self.contest.first:6} against {self.contest.second:6}"
            f"{part:6.1%} +- {error:.1%} ({told_apart(part, error, 1 / seats)})"
            f" of {matches} matches won with {seats} seats "
            f"(even: {1 / seats:.0%}; {sum(match.shared for match in self.played)} shared), "
            f"{turns:.1f} turns; {sum(seconds) / len(seconds):.3f} s per choice, "
            f"max {max(seconds):.2f} s"
        )

    def take(self, matches: int, played: Iterator[Played]) -> None:
        for match in islice(played, matches):
            self.played.append(match)
            if len(self.played) % 20 == 0 and len(self.played) < matches:
                print(self, file=sys.stderr, flush=True)  # an interrupted run isn't lost


def _play(match: tuple[Contest, int]) -> Played:
    contest, number = match
    return contest.play(number)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="How well the computer plays Divide & Conquer.")
    parser.add_argument("--matches", type=int, default=200, help="matches of the longest contests")
    asked = parser.parse_args(arguments)
    print("Divide & Conquer (board), standard; deal n has the seed sha256('conquest n')")
    sizes = {
        Contest(first, second, seats): matches
        for first, second, seats, part in CONTESTS
        if (matches := round(asked.matches * part)) >= LEAST
    }
    # In one sequence, so that no core is idle while the last match of a contest is played.
    numbered = [(contest, number) for contest, size in sizes.items() for number in range(size)]
    played = spread(_play, numbered)
    for contest, size in sizes.items():
        count = Count(contest)
        count.take(size, played)
        target = TARGETS.get((contest.first, contest.second, contest.seats))
        print(f"{count}{f', target {target:.0%}' if target else ''}", flush=True)


if __name__ == "__main__":
    main()
