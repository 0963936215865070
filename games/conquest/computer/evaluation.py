"""Estimates who is going to win, from the orders that each battalion still needs."""

from collections.abc import Sequence
from math import exp
from typing import Final

from games.conquest.computer.distance import UNREACHABLE, Distance
from games.conquest.computer.fast_state import FastState
from games.conquest.computer.ground import AROUND, BESIDE, GOALS, Ground

LOG_ODDS_PER_ORDER: Final = 0.7
"""The worth of one order less to go: it multiplies the odds of a seat by e to this power."""

SURE_THREAT_SHARE: Final = 0.6
"""The share of a threatened loss that counts if the enemy goes first in the next turn."""

LIKELY_THREAT_SHARE: Final = 0.35
"""The share that counts if the battalion goes first and may escape."""

CASUALTY_ORDERS: Final = 0.03
"""The cost of a troop in the bank, in orders."""

SPARE_ORDERS: Final = 4
"""A win is expected to come in time if this many orders are left after it."""

Distances = tuple[Distance | None, ...]
"""By battalion; None for one that isn't commanded."""


def finishes(ground: Ground, state: FastState, distances: Distances, first: int) -> list[float]:
    """The turns until each seat holds its objectives, with the place in that turn as a fraction.

    `first` has the initiative in the turn that is planned next.
    """
    order = ground.initiative(first)
    count = len(order)
    ready = [0.0] * len(distances)
    for place, battalion in enumerate(order):
        orders = distance_for(distances, battalion)(state.stacks[battalion], state.banks[battalion])
        ready[battalion] = orders + (place - orders + 1) % count / count
    return _of_seats(ground, ready)


def _of_seats(ground: Ground, ready: list[float]) -> list[float]:
    combined = max if ground.goal == "both" else min
    return [combined([ready[battalion] for battalion in team]) for team in ground.teams]


def shares(ground: Ground, finish: list[float]) -> list[float]:
    """P(win) of each seat, from the turns until each finishes; 0 for seats that left."""
    soonest = min([finish[seat] for seat in ground.playing])
    odds = [0.0] * ground.seats
    for seat in ground.playing:
        odds[seat] = exp(LOG_ODDS_PER_ORDER * (soonest - finish[seat]))
    total = sum(odds)
    return [odd / total for odd in odds]


def standings(ground: Ground, state: FastState) -> list[float]:
    """P(win) of each seat after the last turn, by objectives, then troops; ties share it (R23)."""
    keys = {
        seat: (
            sum([len(state.stacks[b].keys() & GOALS[b]) for b in ground.teams[seat]]),
            sum([sum(state.stacks[b].values()) for b in ground.teams[seat]]),
        )
        for seat in ground.playing
    }
    best = max(keys.values())
    winners = [seat for seat in keys if keys[seat] == best]
    return [1 / len(winners) if seat in winners else 0.0 for seat in range(ground.seats)]


def outlook(
    ground: Ground, state: FastState, distances: Distances, first: int, left: int = UNREACHABLE
) -> list[float]:
    """P(win) of each seat, taking into account what enemies threaten to do next.

    `left` is the number of orders that each battalion can still write. The less likely it is that
    these suffice for a win, the more the objectives held in the end count (R23).
    """
    order = ground.initiative(first)
    finish = _of_seats(ground, _to_go(ground, state, distances, order, UNREACHABLE))
    racing = shares(ground, finish)
    in_time = (left - min([finish[seat] for seat in ground.playing])) / SPARE_ORDERS
    if in_time >= 1:
        return racing
    if not left:
        return standings(ground, state)
    counted = shares(ground, _sums(ground, _to_go(ground, state, distances, order, left)))
    part = max(in_time, 0.0)
    return [part * won + (1 - part) * held for won, held in zip(racing, counted, strict=True)]


def _sums(ground: Ground, ready: list[float]) -> list[float]:
    return [sum([ready[battalion] for battalion in team]) for team in ground.teams]


def _to_go(
    ground: Ground, state: FastState, distances: Distances, order: Sequence[int], left: int
) -> list[float]:
    """The orders that each battalion needs for what `left` orders can reach, plus likely losses.

    If `left` is no limit, the place of the last order within its turn is added as a fraction. With
    more than two seats, an enemy can attack others instead, so threats are judged without the
    limit: otherwise play would be too timid.
    """
    needed, count = [0.0] * len(distances), len(order)
    feared = left if len(ground.playing) == 2 else UNREACHABLE
    for place, battalion in enumerate(order):
        distance = distance_for(distances, battalion)
        threats = [
            (SURE_THREAT_SHARE if earlier < place else LIKELY_THREAT_SHARE)
            * _threat(ground, state, distance, (battalion, enemy), feared)
            for earlier, enemy in enumerate(order)
            if ground.owners[enemy] != ground.owners[battalion]
        ]
        bank = state.banks[battalion]
        orders = distance.to_go(state.stacks[battalion], bank, left)
        late = (place - orders + 1) % count / count if left >= UNREACHABLE else 0.0
        needed[battalion] = orders + late + sum(threats) + CASUALTY_ORDERS * bank
    return needed


def _threat(
    ground: Ground, state: FastState, distance: Distance, pair: tuple[int, int], left: int
) -> int:
    """The most orders that a battalion could lose by one attack; `pair` is (battalion, enemy)."""
    battalion, enemy = pair
    stacks, bank, others = state.stacks[battalion], state.banks[battalion], state.stacks[enemy]
    reach = sum([1 << square for square in others])
    worst = 0
    for square, troops in stacks.items():
        if not reach & BESIDE[square] or ground.safe[battalion] >> square & 1:
            continue
        force = max([others.get(source, 0) for source in AROUND[square]])
        if force > troops or (force == troops and ground.equal != "bounce"):
            rest = {other: n for other, n in stacks.items() if other != square}
            now = distance.to_go(stacks, bank, left)
            worst = max(worst, distance.to_go(rest, bank + troops, left) - now)
    return worst


def distance_for(distances: Distances, battalion: int) -> Distance:
    """The distances of a battalion, which must be commanded."""
    distance = distances[battalion]
    assert distance is not None, "it is commanded"
    return distance
