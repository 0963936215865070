"""The phases of a turn: planning, movement, reinforcement (R12, R17, R20, R23).

Only `advance` moves a match on: it takes all steps in which no seat has anything to decide.
"""

from collections.abc import Mapping
from dataclasses import replace

from games.conquest.battalions import Battalion, owner
from games.conquest.board import Board
from games.conquest.movement import abandon, execute_next
from games.conquest.moves import Plan
from games.conquest.planning import can_order
from games.conquest.reinforcement import reserve_order
from games.conquest.report import Report
from games.conquest.state import Pending, State, clockwise, playing, team
from games.core import Seat


def awaited(state: State) -> tuple[Seat, ...]:
    """The seats that owe a move in this phase; before `advance`, there may be none."""
    if state.phase == "planning":
        return tuple(seat for seat in playing(state) if _can_plan(state, seat))
    if state.contest is not None:
        return (owner(state.seats, state.contest.battalion),)
    if state.options.reinforce == "together":
        return state.reserve
    return state.reserve[:1]


def owes(state: State, seat: Seat) -> bool:
    """Whether a seat is awaited; the same as `seat in awaited(state)`, but quicker."""
    if state.phase == "planning":
        return seat in playing(state) and _can_plan(state, seat)
    return seat in awaited(state)


def advance(state: State) -> State:
    """The state at the next decision of any seat, or at the end of the match."""
    while state.phase != "over" and not awaited(state):
        state = _step(state)
    return state


def reveal(state: State, plans: Mapping[Seat, Plan]) -> State:
    """The state after the planning phase; a seat without a plan passes."""
    orders = {
        battalion: order
        for seat, plan in plans.items()
        for battalion, order in zip(team(state, seat), plan.orders, strict=True)
    }
    pending = tuple(
        Pending(battalion=battalion, order=orders.get(battalion))
        for battalion in clockwise(state, state.initiative)
    )
    return replace(state, phase="movement", pending=pending)


def new_report(turn: int, initiative: Battalion, board: Board) -> Report:
    """The report of a turn that has just begun."""
    return Report(turn=turn, initiative=initiative, board=board, movements=(), reserves=())


def leave(state: State, seat: Seat) -> State:
    """The state after a seat has left; its orders are void, even one that awaits a Choice (R37).

    Its troops and marks stay, and so does another seat's Choice against its troops.
    """
    state = replace(
        state,
        left=(*state.left, seat),
        pending=tuple(p for p in state.pending if owner(state.seats, p.battalion) != seat),
        reserve=tuple(other for other in state.reserve if other != seat),
    )
    ends = len(playing(state)) == 1
    contest = state.contest
    if contest is not None and (ends or owner(state.seats, contest.battalion) == seat):
        state = abandon(state, contest)
    return replace(state, phase="over", reserve=()) if ends else advance(state)


def _can_plan(state: State, seat: Seat) -> bool:
    return any(can_order(state.board, state.seats, b) for b in team(state, seat))


def _step(state: State) -> State:
    """Take the next step, given that no seat has anything to decide."""
    if state.phase == "planning":
        return reveal(state, {})
    if state.phase == "movement" and state.pending:
        return execute_next(state)
    if state.phase == "movement":
        return replace(state, phase="reinforcement", reserve=reserve_order(state))
    return _end_turn(state)


def _end_turn(state: State) -> State:
    if state.turn == state.options.turn_limit:
        return replace(state, phase="over")
    initiative = clockwise(state, Battalion((state.initiative + 1) % len(Battalion)))[0]
    return replace(
        state,
        turn=state.turn + 1,
        initiative=initiative,
        phase="planning",
        current=new_report(state.turn + 1, initiative, state.board),
        last=state.current,
    )
