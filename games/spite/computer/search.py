"""The best of some plans, found by playing the same imagined games ahead after each."""

from collections.abc import Iterator, Sequence
from itertools import islice
from math import ceil, log2, sqrt, tanh
from typing import Final

from games.computer import mean_and_error
from games.spite.computer.fast_state import FastState
from games.spite.computer.plans import Plan
from games.spite.computer.playout import take_turn

_PLAYOUT_TURNS: Final = 8
"""Turns of a playout, the present one counted: as many of one seat as of the other."""

_LEAD_SLOPE, _EARLY_CARDS = 0.25, 6
"""What a lead of one card is worth, the more the fewer cards are left: fitted to the ends of five
hundred games that habit played against itself."""

_DOUBT_ERRORS: Final = 1.0
"""Standard errors by which a plan must beat the habit: playouts tell less than they seem to."""


def best(plans: Sequence[Plan], worlds: Iterator[FastState], budget: int) -> Plan:
    """The plan to follow. The first one is the habit, which needs no reason.

    Sequential halving: the others are halved again and again, by what playouts say, so that the
    better ones are tried in more worlds.
    """
    values: list[list[float]] = [[] for _ in plans]
    left = list(range(1, len(plans)))
    rounds = ceil(log2(len(plans)))
    for _ in range(rounds):
        number = max(1, budget // (rounds * (len(left) + 1)))
        for world in islice(worlds, number):
            for i in (0, *left):
                values[i].append(outlook(world.copy(), plans[i]))
        left.sort(key=lambda i: -sum(values[i]))
        left = left[: max(1, len(left) // 2)]
    if left:
        gain, error = margin(values[left[0]], values[0])
        if gain > _DOUBT_ERRORS * error:
            return plans[left[0]]
    return plans[0]


def outlook(world: FastState, plan: Plan) -> float:
    """What a game promises to the seat on turn a few turns after a plan; the world is used up."""
    seat, last = world.seat, world.turn + _PLAYOUT_TURNS
    plan.follow(world)
    while not world.is_over and world.turn < last:
        take_turn(world)
    mine, theirs = len(world.stocks[seat]), len(world.stocks[seat ^ 1])
    if world.is_over:
        return float((mine < theirs) - (mine > theirs))
    return tanh(_LEAD_SLOPE * (theirs - mine) / sqrt(_EARLY_CARDS + min(mine, theirs)))


def margin(ones: Sequence[float], others: Sequence[float]) -> tuple[float, float]:
    """By how much the ones are better on average, pair by pair, and the standard error."""
    return mean_and_error([one - other for one, other in zip(ones, others, strict=True)])
