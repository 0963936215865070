"""Whether the conquest computer takes wins: `python -m benchmarks.computers.conquest_wins`.

Fast players play matches from seeds until there are enough positions in which a seat is near a
win, equally many with two, three and four seats. An exact look-ahead through the seat's plans tells
how near it is:

- this turn: some plan wins whatever orders the others give now;
- next turn: an order of one battalion wins now or in the next turn, whatever the others order and
  reinforce;
- if nobody interferes: some plan wins now, but every such plan can be stopped.

A choice is dominated if another plan wins this turn against everything that it wins against, loses
against nothing else, and is better somewhere: nothing that comes later can make up for that.
"""

import argparse
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import ceil, prod
from typing import Final

from benchmarks.computers.conquest import player
from benchmarks.computers.cores import spread
from games.chance import Chance
from games.computers import COMPUTERS
from games.conquest import CONQUEST, Options, Plan, State, View
from games.conquest.computer.fast_state import March, march_of, order_of
from games.conquest.computer.forced import is_forcing
from games.conquest.computer.race import marches_of
from games.conquest.computer.situation import Planning
from games.conquest.computer.tactics import Orders, answers_to, is_sure, turn_orders, winning_plans
from games.core import Seat

NEARS: Final = ("this turn", "next turn", "if nobody interferes")
PLAYERS: Final = ("race", "detour", "easy", "steady")
PER_MATCH: Final = 2
"""The most positions of each kind to take from one match, as those of one match are similar."""

MATCHES_AT_ONCE: Final = 24
MAX_MATCHES: Final = 600
"""The most matches to play, even if they don't have enough positions."""

MAX_REPLIES: Final = 20_000
"""The most combinations of the others' replies for comparing a choice with another plan."""


@dataclass(frozen=True, slots=True)
class Near:
    """A position in which a seat is near a win."""

    near: str
    view: View
    seat: Seat
    name: str


@dataclass(frozen=True, slots=True)
class Tried:
    """What the computer chose in such a position."""

    near: str
    seats: int
    name: str
    choice: str
    taken: bool
    """Whether it chose a plan that nobody can stop."""

    dominated: str
    """A plan that dominates its choice; empty if there is none."""

    seconds: float


def match_of(name: str, seats: int) -> Iterator[State]:
    """The states of a match of fast players."""
    state, step = CONQUEST.setup(Options(), seats, Chance(name, 0)), 0
    drawn = Chance(f"{name} players", 0)
    players = [player(drawn.pick(PLAYERS)) for _ in range(seats)]
    while awaited := CONQUEST.awaiting(state):
        yield state
        step += 1
        moves = {
            seat: players[seat](CONQUEST.observe(state, seat), seat, Chance(f"{name}:{seat}", step))
            for seat in sorted(awaited)
        }
        state = CONQUEST.play(state, moves, Chance(name, step))


def found_in(name: str, seats: int) -> list[Near]:
    """The last positions of a match in which a seat is near a win, `PER_MATCH` of each kind."""
    found: list[Near] = []
    for state in match_of(name, seats):
        if state.phase != "planning":
            continue
        for seat in sorted(CONQUEST.awaiting(state)):
            near = nearness(Asked(CONQUEST.observe(state, seat), seat))
            if near:
                found.append(
                    Near(near, CONQUEST.observe(state, seat), seat, f"{name} {state.turn}")
                )
    counts: Counter[str] = Counter()
    kept = []
    for position in reversed(found):
        counts[position.near] += 1
        if counts[position.near] <= PER_MATCH:
            kept.append(position)
    return kept


