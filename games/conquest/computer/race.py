"""The race player: it marches to its objectives as fast as it can, whatever the others do.

The yardstick of the other players. Each of its battalions takes an order that leaves it the fewest
orders to go (`distance.py`: it knows the shortest way of all for whole stacks), the one that moves
the most troops among several, and one at random among those. It attacks only what stands in its
way and is weaker, and never thinks about what others may do.
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
    """Every order that a battalion can write."""
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
    """The order of a battalion that only races, and can write `left` of them to the end."""
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
    """Where a battalion that only races puts a troop from its bank; None where it cannot."""
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
    """What a seat does that only races: it never fights where it has the choice."""
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
