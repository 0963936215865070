"""Who is going to win: an estimate from the orders that each battalion still needs."""

from math import exp
from typing import Final

from games.conquest.computer.distance import Distance
from games.conquest.computer.fast_state import FastState
from games.conquest.computer.ground import AROUND, BESIDE, GOALS, Ground

LOG_ODDS_PER_ORDER: Final = 0.7
"""How much an order less to go is worth: the odds of a seat are e to this power for each."""

SURE_THREAT_SHARE: Final = 0.6
"""How much of a loss that an enemy threatens counts, if that enemy goes first in the next turn."""

LIKELY_THREAT_SHARE: Final = 0.35
"""The same if the battalion goes first and may escape."""

CASUALTY_ORDERS: Final = 0.03
"""What a troop in the bank costs, in orders."""

Distances = tuple[Distance | None, ...]
"""By battalion; None where nobody commands it."""


def finishes(ground: Ground, state: FastState, distances: Distances, first: int) -> list[float]:
    """The turns until each seat is ready, the place within the last turn as a part of one.

    `first` has the initiative in the turn that is planned next.
    """
    order = ground.initiative(first)
    count = len(order)
    ready = [0.0] * len(distances)
    for place, battalion in enumerate(order):
        distance = distances[battalion]
        assert distance is not None, "it is commanded"
        orders = distance(state.stacks[battalion], state.banks[battalion])
        ready[battalion] = orders + (place - orders + 1) % count / count
    return _of_seats(ground, ready)


def _of_seats(ground: Ground, ready: list[float]) -> list[float]:
    combined = max if ground.goal == "both" else min
    return [combined([ready[battalion] for battalion in team]) for team in ground.teams]


def shares(ground: Ground, finish: list[float]) -> list[float]:
    """P(win) of each seat, from the turns until each is ready; 0 for those who left."""
    soonest = min([finish[seat] for seat in ground.playing])
    odds = [0.0] * ground.seats
    for seat in ground.playing:
        odds[seat] = exp(LOG_ODDS_PER_ORDER * (soonest - finish[seat]))
    total = sum(odds)
    return [odd / total for odd in odds]


def standings(ground: Ground, state: FastState) -> list[float]:
    """P(win) of each seat when the last turn is over: objectives, then troops (R23)."""
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


def outlook(ground: Ground, state: FastState, distances: Distances, first: int) -> list[float]:
    """P(win) of each seat, with what enemies threaten next taken into account."""
    order = ground.initiative(first)
    count = len(order)
    ready = [0.0] * len(distances)
    for place, battalion in enumerate(order):
        distance = distances[battalion]
        assert distance is not None, "it is commanded"
        orders = distance(state.stacks[battalion], state.banks[battalion])
        threats = [
            (SURE_THREAT_SHARE if earlier < place else LIKELY_THREAT_SHARE)
            * _threat(ground, state, distance, (battalion, enemy))
            for earlier, enemy in enumerate(order)
            if ground.owners[enemy] != ground.owners[battalion]
        ]
        casualties = CASUALTY_ORDERS * state.banks[battalion]
        ready[battalion] = orders + (place - orders + 1) % count / count + sum(threats) + casualties
    return shares(ground, _of_seats(ground, ready))


def _threat(ground: Ground, state: FastState, distance: Distance, pair: tuple[int, int]) -> int:
    """The most orders that a battalion could lose to one attack of an enemy."""
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
            loss = distance(rest, bank + troops) - distance(stacks, bank)
            worst = max(worst, loss)
    return worst
