"""The planning phase: one order of each battalion, written in secret (R12, R13, R21)."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain

from games.conquest.battalions import Battalion, partner
from games.conquest.board import Board, Stack, no_troops, troops_on
from games.conquest.layout import NEIGHBORS, Square, closed_to, open_neighbors
from games.conquest.moves import Move, Order, Plan
from games.conquest.parts import joined
from games.conquest.state import State, team
from games.core import IllegalMoveError, Seat


def can_order(board: Board, seats: int, battalion: Battalion) -> bool:
    """Whether a battalion can write anything but `pass`."""
    roads = open_neighbors(seats, battalion)
    barred = _partner_squares(board, seats, battalion)
    for stack in board[battalion]:
        for target in roads[stack.square]:
            if target not in barred:
                return True
    return False


def orders_of(board: Board, seats: int, battalion: Battalion) -> tuple[Order | None, ...]:
    """The orders that a battalion can write on this board, `pass` first."""
    barred = _partner_squares(board, seats, battalion)
    orders = [
        order
        for stack in board[battalion]
        for order in _stack_orders(seats, battalion, stack)
        if order.target not in barred
    ]
    return (None, *orders)


def legal_plans(state: State, seat: Seat) -> Sequence[Plan]:
    battalions = team(state, seat)
    if len(battalions) > 1:
        parts = [orders_of(state.board, state.seats, battalion) for battalion in battalions]
        return tuple(Plan(orders) for orders in joined(*parts))
    (battalion,) = battalions
    plans = [_stack_plans(state.seats, battalion, stack) for stack in state.board[battalion]]
    return (Plan((None,)), *chain.from_iterable(plans))


# Playouts list the orders of the same stacks again and again, and creating new ones took two fifths
# of the time of a turn. The size limit keeps both caches at a few megabytes.
@lru_cache(maxsize=4096)
def _stack_orders(seats: int, battalion: Battalion, stack: Stack) -> tuple[Order, ...]:
    """The orders of one stack that are valid by the marks alone."""
    return tuple(
        Order(stack.square, troops, target)
        for target in open_neighbors(seats, battalion)[stack.square]
        for troops in range(1, stack.troops + 1)
    )


@lru_cache(maxsize=4096)
def _stack_plans(seats: int, battalion: Battalion, stack: Stack) -> tuple[Plan, ...]:
    """The orders of `_stack_orders`, as plans of a seat with one battalion."""
    return tuple(Plan((order,)) for order in _stack_orders(seats, battalion, stack))


def check_plan(state: State, seat: Seat, move: Move) -> None:
    if not isinstance(move, Plan) or not all(
        order is None or isinstance(order, Order) for order in move.orders
    ):
        raise IllegalMoveError(f"It's time to plan: write {_wanted(state, seat, 'an order like')}")
    battalions = team(state, seat)
    if len(move.orders) != len(battalions):
        command = "one battalion" if len(battalions) == 1 else "two battalions"
        wanted = _wanted(state, seat, "one order, like")
        raise IllegalMoveError(f"You command {command}, so write {wanted}")
    for battalion, order in zip(battalions, move.orders, strict=True):
        if order is not None:
            _check_order(state, battalion, order)


def _wanted(state: State, seat: Seat, one: str) -> str:
    """What a seat has to write, with an example that is legal now."""
    first, *others = team(state, seat)
    if not others:
        return f"{one} {_example(state, seat)}, or pass."
    colors = f"{first.color} before {others[0].color}"
    return f"both orders, {colors}, like {_example(state, seat)}."


def _example(state: State, seat: Seat) -> Plan:
    """A legal plan: an order for the first battalion that can write one, else passes.

    The seat must be awaited, so one of its battalions can.
    """
    battalions = team(state, seat)
    marching = next(b for b in battalions if can_order(state.board, state.seats, b))
    orders = orders_of(state.board, state.seats, marching)
    largest = max((order for order in orders if order is not None), key=lambda o: o.troops)
    # All but one, like the nine of ten in the manual: leaving a headquarters empty is a risk.
    example = replace(largest, troops=max(1, largest.troops - 1))
    return Plan(tuple(example if battalion is marching else None for battalion in battalions))


def _check_order(state: State, battalion: Battalion, order: Order) -> None:
    """Raise IllegalMoveError, with the reason, if an order is invalid when it's written."""
    there = troops_on(state.board, battalion, order.source)
    if not there:
        others = [stack.square for stack in state.board[battalion]]
        raise IllegalMoveError(no_troops(battalion, order.source, others))
    if not 1 <= order.troops <= there:
        some = "1 troop" if there == 1 else f"1 to {there} troops"
        raise IllegalMoveError(
            f"From {order.source}, you can send {some} of {battalion}, not {order.troops}."
        )
    if order.target not in NEIGHBORS[order.source]:
        raise IllegalMoveError(
            f"Troops move one step to a neighboring square, and {order.target} isn't next to "
            f"{order.source}."
        )
    closed = closed_to(state.seats, battalion).get(order.target)
    if closed is not None:
        raise IllegalMoveError(
            f"{order.target} is marked for {closed}, so {battalion} can't enter it."
        )
    if order.target in _partner_squares(state.board, state.seats, battalion):
        raise IllegalMoveError(
            f"Your other battalion is on {order.target}. Your two battalions can't share a square."
        )


def _partner_squares(board: Board, seats: int, battalion: Battalion) -> tuple[Square, ...]:
    other = partner(seats, battalion)
    return () if other is None else tuple(stack.square for stack in board[other])
