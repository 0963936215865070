"""Wins in this turn, found exactly rather than by playouts.

A seat's plan wins if its orders, executed among those of the others, put a troop on the last
objective. Every other battalion writes one order, so only a few orders matter to a plan: those that
end on a square that it needs, and those that win first.
"""

from collections.abc import Iterator, Sequence
from itertools import product

from games.conquest.computer.fast_state import FastState, March
from games.conquest.computer.ground import GOALS, Ground
from games.conquest.computer.race import marches_of

Orders = tuple[March | None, ...]
"""The orders of all battalions of a seat, in the order in which they are written."""


def winning_plans(
    ground: Ground, state: FastState, first: int, seat: int, others: Sequence[Orders]
) -> list[Orders]:
    """The plans that win this turn if nobody interferes.

    If one battalion of a team wins, the other follows one of the plans in `others`.
    """
    plans = []
    for i, battalion in enumerate(ground.teams[seat]):
        for march in winning_marches(ground, state, battalion):
            plans += [(*plan[:i], march, *plan[i + 1 :]) for plan in others]
    both = [plan for plan in plans if wins(ground, state, first, seat, plan)]
    return list(dict.fromkeys((*(plan for plan in others if plan in both), *both)))


def winning_marches(ground: Ground, state: FastState, battalion: int) -> Iterator[March]:
    """Yield the orders by which a battalion completes its objectives if nobody interferes.

    Only with the numbers of troops in `distinct_marches`.
    """
    if len(GOALS[battalion] - state.stacks[battalion].keys()) > 1:
        return
    for march in distinct_marches(ground, state, battalion):
        if march[2] in GOALS[battalion]:
            after = state.copy()
            if after.march(ground, battalion, march) and after.is_complete(battalion):
                yield march


def wins(ground: Ground, state: FastState, first: int, seat: int, plan: Orders) -> bool:
    """Whether a plan wins this turn if all others pass."""
    return state.copy().play(ground, turn_orders(ground, seat, plan), first) == seat


def is_sure(ground: Ground, state: FastState, first: int, seat: int, plan: Orders) -> bool:
    """Whether a plan wins this turn whatever the others write."""
    if not wins(ground, state, first, seat, plan):
        return False
    answers = answers_to(ground, state, seat, plan)
    orders = turn_orders(ground, seat, plan)
    for combined in product(*answers.values()):
        for battalion, march in zip(answers, combined, strict=True):
            orders[battalion] = march
        if state.copy().play(ground, orders, first) != seat:
            return False
    return True


def stops_of(
    ground: Ground,
    state: FastState,
    first: int,
    threat: tuple[int, Orders],
    usual: tuple[int, Orders],
) -> list[Orders]:
    """The plans of a seat that keep another seat's plan from winning this turn.

    `threat` is the other seat and its plan. `usual` is this seat and the plan it would write
    otherwise, of which it changes one order. Those that move the most troops come first.
    """
    (other, plan), (seat, rest) = threat, usual
    answers = answers_to(ground, state, other, plan)
    stops: dict[Orders, int] = {}
    for i, battalion in enumerate(ground.teams[seat]):
        for march in answers.get(battalion, ())[1:]:
            answer = (*rest[:i], march, *rest[i + 1 :])
            orders = turn_orders(ground, other, plan)
            for own, order in zip(ground.teams[seat], answer, strict=True):
                orders[own] = order
            if march and state.copy().play(ground, orders, first) != other:
                stops[answer] = march[1]
    return sorted(stops, key=stops.__getitem__, reverse=True)


def turn_orders(ground: Ground, seat: int, plan: Orders) -> list[March | None]:
    """The orders of a turn, by battalion, if a seat follows a plan and all others pass."""
    orders: list[March | None] = [None] * len(ground.owners)
    for battalion, march in zip(ground.teams[seat], plan, strict=True):
        orders[battalion] = march
    return orders


def answers_to(
    ground: Ground, state: FastState, seat: int, plan: Orders
) -> dict[int, Sequence[March | None]]:
    """By enemy battalion: None for a pass, and the orders that can matter to a plan of a seat."""
    needed = {square for march in plan if march for square in (march[0], march[2])}
    for battalion in ground.teams[seat]:
        needed |= GOALS[battalion]
    answers: dict[int, Sequence[March | None]] = {}
    for battalion in ground.active:
        if ground.owners[battalion] != seat:
            winning = set(winning_marches(ground, state, battalion))
            answers[battalion] = (
                None,
                *(
                    march
                    for march in distinct_marches(ground, state, battalion)
                    if march in winning or march[2] in needed
                ),
            )
    return answers


def distinct_marches(ground: Ground, state: FastState, battalion: int) -> Iterator[March]:
    """Yield the orders of a battalion, with only those numbers of troops that make a difference.

    That is one, all, and about as many as there are on the target.
    """
    held = {square: troops for stacks in state.stacks for square, troops in stacks.items()}
    own = state.stacks[battalion]
    for march in marches_of(ground, state, battalion):
        source, troops, target = march
        there = held.get(target, 0)
        if troops in {1, there - 1, there, there + 1, own[source]}:
            yield march
