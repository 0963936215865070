"""How well the computer plays Divide & Conquer: `python -m benchmarks.computers.conquest`.

The yardstick is the race player of `games/conquest/race.py`, who knows the shortest way and minds
nobody. In each contest one seat is the first player's, in turn the one and the other, and all
others are the second's; whoever is as good as they wins one in so many as there are seats. A
shared first place is not a win. Seconds are those of the processor.
"""

import argparse
import hashlib
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from games.chance import Chance
from games.computers import COMPUTERS
from games.conquest import CONQUEST, Move, Options, View
from games.conquest.race import race
from games.core import Seat

Player = Callable[[View, Seat, Chance], Move]

CONTESTS = (
    ("strong", "race", 2, 1.0),
    ("strong", "race", 4, 1.0),
    ("strong", "race", 3, 0.2),
    ("steady", "race", 2, 0.2),
    ("easy", "race", 2, 0.2),
    ("steady", "easy", 2, 0.2),
    ("strong", "steady", 2, 0.4),
    ("steady", "easy", 4, 0.2),
    ("strong", "steady", 4, 0.5),
)
"""Who plays whom, in how many seats, in which part of the matches asked for."""

TARGETS = {("strong", "race", 2): 0.70, ("strong", "race", 4): 0.45}


@dataclass(kw_only=True)
class Count:
    seats: int
    won: int = 0
    shared: int = 0
    turns: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    """Of each choice of the first player."""

    def __str__(self) -> str:
        matches = len(self.turns)
        part = self.won / matches
        error = math.sqrt(part * (1 - part) / matches)
        return (
            f"{part:6.1%} +- {error:.1%} won of {matches} matches in {self.seats} seats "
            f"(even: {1 / self.seats:.0%}; {self.shared} shared), {sum(self.turns) / matches:.1f} "
            f"turns; {sum(self.seconds) / len(self.seconds):.3f} s a choice, "
            f"at most {max(self.seconds):.2f} s"
        )


def player(key: str) -> Player:
    if key == "race":
        return race
    computer = COMPUTERS["conquest"]
    (level,) = (level for level in computer.levels if level.key == key)
    return lambda view, seat, chance: computer.choose(view, seat, level, chance)


def contest(first: str, second: str, seats: int, matches: int) -> Count:
    count = Count(seats=seats)
    players = {key: player(key) for key in (first, second)}
    for number in range(matches):
        play(number, {Seat(i): players[second] for i in range(seats)}, players[first], count)
    return count


def play(number: int, sits: dict[Seat, Player], first: Player, count: Count) -> None:
    """Play the match of a number, with the first player in one of the seats."""
    mine = Seat(number % count.seats)
    seed = hashlib.sha256(f"conquest {number}".encode()).hexdigest()
    state, step = CONQUEST.setup(Options(), count.seats, Chance(seed, 0)), 0
    while awaited := CONQUEST.awaiting(state):
        step += 1
        moves = {}
        for seat in sorted(awaited):
            view, chance = CONQUEST.observe(state, seat), Chance(f"{seed}:{seat}", step)
            begin = time.process_time()
            moves[seat] = (first if seat == mine else sits[seat])(view, seat, chance)
            if seat == mine:
                count.seconds.append(time.process_time() - begin)
        state = CONQUEST.play(state, moves, Chance(seed, step))
    outcome = CONQUEST.outcome(state)
    assert outcome is not None, "nobody is awaited"
    best = outcome.ranks[mine] == 1
    alone = outcome.ranks.count(1) == 1
    count.won += best and alone
    count.shared += best and not alone
    count.turns.append(state.turn)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="How well the computer plays Divide & Conquer.")
    parser.add_argument("--matches", type=int, default=200, help="of the longest contests")
    asked = parser.parse_args(arguments)
    print("Divide & Conquer (board), standard; match n has the seed sha256('conquest n')")
    for first, second, seats, part in CONTESTS:
        count = contest(first, second, seats, max(2, round(asked.matches * part)))
        target = TARGETS.get((first, second, seats))
        goal = f", target {target:.0%}" if target else ""
        print(f"{first:6} against {second:6}{count}{goal}", flush=True)


if __name__ == "__main__":
    main()
