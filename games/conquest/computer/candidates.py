"""The few orders of a battalion that are worth considering."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

from games.conquest.computer.distance import UNREACHABLE
from games.conquest.computer.evaluation import distance_for, outlook
from games.conquest.computer.fast_state import FastState, March
from games.conquest.computer.ground import BESIDE, Ground
from games.conquest.computer.playout import POLICIES, RACER, Playouts
from games.conquest.computer.race import marches_of
from games.conquest.computer.routes import Roll
from games.conquest.computer.tactics import Orders

PLANS_PER_NUMBER: Final = 6
"""Of `number` candidate orders, at most `max(1, number // PLANS_PER_NUMBER)` have the same source
and target, with different numbers of troops. Only where orders of the others are expected."""

Expected = Sequence[Sequence[March | None]]
"""Expected joint orders of a turn, several of them; each has an order for every battalion."""


def plans_of(
    playouts: Playouts,
    state: FastState,
    place: tuple[int, int, int],
    number: int,
    expected: Expected,
) -> tuple[Orders, ...]:
    """About `number` plans of a seat, those that look best after one turn.

    `place` is (seat, battalion with the initiative, turn). Plans are judged by the position after
    this turn, both if all others pass and if they do what is expected.
    """
    team = playouts.ground.teams[place[0]]
    each = number if len(team) == 1 else max(int(number**0.5), 1)
    parts = [
        _ranked(playouts, state, (battalion, *place[1:]), each, expected) for battalion in team
    ]
    return tuple(product(*parts))


def expected_orders(playouts: Playouts, state: FastState, roll: Roll, turn: int) -> Expected:
    """For each policy, `RACER` first, the orders of all battalions if every seat follows it."""
    seats = playouts.ground.seats
    return [
        playouts.first_orders(state, (policy,) * seats, roll, turn) for policy in (RACER, *POLICIES)
    ]


def quick_plans(ground: Ground, expected: Expected) -> tuple[tuple[Orders, ...], ...]:
    """For each seat, its different plans among the expected orders."""
    return tuple(
        tuple(dict.fromkeys(tuple(orders[battalion] for battalion in team) for orders in expected))
        for team in ground.teams
    )


def _ranked(
    playouts: Playouts,
    state: FastState,
    place: tuple[int, int, int],
    number: int,
    expected: Expected,
) -> Sequence[March | None]:
    """At most `number` sensible orders of a battalion, best first by the position after this turn.

    `place` is (battalion, battalion with the initiative, turn).
    """
    battalion, first, turn = place
    ground, seat = playouts.ground, playouts.ground.owners[battalion]
    assert seat is not None, "it is commanded"
    following = ground.following(first), ground.left_from(turn + 1)
    alone: list[March | None] = [None] * len(state.stacks)

    def worth(march: March | None) -> float:
        total = 0.0
        for others in (alone, *expected):
            orders, after = [*others], state.copy()
            orders[battalion] = march
            winner = after.play(ground, orders, first)
            if winner is None:
                total += outlook(ground, after, playouts.distances, *following)[seat]
            else:
                total += winner == seat
        return total

    marches = tuple(_sensible(playouts, state, battalion, following[1], expected))
    passing = () if marches and not _is_near_enemies(ground, state, battalion) else (None,)
    ranked = sorted((*passing, *marches), key=worth, reverse=True)
    if not expected:
        return ranked[:number]
    tried: Counter[tuple[int, ...] | None] = Counter()
    kept: list[March | None] = []
    for march in ranked:
        way = march and march[::2]
        tried[way] += 1
        if tried[way] <= max(1, number // PLANS_PER_NUMBER):
            kept.append(march)
    return kept[:number]


def _is_near_enemies(ground: Ground, state: FastState, battalion: int) -> bool:
    """Whether enemies are next to any troops of a battalion; only then can passing be worth it."""
    around = 0
    for square in state.stacks[battalion]:
        around |= BESIDE[square]
    return any(
        around >> square & 1
        for enemy in ground.active
        if ground.owners[enemy] != ground.owners[battalion]
        for square in state.stacks[enemy]
    )


def _sensible(
    playouts: Playouts, state: FastState, battalion: int, left: int, expected: Expected
) -> Iterator[March]:
    """Yield attacks, including those onto squares where an enemy is expected, and other marches.

    The other marches don't lead away from the objectives. `left` is the number of orders that the
    battalion can write after this one.
    """
    distance = distance_for(playouts.distances, battalion)
    own, bank = state.stacks[battalion], state.banks[battalion]
    held = {
        square: troops
        for other, stacks in enumerate(state.stacks)
        if other != battalion
        for square, troops in stacks.items()
    }
    theirs = {
        order[2]
        for orders in expected
        for other, order in enumerate(orders)
        if order and playouts.ground.owners[other] != playouts.ground.owners[battalion]
    }
    now = min(distance.to_go(own, bank, left + 1), UNREACHABLE)
    for march in marches_of(playouts.ground, state, battalion):
        source, troops, target = march
        there = own[source]
        if troops not in {1, 2, there // 2, there - 2, there - 1, there}:
            continue
        if target in held or target in theirs:
            yield march
            continue
        after = own.copy()
        after[source] -= troops
        if not after[source]:
            del after[source]
        after[target] = after.get(target, 0) + troops
        if distance.to_go(after, bank, left) <= now:
            yield march
