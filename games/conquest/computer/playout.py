"""Playouts: quick play to the end of a match, with a policy for each seat."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from games.conquest.computer.distance import distance_of
from games.conquest.computer.evaluation import Distances, distance_for, finishes, shares, standings
from games.conquest.computer.fast_state import FastState, March
from games.conquest.computer.ground import BESIDE, GOALS, HEADQUARTERS, Ground
from games.conquest.computer.routes import Held, Roll, Route

HORIZON_TURNS: Final = 30
"""Turns after which a playout is judged by the orders still needed; hardly any takes that long."""

CONSOLATION_WEIGHT: Final = 0.25
"""The weight of a seat that lost but was about to win, compared with 1 for the winner.

Without it, all options would be worth the same once a match seems lost, and the computer would give
up.
"""

DELAY: Final = 0.98
"""The factor by which each turn brings a result closer to even chances: a win now is worth more
than one later, which enemies can still prevent in ways that no policy here considers."""

WALL_TROOPS: Final = 4
"""A square with at least this many troops of a seat that left is a wall; fewer can be beaten."""


@dataclass(frozen=True, slots=True)
class Policy:
    """The rules of thumb by which a seat plays in a playout."""

    even: bool
    """Whether troops split evenly, so that all groups can defend themselves."""

    patience: float
    """An attack must cost the enemy more than this many orders for each order that it costs."""

    least: int
    """The least orders that an attack must cost the enemy, unless it is free; 0 to never attack."""


RACER: Final = Policy(even=False, patience=0, least=0)
POLICIES: Final = (
    Policy(even=True, patience=1.5, least=2),
    Policy(even=False, patience=1.5, least=2),
    Policy(even=True, patience=1.0, least=3),
    Policy(even=False, patience=2.5, least=2),
)


OWN_POLICIES: Final = (
    RACER,
    Policy(even=True, patience=0, least=0),
    Policy(even=True, patience=1.5, least=2),
    Policy(even=True, patience=0.7, least=2),
    Policy(even=False, patience=0.7, least=2),
    Policy(even=False, patience=1.5, least=2),
)
"""The policies that a computer tries for itself. Which one does best depends on the position:
attacking one of three racers, for example, helps the other two."""


def walls_of(ground: Ground, state: FastState) -> frozenset[int]:
    """The squares held by `WALL_TROOPS` or more troops that never move again."""
    return frozenset(
        square
        for battalion, stacks in enumerate(state.stacks)
        if battalion not in ground.active
        for square, troops in stacks.items()
        if troops >= WALL_TROOPS
    )


class Playouts:
    """Playouts of one match, from any position and with any policies."""

    def __init__(self, ground: Ground, walls: frozenset[int]) -> None:
        self.ground = ground
        self.distances: Distances = tuple(
            distance_of(ground, battalion, walls) if battalion in ground.active else None
            for battalion in range(len(HEADQUARTERS))
        )
        self.turns = 0
        """The number of turns played in all playouts so far."""

    def run(
        self, state: FastState, turn: int, first: int, policies: tuple[Policy, ...], roll: Roll
    ) -> list[float]:
        """P(win) of each seat after a playout from the planning of a turn; changes `state`."""
        ground, begun = self.ground, turn
        routes: list[Route | None] = [None] * len(self.distances)
        last = min(ground.limit, turn + HORIZON_TURNS)
        while turn <= last:
            self.turns += 1
            orders = self.orders(state, routes, policies, roll, turn)
            winner = self._execute(state, first, orders, routes)
            if winner is not None:
                return self._delayed(self._won(state, first, winner), turn - begun + 1)
            self.reinforce(state, ground.active)
            first = ground.following(first)
            turn += 1
        if turn > ground.limit:
            return self._delayed(standings(ground, state), turn - begun)
        results = shares(ground, finishes(ground, state, self.distances, first))
        return self._delayed(results, turn - begun)

    def _delayed(self, results: list[float], turns: int) -> list[float]:
        """Bring results closer to even chances, by `DELAY` for each turn; changes `results`."""
        even, part = 1 / len(self.ground.playing), DELAY**turns
        for seat in self.ground.playing:
            results[seat] = even + (results[seat] - even) * part
        return results

    def _won(self, state: FastState, first: int, winner: int) -> list[float]:
        finish = finishes(self.ground, state, self.distances, first)
        parts = [0.0] * self.ground.seats
        for seat in self.ground.playing:
            parts[seat] = CONSOLATION_WEIGHT / (1 + finish[seat])
        parts[winner] = 1.0
        total = sum(parts)
        return [part / total for part in parts]

    def orders(
        self,
        state: FastState,
        routes: list[Route | None],
        policies: tuple[Policy, ...],
        roll: Roll,
        turn: int,
    ) -> list[March | None]:
        """The order of each battalion by the policy of its seat; updates `routes`."""
        ground = self.ground
        held = {
            square: (battalion, troops)
            for battalion, stacks in enumerate(state.stacks)
            for square, troops in stacks.items()
        }
        orders: list[March | None] = [None] * len(self.distances)
        prey: Sequence[int] = ()
        for battalion in ground.active:
            seat = ground.owners[battalion]
            assert seat is not None, "it is commanded"
            policy = policies[seat]
            if policy.least:
                prey = prey or self._prey(state)
                attack = self._attack(state, battalion, policy, held, prey[seat])
                if attack is not None:
                    routes[battalion] = None
                    orders[battalion] = attack
                    continue
            route = routes[battalion]
            if route is None:
                route = routes[battalion] = self._route(state, battalion, turn)
            orders[battalion] = route.next(held, roll, even=policy.even)
        return orders

    def first_orders(
        self, state: FastState, policies: tuple[Policy, ...], roll: Roll, turn: int
    ) -> list[March | None]:
        """The order of each battalion by the policy of its seat, without routes."""
        return self.orders(state, [None] * len(self.distances), policies, roll, turn)

    def _prey(self, state: FastState) -> Sequence[int]:
        """For each seat, the squares where it may attack somebody, as a set of bits."""
        ground, prey = self.ground, [0] * self.ground.seats
        for battalion in ground.active:
            squares = 0
            for square in state.stacks[battalion]:
                squares |= 1 << square
            squares &= ~ground.safe[battalion]
            for seat in range(ground.seats):
                if ground.owners[battalion] != seat:
                    prey[seat] |= squares
        return prey

    def _route(self, state: FastState, battalion: int, turn: int) -> Route:
        ground = self.ground
        return Route(
            distance_for(self.distances, battalion),
            (battalion, ground.partners[battalion]),
            state.stacks[battalion],
            state.banks[battalion],
            ground.left_from(turn),
        )

    def _attack(
        self, state: FastState, battalion: int, policy: Policy, held: Held, prey: int
    ) -> March | None:
        """The attack that is worth the most by the policy; None if none is worth it."""
        roads = self.ground.roads[battalion]
        best: March | None = None
        most = 0.0
        for source, troops in state.stacks[battalion].items():
            near = prey & BESIDE[source]
            if not near:
                continue
            troops -= source in GOALS[battalion]  # noqa: PLW2901 - one stays to hold it
            for target in roads[source]:
                if near >> target & 1 and held[target][1] < troops:
                    loss = self._loss(state, held[target][0], target)
                    if loss <= 0:
                        continue
                    cost = self._cost(state, battalion, (source, troops, target), held[target][1])
                    worth = loss - policy.patience * cost
                    if worth > most and (loss >= policy.least or cost <= 0):
                        most, best = worth, (source, troops, target)
        return best

    def _loss(self, state: FastState, battalion: int, target: int) -> int:
        """The number of orders that it costs a battalion to lose its troops on a square."""
        stacks, bank = state.stacks[battalion], state.banks[battalion]
        distance = distance_for(self.distances, battalion)
        left = stacks.copy()
        fallen = left.pop(target)
        return distance(left, bank + fallen) - distance(stacks, bank)

    def _cost(self, state: FastState, battalion: int, march: March, fallen: int) -> int:
        """The number of orders that an attack costs a battalion, compared with a useful march."""
        source, troops, target = march
        stacks, bank = state.stacks[battalion], state.banks[battalion]
        distance = distance_for(self.distances, battalion)
        own = stacks.copy()
        own[source] -= troops
        if not own[source]:
            del own[source]
        own[target] = troops - fallen
        return distance(own, bank + fallen) - distance(stacks, bank) + 1

    def _execute(
        self,
        state: FastState,
        first: int,
        orders: list[March | None],
        routes: list[Route | None],
    ) -> int | None:
        """Execute the orders of a turn; returns the seat that wins, or None.

        Drops the routes of battalions that were disturbed.
        """
        ground, stacks = self.ground, state.stacks
        for battalion in ground.initiative(first):
            order = orders[battalion]
            if order is None:
                continue
            source, troops, target = order
            if stacks[battalion].get(source, 0) < troops:
                routes[battalion] = None
            for other, theirs in enumerate(stacks):
                if target in theirs and other != battalion:
                    routes[battalion] = routes[other] = None
            if not state.march(ground, battalion, order):
                routes[battalion] = None
            elif target in GOALS[battalion] and state.completes(ground, battalion, target):
                return ground.owners[battalion]
        return None

    def reinforce(self, state: FastState, battalions: Iterable[int]) -> None:
        """Move a troop from each bank to the weakest stack that can be attacked, or to the HQ."""
        for battalion in battalions:
            if not state.banks[battalion]:
                continue
            safe, partner = self.ground.safe[battalion], self.ground.partners[battalion]
            stacks = state.stacks[battalion]
            open_ = [(n, square) for square, n in stacks.items() if not safe >> square & 1]
            place = min(open_)[1] if open_ else HEADQUARTERS[battalion]
            if open_ or partner is None or place not in state.stacks[partner]:
                stacks[place] = stacks.get(place, 0) + 1
                state.banks[battalion] -= 1
