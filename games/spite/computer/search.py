"""Finds the best of several plans by playouts from the same imagined states."""

from collections.abc import Iterator, Sequence
from itertools import islice
from math import ceil, log2, sqrt, tanh
from typing import Final

from games.computer import mean_and_error
from games.spite.computer.fast_state import FastState
from games.spite.computer.plans import Plan
from games.spite.computer.playout import take_turn

_PLAYOUT_TURNS: Final = 8
"""The turns of a playout, including the current one: the same number for both seats."""

_LEAD_SLOPE, _EARLY_CARDS = 0.25, 6
"""The worth of a lead of one stock card, which is higher when fewer cards are left. Fitted to the
results of five hundred games that the playout policy played against itself."""

_DOUBT_ERRORS: Final = 1.0
"""A plan must beat the habit by this many standard errors: playouts are less reliable than these
suggest."""


def best(plans: Sequence[Plan], worlds: Iterator[FastState], budget: int) -> Plan:
    """The best plan. The first one is the habit, which is returned if in doubt.

    The method is sequential halving: by the results of playouts, the worse half of the others is
    dropped again and again, so that the better ones are tried in more states.
    """
    values: list[list[float]] = [[] for _ in plans]
    left = list(range(1, len(plans)))
    rounds = ceil(log2(len(plans)))
    for _ in range(rounds):
        number = max(1, budget // (rounds * (len(left) + 1)))
        for world in islice(worlds, number):
            for i in (0, *left):
                values[i].append(playout_worth(world.copy(), plans[i]))
        left.sort(key=lambda i: -sum(values[i]))
        left = left[: max(1, len(left) // 2)]
    if left:
        gain, error = margin(values[left[0]], values[0])
        if gain > _DOUBT_ERRORS * error:
            return plans[left[0]]
    return plans[0]


def playout_worth(world: FastState, plan: Plan) -> float:
    """The estimated worth of a plan, in P(win) - P(loss), by a playout of a few turns.

    `world` must not be used afterward.
    """
    seat, last = world.seat, world.turn + _PLAYOUT_TURNS
    plan.follow(world)
    while not world.is_over and world.turn < last:
        take_turn(world)
    mine, theirs = len(world.stocks[seat]), len(world.stocks[seat ^ 1])
    if world.is_over:
        return float((mine < theirs) - (mine > theirs))
    return tanh(_LEAD_SLOPE * (theirs - mine) / sqrt(_EARLY_CARDS + min(mine, theirs)))


def margin(ones: Sequence[float], others: Sequence[float]) -> tuple[float, float]:
    """The mean difference of paired values, and its standard error."""
    return mean_and_error([one - other for one, other in zip(ones, others, strict=True)])
