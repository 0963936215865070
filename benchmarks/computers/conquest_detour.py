"""A stronger baseline than `race`: it goes around blockers, and attacks where it pays.

It's only an opponent for benchmarks. It looks at the current position, never at what others may
do next. For each battalion it takes the first of these that there is: an order that wins; if it
isn't ahead, the attack that costs the rival battalion nearest to winning more orders than itself;
the race player's order; and, if that one waits behind a blocker, a march on the shortest way
around all squares that are held.
"""

from dataclasses import replace

from games.chance import Chance
from games.conquest import Choice, Move, Plan, View
from games.conquest.computer.distance import Distance, distance_of
from games.conquest.computer.fast_state import FastState, March, fast_state_of, order_of
from games.conquest.computer.ground import Ground, ground_in
from games.conquest.computer.race import marches_of, race, race_order
from games.conquest.computer.tactics import winning_marches
from games.core import Seat


def detour(view: View, seat: Seat, chance: Chance) -> Move:
    """The baseline's move: a plan; other moves are the race player's, except that it fights."""
    move = race(view, seat, chance)
    if isinstance(move, Choice):
        return replace(move, fight=True)
    if not isinstance(move, Plan):
        return move
    ground, state = ground_in(view), fast_state_of(view.board, view.banks)
    marches = (march_around(ground, state, battalion, chance) for battalion in ground.teams[seat])
    return Plan(tuple(map(order_of, marches)))


def march_around(ground: Ground, state: FastState, battalion: int, chance: Chance) -> March | None:
    """The order of one battalion; None to pass."""
    win = next(winning_marches(ground, state, battalion), None)
    attack = win or _attack(ground, state, battalion)
    racing = attack or race_order(ground, state, battalion, chance)
    return racing or _step_around(ground, state, battalion, chance)


def _attack(ground: Ground, state: FastState, battalion: int) -> March | None:
    """The attack that costs the rival battalion nearest to its goal most, net of its own cost.

    None unless the rival is at least as near to its goal as the attacker. With more than two
    seats, it also leaves attacks to the others until the rival needs only one more order.
    """
    rivals = [b for b in ground.active if ground.owners[b] != ground.owners[battalion]]
    if not rivals:
        return None
    leader = min(rivals, key=lambda rival: _orders_left(ground, state, rival))
    before, theirs = _orders_left(ground, state, battalion), _orders_left(ground, state, leader)
    best, most = None, 0
    if theirs > before or (ground.seats > 2 and theirs > 1):
        return None
    for march in marches_of(ground, state, battalion):
        if march[1] <= state.stacks[leader].get(march[2], march[1]):
            continue
        after = state.copy()
        after.march(ground, battalion, march)
        cost = _orders_left(ground, after, battalion) - before
        gain = _orders_left(ground, after, leader) - theirs - cost
        if gain > most:
            best, most = march, gain
    return best


def _orders_left(ground: Ground, state: FastState, battalion: int) -> int:
    return distance_of(ground, battalion)(state.stacks[battalion], state.banks[battalion])


def _step_around(ground: Ground, state: FastState, battalion: int, chance: Chance) -> March | None:
    """A march that leaves fewer orders to the goal, going around all squares that others hold."""
    others = (stacks for other, stacks in enumerate(state.stacks) if other != battalion)
    held = frozenset(square for stacks in others for square in stacks)
    own, bank = state.stacks[battalion], state.banks[battalion]
    distance = Distance(ground.roads[battalion], battalion, held)
    now, nearer = distance(own, bank), []
    for march in marches_of(ground, state, battalion):
        after = state.copy()
        after.march(ground, battalion, march)
        if march[2] not in held and distance(after.stacks[battalion], bank) < now:
            nearer.append(march)
    return chance.pick(nearer) if nearer else None
