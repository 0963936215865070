"""The few orders of a battalion that are worth thinking about."""

from collections.abc import Iterator, Sequence
from itertools import product

from games.conquest.computer.distance import UNREACHABLE
from games.conquest.computer.evaluation import outlook
from games.conquest.computer.fast_state import FastState, March
from games.conquest.computer.ground import BESIDE, Ground
from games.conquest.computer.playout import POLICIES, RACER, Playouts
from games.conquest.computer.race import marches_of
from games.conquest.computer.routes import Roll
from games.conquest.computer.tactics import Orders


def plans_of(
    playouts: Playouts, state: FastState, seat: int, first: int, number: int
) -> tuple[Orders, ...]:
    """About `number` plans of a seat: those that look best if the others stay where they are."""
    team = playouts.ground.teams[seat]
    each = number if len(team) == 1 else max(int(number**0.5), 1)
    parts = [_ranked(playouts, state, battalion, first)[:each] for battalion in team]
    return tuple(product(*parts))


def quick_plans(playouts: Playouts, state: FastState, roll: Roll) -> tuple[tuple[Orders, ...], ...]:
    """The plans of each seat by each policy, the racer's first, whatever the others do."""
    ground = playouts.ground
    written = [
        playouts.orders(state, [None] * len(state.stacks), (policy,) * ground.seats, roll)
        for policy in (RACER, *POLICIES)
    ]
    return tuple(
        tuple(dict.fromkeys(tuple(orders[battalion] for battalion in team) for orders in written))
        for team in ground.teams
    )


def _ranked(
    playouts: Playouts, state: FastState, battalion: int, first: int
) -> Sequence[March | None]:
    """The sensible orders of a battalion, the best by their immediate outlook first."""
    ground, seat = playouts.ground, playouts.ground.owners[battalion]
    assert seat is not None, "it is commanded"
    following = ground.following(first)

    def worth(march: March | None) -> float:
        if march is None:
            return outlook(ground, state, playouts.distances, following)[seat]
        after = state.copy()
        after.march(ground, battalion, march)
        return outlook(ground, after, playouts.distances, following)[seat]

    marches = tuple(_sensible(playouts, state, battalion))
    passing = () if marches and not _is_near_enemies(ground, state, battalion) else (None,)
    return sorted((*passing, *marches), key=worth, reverse=True)


def _is_near_enemies(ground: Ground, state: FastState, battalion: int) -> bool:
    """Whether enemies stand beside any troops: only then can it be worth it to wait for them."""
    around = 0
    for square in state.stacks[battalion]:
        around |= BESIDE[square]
    return any(
        around >> square & 1
        for enemy in ground.active
        if ground.owners[enemy] != ground.owners[battalion]
        for square in state.stacks[enemy]
    )


def _sensible(playouts: Playouts, state: FastState, battalion: int) -> Iterator[March]:
    """Attacks that can do harm, and marches that lead no further from the objectives."""
    distance = playouts.distances[battalion]
    assert distance is not None, "it is commanded"
    own, bank = state.stacks[battalion], state.banks[battalion]
    held = {
        square: troops
        for other, stacks in enumerate(state.stacks)
        if other != battalion
        for square, troops in stacks.items()
    }
    now = min(distance(own, bank), UNREACHABLE)
    for march in marches_of(playouts.ground, state, battalion):
        source, troops, target = march
        there = own[source]
        if troops not in {1, 2, there // 2, there - 2, there - 1, there}:
            continue
        if target in held:
            yield march
            continue
        after = own.copy()
        after[source] -= troops
        if not after[source]:
            del after[source]
        after[target] = after.get(target, 0) + troops
        if distance(after, bank) <= now:
            yield march
