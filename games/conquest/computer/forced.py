"""Wins in the next turn that nobody can stop, found exactly, before any playout.

A plan forces a win if, whatever the others write now, it wins at once or leaves the seat with a
plan for the next turn that wins whatever they write then. Only answers near the squares that these
two turns need are tried.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import prod
from typing import Final

from games.conquest.computer.evaluation import distance_for
from games.conquest.computer.fast_state import FastState, March
from games.conquest.computer.ground import AROUND, GOALS, HEADQUARTERS, Ground
from games.conquest.computer.playout import Playouts
from games.conquest.computer.race import marches_of
from games.conquest.computer.tactics import (
    Orders,
    distinct_marches,
    is_sure,
    turn_orders,
    winning_marches,
    winning_plans,
)

MAX_ANSWERS: Final = 1500
"""The most joint answers of the others that are tried; a plan with more doesn't count as sure."""

MAX_RESERVES: Final = 100
"""The most joint placements of the others that are tried one by one."""

MAX_PLANS: Final = 12
"""The most plans that are examined."""

LAST_ORDERS: Final = 2
"""The most orders that a seat may need to win: one now and one in the next turn."""


def has_sure_win(ground: Ground, state: FastState, first: int, seat: int) -> bool:
    """Whether a seat has a plan that wins this turn whatever the others write."""
    passing: Orders = (None,) * len(ground.teams[seat])
    return any(
        is_sure(ground, state, first, seat, plan)
        for plan in winning_plans(ground, state, first, seat, (passing,))
    )


def forcing_plan(
    playouts: Playouts, state: FastState, first: int, seat: int, sensible: Sequence[Orders]
) -> Orders | None:
    """A plan after which nobody can keep the seat from winning in the next turn, if one is found.

    The plans in `sensible` are tried first, then single marches.
    """
    ground = playouts.ground
    if min(_needed(playouts, state, battalion) for battalion in ground.teams[seat]) > LAST_ORDERS:
        return None
    plans = (*sensible, *_single_marches(playouts, state, seat))
    near = [plan for plan in dict.fromkeys(plans) if _leads_near(playouts, state, seat, plan)]
    return next(
        (plan for plan in near[:MAX_PLANS] if is_forcing(playouts, state, first, seat, plan)), None
    )


def is_forcing(playouts: Playouts, state: FastState, first: int, seat: int, plan: Orders) -> bool:
    """Whether a plan wins now or in the next turn, whatever the others write."""
    ground, orders = playouts.ground, turn_orders(playouts.ground, seat, plan)
    answers = _answers(playouts, state, seat, plan)
    if answers is None or prod(map(len, answers.values())) > MAX_ANSWERS:
        return False
    for combined in product(*answers.values()):
        for battalion, march in zip(answers, combined, strict=True):
            orders[battalion] = march
        after = state.copy()
        winner = after.play(ground, orders, first)
        if winner is None:
            playouts.reinforce(after, ground.teams[seat])
        if winner != seat and (
            winner is not None or not stays_sure(ground, after, ground.following(first), seat)
        ):
            return False
    return True


def stays_sure(ground: Ground, state: FastState, first: int, seat: int) -> bool:
    """Whether a seat has a sure win in a turn, wherever the others have reinforced before it.

    `state` is the position before they did.
    """
    reserves = [
        [(battalion, square) for square in (*state.stacks[battalion], HEADQUARTERS[battalion])]
        for battalion in ground.active
        if ground.owners[battalion] != seat and state.banks[battalion]
    ]
    everywhere = _reinforced(state, [place for places in reserves for place in places])
    if has_sure_win(ground, everywhere, first, seat):
        return True
    return (
        0 < prod(map(len, reserves)) <= MAX_RESERVES
        and bool(reserves)
        and all(
            has_sure_win(ground, _reinforced(state, places), first, seat)
            for places in product(*reserves)
        )
    )


def _reinforced(state: FastState, places: Iterable[tuple[int, int]]) -> FastState:
    after = state.copy()
    for battalion, square in places:
        stacks = after.stacks[battalion]
        stacks[square] = stacks.get(square, 0) + 1
    return after


def _needed(playouts: Playouts, state: FastState, battalion: int) -> int:
    return distance_for(playouts.distances, battalion)(
        state.stacks[battalion], state.banks[battalion]
    )


def _single_marches(playouts: Playouts, state: FastState, seat: int) -> Iterator[Orders]:
    """Yield plans in which one battalion gets nearer to its objectives and the other passes."""
    ground = playouts.ground
    for battalion in ground.teams[seat]:
        now = _needed(playouts, state, battalion)
        for march in marches_of(ground, state, battalion):
            after = state.copy()
            after.march(ground, battalion, march)
            if _needed(playouts, after, battalion) < now:
                yield tuple(march if other == battalion else None for other in ground.teams[seat])


def _leads_near(playouts: Playouts, state: FastState, seat: int, plan: Orders) -> bool:
    """Whether at most one order is needed to win after a plan, if nobody interferes."""
    after = state.copy()
    for battalion, march in zip(playouts.ground.teams[seat], plan, strict=True):
        if march is not None:
            after.march(playouts.ground, battalion, march)
    left = (_needed(playouts, after, battalion) for battalion in playouts.ground.teams[seat])
    return min(left) < LAST_ORDERS


def _answers(
    playouts: Playouts, state: FastState, seat: int, plan: Orders
) -> dict[int, Sequence[March | None]] | None:
    """By enemy battalion: None for a pass, and the orders that may interfere with a plan.

    None for a plan that doesn't lead to a win by itself.
    """
    ground, after = playouts.ground, state.copy()
    for battalion, march in zip(ground.teams[seat], plan, strict=True):
        if march is not None:
            after.march(ground, battalion, march)
    needed = {square for march in plan if march for square in (march[0], march[2])}
    complete = [b for b in ground.teams[seat] if after.is_complete(b)]
    winning = [
        (battalion, march)
        for battalion in ground.teams[seat]
        for march in winning_marches(ground, after, battalion)
    ]
    if not winning and not complete:
        return None
    for battalion, march in winning:
        needed |= {march[0], march[2], *GOALS[battalion]}
    for battalion in complete:
        needed |= GOALS[battalion]
    near = needed.union(*(AROUND[square] for square in needed))
    return {
        battalion: (None, *_nearing(playouts, state, battalion, near))
        for battalion in ground.active
        if ground.owners[battalion] != seat
    }


def _nearing(
    playouts: Playouts, state: FastState, battalion: int, near: set[int]
) -> Iterator[March]:
    """Yield the orders of an enemy that end on one of these squares, or bring it near a win."""
    ground, orders = playouts.ground, _needed(playouts, state, battalion)
    for march in distinct_marches(ground, state, battalion):
        if march[2] in near:
            yield march
        elif orders <= LAST_ORDERS:
            after = state.copy()
            after.march(ground, battalion, march)
            if _needed(playouts, after, battalion) < orders:
                yield march
