"""The race player: it marches to its objectives as fast as it can, whatever the others do.

It is the baseline for the other players. Each battalion writes an order that leaves it the fewest
orders to go (by `distance.py`, which knows the shortest routes of whole stacks). Of several, it
takes one that moves the most troops, at random. It attacks only weaker troops in its way, and never
considers what the others may do.
"""

from collections.abc import Iterator

from games.chance import Chance
from games.conquest.computer.distance import UNREACHABLE, distance_of
from games.conquest.computer.fast_state import FastState, March, fast_state_of, order_of
from games.conquest.computer.ground import HEADQUARTERS, SQUARES, Ground, ground_in
from games.conquest.moves import Choice, Move, Plan, Reinforcement, Supply
from games.conquest.view import View
from games.core import Seat


def marches_of(ground: Ground, state: FastState, battalion: int) -> Iterator[March]:
    """Yield every order that a battalion can write, except a pass."""
    partner = ground.partners[battalion]
    barred = () if partner is None else state.stacks[partner]
    for source, troops in state.stacks[battalion].items():
        for target in ground.roads[battalion][source]:
            if target not in barred:
                for number in range(1, troops + 1):
                    yield source, number, target


def race_order(
    ground: Ground, state: FastState, battalion: int, chance: Chance, left: int = UNREACHABLE
) -> March | None:
    """The race player's order, None if no march helps; `left` is how many orders it can write."""
    distance = distance_of(ground, battalion)
    fewest, most = distance.shortfall(state.stacks[battalion], state.banks[battalion], left), 0
    best: list[March] = []
    for march in marches_of(ground, state, battalion):
        after = state.copy()
        after.march(ground, battalion, march)
        orders = distance.shortfall(after.stacks[battalion], after.banks[battalion], left - 1)
        if orders < fewest or (orders == fewest and best and march[1] > most):
            fewest, most, best = orders, march[1], []
        if orders == fewest and march[1] == most:
            best.append(march)
    return chance.pick(best) if best else None


def race_place(
    ground: Ground, state: FastState, battalion: int, chance: Chance, left: int
) -> int | None:
    """The square where the race player puts a troop from a bank; None if it can't."""
    stacks, home = state.stacks[battalion], HEADQUARTERS[battalion]
    partner = ground.partners[battalion]
    places = set(stacks)
    if partner is None or home not in state.stacks[partner]:
        places.add(home)
    if not state.banks[battalion] or not places:
        return None
    distance = distance_of(ground, battalion)
    orders = {
        place: distance.shortfall({**stacks, place: stacks.get(place, 0) + 1}, 0, left)
        for place in sorted(places)
    }
    fewest = min(orders.values())
    return chance.pick([place for place in orders if orders[place] == fewest])


def race(view: View, seat: Seat, chance: Chance) -> Move:
    """The race player's move; it never chooses to fight."""
    if view.contest is not None:
        return Choice(fight=False)
    ground, state = ground_in(view), fast_state_of(view.board, view.banks)
    team, left = ground.teams[seat], ground.left_from(view.turn)
    if view.phase == "planning":
        return Plan(tuple(order_of(race_order(ground, state, b, chance, left)) for b in team))
    places = (race_place(ground, state, b, chance, left - 1) for b in team)
    return Supply(
        tuple(None if place is None else Reinforcement(SQUARES[place]) for place in places)
    )