class Asked:
    """A position in which a seat plans its orders, and its plans with one battalion's order."""

    def __init__(self, view: View, seat: Seat) -> None:
        self.seen = Planning(view, seat, Chance("near", 0))
        self.seat = seat
        ground, state = self.seen.ground, self.seen.state
        each = [(None, *marches_of(ground, state, battalion)) for battalion in ground.teams[seat]]
        self._single = [
            tuple(march if other == i else None for other in range(len(each)))
            for i, marches in enumerate(each)
            for march in marches
        ]
        self.position = ground, state, self.seen.first
        held = {square for stacks in state.stacks for square in stacks}
        self._partner_plans = [p for p in self._single if all(m is None or m[2] in held for m in p)]

    def wins(self) -> Sequence[Orders]:
        """The plans that win now if nobody interferes; other own battalions pass or attack."""
        return winning_plans(*self.position, self.seat, tuple(dict.fromkeys(self._partner_plans)))

    def is_sure(self, plan: Orders) -> bool:
        return is_sure(*self.position, self.seat, plan)

    def is_forcing(self, plan: Orders) -> bool:
        return is_forcing(self.seen.playouts, *self.position[1:], self.seat, plan)

    def forces(self) -> bool:
        """Whether a march of one battalion wins this turn or next turn, whatever others do."""
        distances, ground = self.seen.playouts.distances, self.seen.ground
        state = self.seen.state
        left = []
        for battalion in ground.teams[self.seat]:
            distance = distances[battalion]
            assert distance is not None, "it is commanded"
            left.append(distance(state.stacks[battalion], state.banks[battalion]))
        return min(left) <= 2 and any(map(self.is_forcing, self._single))

    def result(self, plan: Orders, replies: Mapping[int, March | None]) -> int:
        """1 if the plan wins this turn against these orders, -1 if somebody else wins, else 0."""
        ground, state, first = self.position
        orders = turn_orders(ground, self.seat, plan)
        for battalion, march in replies.items():
            orders[battalion] = march
        winner = state.copy().play(ground, orders, first)
        return 0 if winner is None else 1 if winner == self.seat else -1

    def better_than(self, chosen: Orders) -> Orders | None:
        """A plan that dominates the chosen one; None if there is none or too many to compare."""
        return next((p for p in self.wins() if p != chosen and self._dominates(p, chosen)), None)

    def _dominates(self, plan: Orders, chosen: Orders) -> bool:
        one, other = (answers_to(*self.position[:2], self.seat, each) for each in (plan, chosen))
        answers = {b: tuple(dict.fromkeys((*one[b], *other[b]))) for b in one}
        if prod(map(len, answers.values())) > MAX_REPLIES:
            return False
        is_better = False
        for combined in product(*answers.values()):
            replies = dict(zip(answers, combined, strict=True))
            ours, theirs = self.result(plan, replies), self.result(chosen, replies)
            if ours < 1 and theirs > -1:
                return False
            is_better = is_better or ours > theirs
        return is_better


def nearness(asked: Asked) -> str | None:
    wins = asked.wins()
    if any(map(asked.is_sure, wins)):
        return NEARS[0]
    if asked.forces():
        return NEARS[1]
    return NEARS[2] if wins else None


def tried(position: Near, key: str) -> Tried:
    """What a level chooses in a position."""
    computer, asked = COMPUTERS[CONQUEST.key], Asked(position.view, position.seat)
    (level,) = (level for level in computer.levels if level.key == key)
    began = time.process_time()
    plan = computer.choose(position.view, position.seat, level, Chance(position.name, 1))
    seconds = time.process_time() - began
    assert isinstance(plan, Plan)
    orders = tuple(map(march_of, plan.orders))
    better = asked.better_than(orders)
    return Tried(
        near=position.near,
        seats=len(position.view.teams),
        name=position.name,
        choice=str(plan),
        taken={NEARS[0]: asked.is_sure, NEARS[1]: asked.is_forcing}.get(position.near, bool)(
            orders
        ),
        dominated="" if better is None else str(Plan(tuple(map(order_of, better)))),
        seconds=seconds,
    )


def positions(seed: str, each: int, numbers_of_seats: Sequence[int]) -> Iterator[Near]:
    """Up to `each` positions of each kind and number of seats, from matches of a seed."""
    for seats in numbers_of_seats:
        counts: Counter[str] = Counter()
        for begun in range(0, MAX_MATCHES, MATCHES_AT_ONCE):
            numbers = range(begun, begun + MATCHES_AT_ONCE)
            for found in spread(partial(_positions_in, seed, seats), numbers):
                for position in found:
                    counts[position.near] += 1
                    if counts[position.near] <= each:
                        yield position
            if all(counts[near] >= each for near in NEARS):
                break


def _positions_in(seed: str, seats: int, number: int) -> list[Near]:
    return found_in(f"{seed} {seats} {number}", seats)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Whether the conquest computer takes wins.")
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--seed", default="wins")
    parser.add_argument("--level", default="strong")
    parser.add_argument("--seats", type=int, choices=CONQUEST.seats, nargs="+")
    asked = parser.parse_args(arguments)
    seats = asked.seats or CONQUEST.seats
    near = list(positions(asked.seed, ceil(asked.positions / len(NEARS) / len(seats)), seats))
    print(f"{len(near)} positions near a win (seed {asked.seed!r}), choices of {asked.level}:")
    results = list(spread(_Tries(tuple(near), asked.level), range(len(near))))
    for kind in NEARS[:2]:
        of_kind = [result for result in results if result.near == kind]
        missed = [result for result in of_kind if not result.taken]
        print(f"  {kind}: {len(of_kind) - len(missed)} of {len(of_kind)} wins taken")
        for result in missed:
            print(f"    missed: {result.name}, {result.seats} seats: {result.choice}")
    worse = [result for result in results if result.dominated]
    print(f"  dominated choices: {len(worse)} of {len(results)}")
    for result in worse:
        print(f"    {result.name}: {result.choice}; {result.dominated} dominates it")
    slowest = max(result.seconds for result in results)
    print(f"  slowest choice {slowest:.2f} s of CPU (target: at most 2)", flush=True)


@dataclass(frozen=True, slots=True)
class _Tries:
    positions: tuple[Near, ...]
    level: str

    def __call__(self, number: int) -> Tried:
        return tried(self.positions[number], self.level)


if __name__ == "__main__":
    main()
