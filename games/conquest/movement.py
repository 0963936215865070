"""The movement phase: orders revealed and executed one at a time (R14-R16, R19)."""

from dataclasses import replace
from typing import Literal

from games.conquest.battalions import Battalion, owner, partner
from games.conquest.board import holder, troops_on, with_troops
from games.conquest.moves import Order
from games.conquest.ranking import has_won
from games.conquest.report import Conflict, Lapse, Movement
from games.conquest.state import Contest, State


def execute_next(state: State) -> State:
    """The state after the first pending order is executed, lapses, or meets equal troops.

    In the last case it may wait for a Commander's Choice (R16).
    """
    battalion, order = state.pending[0].battalion, state.pending[0].order
    state = replace(state, pending=state.pending[1:])
    if order is None:
        return _record(state, _idle(battalion, None, None))
    lapse = _lapse(state, battalion, order)
    if lapse is not None:
        return _record(state, _idle(battalion, order, lapse))
    defender = holder(state.board, order.target)
    moved = min(order.troops, troops_on(state.board, battalion, order.source))
    if defender is None or defender is battalion:
        return _march(state, battalion, order, moved)
    contest = Contest(battalion=battalion, order=order, defender=defender, troops=moved)
    if moved == troops_on(state.board, defender, order.target):
        return _meet_equals(state, contest)
    return _battle(state, contest, None)


def decide(state: State, contest: Contest, *, fight: bool) -> State:
    """The state after a Commander's Choice."""
    state = replace(state, contest=None)
    return _battle(state, contest, "fight") if fight else _stay(state, contest, "hold")


def abandon(state: State, contest: Contest) -> State:
    """The state after a Commander's Choice that nobody is left to make (R37)."""
    return _stay(replace(state, contest=None), contest, "void")


def _lapse(state: State, battalion: Battalion, order: Order) -> Lapse | None:
    """Why an order can't be executed now; None if it can."""
    there = holder(state.board, order.source)
    if there is not battalion:
        return "empty" if there is None else "taken"
    other = partner(state.seats, battalion)
    if other is not None and troops_on(state.board, other, order.target):
        return "partner"
    return None


def _meet_equals(state: State, contest: Contest) -> State:
    """Handle an arrival of as many troops as there are on the target (R16)."""
    equal = state.options.equal
    if equal == "choice":
        return replace(state, contest=contest)
    if equal == "bounce":
        return _stay(state, contest, "bounce")
    return _battle(state, contest, None)


def _march(state: State, battalion: Battalion, order: Order, moved: int) -> State:
    board = with_troops(state.board, battalion, order.source, -moved)
    board = with_troops(board, battalion, order.target, moved)
    movement = Movement(
        battalion=battalion, order=order, moved=moved, result="march", lapse=None, conflict=None
    )
    return _record_move(replace(state, board=board), movement)


def _battle(state: State, contest: Contest, choice: Literal["fight"] | None) -> State:
    """Both sides lose as many troops as the smaller one has (R15)."""
    attacker, defender, order = contest.battalion, contest.defender, contest.order
    defenders = troops_on(state.board, defender, order.target)
    lost = min(contest.troops, defenders)
    board = with_troops(state.board, attacker, order.source, -contest.troops)
    board = with_troops(board, defender, order.target, -lost)
    board = with_troops(board, attacker, order.target, contest.troops - lost)
    banks = list(state.banks)
    banks[attacker] += lost
    banks[defender] += lost
    conflict = Conflict(
        defender=defender,
        attackers=contest.troops,
        defenders=defenders,
        attackers_lost=lost,
        defenders_lost=lost,
        holder=holder(board, order.target),
        choice=choice,
    )
    movement = Movement(
        battalion=attacker,
        order=order,
        moved=contest.troops,
        result="battle",
        lapse=None,
        conflict=conflict,
    )
    return _record_move(replace(state, board=board, banks=tuple(banks)), movement)


def _stay(state: State, contest: Contest, result: Literal["bounce", "hold", "void"]) -> State:
    """Record an encounter of equal troops without a battle: nothing moves."""
    conflict = Conflict(
        defender=contest.defender,
        attackers=contest.troops,
        defenders=contest.troops,
        attackers_lost=0,
        defenders_lost=0,
        holder=contest.defender,
        choice="hold" if result == "hold" else None,
    )
    movement = Movement(
        battalion=contest.battalion,
        order=contest.order,
        moved=0,
        result=result,
        lapse=None,
        conflict=conflict,
    )
    return _record(state, movement)


def _idle(battalion: Battalion, order: Order | None, lapse: Lapse | None) -> Movement:
    return Movement(
        battalion=battalion,
        order=order,
        moved=0,
        result="pass" if lapse is None else "lapse",
        lapse=lapse,
        conflict=None,
    )


def _record_move(state: State, movement: Movement) -> State:
    """Record a movement of troops and check for a win, which only a movement can bring (R19)."""
    state = _record(state, movement)
    if has_won(state, owner(state.seats, movement.battalion)):
        return replace(state, phase="over")
    return state


def _record(state: State, movement: Movement) -> State:
    movements = (*state.current.movements, movement)
    return replace(state, current=replace(state.current, movements=movements))
