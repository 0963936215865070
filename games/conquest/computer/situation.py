"""The decisions of a seat in plain numbers: its options, and playouts of each of them."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import product
from typing import ClassVar, Final

from games.chance import Chance
from games.conquest.battalions import Battalion, owner
from games.conquest.computer.candidates import Expected, expected_orders, plans_of, quick_plans
from games.conquest.computer.evaluation import outlook
from games.conquest.computer.fast_state import FastState, March, fast_state_of, march_of, order_of
from games.conquest.computer.forced import forcing_plan, is_forcing, stays_sure
from games.conquest.computer.ground import HEADQUARTERS, Ground, ground_in
from games.conquest.computer.last_turn import LastTurn
from games.conquest.computer.lookahead import Cell, is_racing
from games.conquest.computer.playout import (
    OWN_POLICIES,
    POLICIES,
    RACER,
    Playouts,
    Policy,
    walls_of,
)
from games.conquest.computer.routes import Roll
from games.conquest.computer.tactics import Orders, is_sure, stops_of, winning_plans
from games.conquest.determinization import determinize
from games.conquest.layout import POSITIONS
from games.conquest.moves import Choice, Move, Placement, Plan, Reinforcement, Supply
from games.conquest.reinforcement import placements_of
from games.conquest.view import View
from games.core import Seat

SEED_COUNT: Final = 2**30

MAX_PLACEMENTS: Final = 4
"""The most placements of each battalion that are tried in playouts."""

MIN_PLAYOUTS_FOR_RIVAL_OPTIONS: Final = 60
"""With fewer playouts than this, each of several other seats has only one option."""

PLAYOUTS_PER_POLICY_TRIAL: Final = 5
"""One in this many playouts is spent on finding the policy that the seat itself should follow."""

MIN_PLAYOUTS_PER_POLICY: Final = 10
"""With fewer playouts of each policy, comparing them would be pointless."""

KEPT_POLICIES: Final = 2
"""The number of policies that are kept; there are too few playouts to rely on a single one."""

MAX_OWN_PLANS: Final = 16
"""The most plans of the seat that are tried; more would leave too few playouts for the best."""

MAX_WINS: Final = 6
"""The most plans that win at once if nobody interferes; each of them is tried to the end."""

MIN_PLAYOUTS_FOR_FORCED: Final = 300
"""Levels with at least this many playouts also look for a sure win in two turns."""

OVERSIGHT: Final = 0.03
"""The probability that all others overlook such a win, so that it succeeds. That way it's preferred
when nothing else makes a difference, above all when everything seems lost."""

MAX_STOPS: Final = 3
"""The most plans of another seat against such a win, in addition to its other plans."""


MAX_TURNS: Final = 16_000
"""The most turns in all playouts of one choice, which keeps the longest under 2 seconds of CPU."""

EXPECTED_WAYS: Final = 2
"""The number of expected plans of a single opponent by which the seat's plans are ranked, besides a
pass. Several opponents seldom all play as expected: ranking by that lost more matches.
"""


class Situation(ABC):
    """A decision of a seat, from its own view."""

    def __init__(self, view: View, seat: Seat, chance: Chance) -> None:
        self.view = view
        self.seat = seat
        self.ground = ground_in(view)
        self.state = fast_state_of(view.board, view.banks)
        self.playouts = Playouts(self.ground, walls_of(self.ground, self.state))
        self.first = int(view.initiative)
        self.others = tuple(other for other in self.ground.playing if other != seat)
        self._seed = str(chance.below(SEED_COUNT))
        self._own: tuple[Policy, ...] = POLICIES

    most_playouts: ClassVar[int] = 10**6
    """The most playouts that are useful for this kind of decision."""

    @abstractmethod
    def options(self, budget: int) -> tuple[Sequence[Move], Cell]:
        """The moves to evaluate, and the number of options of each other seat."""

    @abstractmethod
    def trial(self, cell: Cell, number: int) -> Sequence[float]:
        """Run a playout; returns P(win) of this seat, then of each other. See `lookahead.Trial`."""

    @property
    def kept(self) -> frozenset[int]:
        """The indexes of the options that must be tried to the end."""
        return frozenset()

    def misses(self, move: Move) -> bool | None:
        """Whether a move gives away a sure win; None if there was none."""
        del move
        return None

    @property
    def is_last_turn(self) -> bool:
        """Whether no turn comes after this one (R23)."""
        return self.view.turn >= self.ground.limit

    def settle(self, budget: int) -> int:
        """Find the policies that do best for this seat; returns the number of playouts left.

        That is lower if playouts are long, as they are in the first turns.
        """
        budget = min(budget, self.most_playouts)
        times, worths = budget // PLAYOUTS_PER_POLICY_TRIAL // len(OWN_POLICIES), []
        if times < MIN_PLAYOUTS_PER_POLICY:
            return budget
        begun, tried = self.playouts.turns, times * len(OWN_POLICIES)
        for policy in OWN_POLICIES:
            self._own = (policy,)
            worths.append(sum(self._from_here(number) for number in range(times)))
        # If all are equal, mostly because everything seems lost, the last ones win: they attack.
        ranked = sorted(range(len(OWN_POLICIES)), key=lambda i: (worths[i], i), reverse=True)
        self._own = tuple(OWN_POLICIES[i] for i in ranked[:KEPT_POLICIES])
        played = max(self.playouts.turns - begun, 1)
        return min(budget, MAX_TURNS * tried // played) - tried

    def _from_here(self, number: int) -> float:
        """P(win) of this seat after a playout from the current position, without an option."""
        turn, first = self.view.turn, self.first
        if self.view.phase != "planning":
            turn, first = turn + 1, self.ground.following(first)
        policies, roll = self.policies(number), self.roll(number)
        return self.playouts.run(self.state.copy(), turn, first, policies, roll)[self.seat]

    def roll(self, number: int) -> Roll:
        return Chance(self._seed, number).fraction

    def play_on(self, state: FastState, number: int) -> Sequence[float]:
        """P(win) of this seat and of each other, after a playout from the next turn on."""
        first = self.ground.following(self.first)
        turn = self.view.turn + 1
        results = self.playouts.run(state, turn, first, self.policies(number), self.roll(number))
        return self.in_order(results)

    def policies(self, number: int) -> tuple[Policy, ...]:
        others = len(self.others)
        races = is_racing(number, others)
        theirs = RACER if races else POLICIES[number // (others + 2) % len(POLICIES)]
        policies = [theirs] * self.ground.seats
        policies[self.seat] = self._own[number % len(self._own)]
        return tuple(policies)

    def in_order(self, results: Sequence[float]) -> Sequence[float]:
        """The results of the seats that are playing, this seat's first."""
        return [results[self.seat], *(results[other] for other in self.others)]

    def won_by(self, winner: int) -> Sequence[float]:
        """The results, in the same order, if `winner` has won."""
        return [float(seat == winner) for seat in (self.seat, *self.others)]


class Planning(Situation):
    """The planning phase: an order of each battalion, while all others write theirs."""

    def __init__(self, view: View, seat: Seat, chance: Chance) -> None:
        super().__init__(view, seat, chance)
        self._plans: tuple[tuple[Orders, ...], ...] = ()
        self._races: dict[int, Sequence[March | None]] = {}
        self._winning = frozenset[int]()
        self._sure: Orders | None = None

    @property
    def kept(self) -> frozenset[int]:
        return self._winning

    def options(self, budget: int) -> tuple[Sequence[Move], Cell]:
        """Plans of all seats: those by a policy, and those that look good after one turn."""
        if len(self.others) == 1:
            each = max(int((budget / 33) ** 0.5), 1)
        else:
            each = 2 if budget >= MIN_PLAYOUTS_FOR_RIVAL_OPTIONS else 1
        own = min(max(budget // 3 // each, 2), MAX_OWN_PLANS)
        looks_on = budget >= MIN_PLAYOUTS_FOR_FORCED
        every = expected_orders(self.playouts, self.state, self.roll(0), self.view.turn)
        expected = every[:EXPECTED_WAYS] if looks_on and len(self.others) == 1 else ()
        quick = quick_plans(self.ground, every)
        sensible = self._of(self.seat, own, quick, expected)
        winning = winning_plans(*self._position, self.seat, sensible)[:MAX_WINS]
        self._sure = self._find_sure(winning, (*winning, *sensible) if looks_on else ())
        mine = (*winning, *sensible) if self._sure is None else (self._sure,)
        stops = MAX_STOPS if len(self.others) == 1 else 1
        self._plans = (
            tuple(dict.fromkeys(mine)),
            *(
                self._answering(winning, self._of(other, each, quick, expected), other, stops)
                for other in self.others
            ),
        )
        self._winning = frozenset(i for i, plan in enumerate(self._plans[0]) if plan in winning)
        moves = tuple(Plan(tuple(map(order_of, orders))) for orders in self._plans[0])
        return moves, tuple(len(plans) for plans in self._plans[1:])

    def _find_sure(self, winning: Sequence[Orders], sensible: Sequence[Orders]) -> Orders | None:
        """A plan that nobody can keep from winning now or in the next turn, if one is found.

        In the last turn, it may also be a plan that surely wins by count. `sensible` are the plans
        to examine for a win in the next turn; empty for a quick level.
        """
        for plan in winning:
            if is_sure(*self._position, self.seat, plan):
                return plan
        if self.is_last_turn:
            return LastTurn(*self._position, self.seat).sure_plan()
        if not sensible:
            return None
        return forcing_plan(self.playouts, *self._position[1:], self.seat, sensible)

    def misses(self, move: Move) -> bool | None:
        """Whether a plan gives away a sure win in this turn or the next; either is good enough."""
        if self._sure is None or not isinstance(move, Plan):
            return None
        orders = tuple(map(march_of, move.orders))
        if is_sure(*self._position, self.seat, orders):
            return False
        if self.is_last_turn:
            return not LastTurn(*self._position, self.seat).is_sure(orders)
        return not is_forcing(self.playouts, *self._position[1:], self.seat, orders)

    @property
    def _position(self) -> tuple[Ground, FastState, int]:
        return self.ground, self.state, self.first

    def _answering(
        self, winning: Sequence[Orders], plans: tuple[Orders, ...], seat: int, number: int
    ) -> tuple[Orders, ...]:
        """The plans of another seat, plus some that stop a plan that would win."""
        for plan in winning[:1]:
            stops = stops_of(*self._position, (self.seat, plan), (seat, plans[0]))
            plans = tuple(dict.fromkeys((*plans, *stops[:number])))
        return plans

    def _of(
        self, seat: int, number: int, quick: Sequence[tuple[Orders, ...]], expected: Expected
    ) -> tuple[Orders, ...]:
        if number <= len(quick[seat]):
            return quick[seat][:number]
        ranked = plans_of(
            self.playouts, self.state, (seat, self.first, self.view.turn), number, expected
        )
        return tuple(dict.fromkeys((*quick[seat], *ranked)))[:number]

    def _raced(self, number: int) -> Sequence[March | None]:
        """The orders of racers in a playout with this number; the first option of other seats."""
        if number not in self._races:
            policies = (RACER,) * self.ground.seats
            self._races[number] = self.playouts.first_orders(
                self.state, policies, self.roll(number), self.view.turn
            )
        return self._races[number]

    def include(self, move: Plan) -> None:
        """Add a plan to the options of the seat."""
        orders = tuple(map(march_of, move.orders))
        self._plans = ((*self._plans[0], orders), *self._plans[1:])

    def trial(self, cell: Cell, number: int) -> Sequence[float]:
        orders = list(self._raced(number))
        for seat, plans, choice in zip((self.seat, *self.others), self._plans, cell, strict=True):
            if choice or seat == self.seat:
                for battalion, order in zip(self.ground.teams[seat], plans[choice], strict=True):
                    orders[battalion] = order
        mine, *theirs = self._played(orders, number)
        if cell[0] in self._winning:
            mine += OVERSIGHT * (1 - mine)
        return mine, *theirs

    def _played(self, orders: Sequence[March | None], number: int) -> Sequence[float]:
        state = self.state.copy()
        winner = state.play(self.ground, orders, self.first)
        if winner is not None:
            return self.won_by(winner)
        self.playouts.reinforce(state, self.ground.active)
        return self.play_on(state, number)


class Reserves(Situation):
    """The reinforcement phase: at most one troop for each battalion."""

    most_playouts = 500
    _supplies: Sequence[Supply] = ()

    def options(self, budget: int) -> tuple[Sequence[Move], Cell]:
        parts = [self._ranked(Battalion(b)) for b in self.ground.teams[self.seat]]
        supplies = tuple(Supply(placements) for placements in product(*parts))
        sure = next((supply for supply in supplies if self._is_sure(supply)), None)
        self._supplies = supplies if sure is None else (sure,)
        return self._supplies, ()

    def _is_sure(self, supply: Supply) -> bool:
        """Whether nobody can keep the seat from winning in the next turn after this supply."""
        if self.is_last_turn:
            return False
        first = self.ground.following(self.first)
        return stays_sure(self.ground, self._supplied(supply), first, self.seat)

    def _supplied(self, supply: Supply) -> FastState:
        """The position after the seat has supplied its battalions."""
        state = self.state.copy()
        team = self.ground.teams[self.seat]
        for battalion, placement in zip(team, supply.placements, strict=True):
            place(state, battalion, placement)
        return state

    def _ranked(self, battalion: Battalion) -> Sequence[Placement | None]:
        """The placements of a battalion that look best right after it."""
        first, left = self.ground.following(self.first), self.ground.left_from(self.view.turn + 1)

        def worth(placement: Placement | None) -> float:
            state = self.state.copy()
            place(state, battalion, placement)
            return outlook(self.ground, state, self.playouts.distances, first, left)[self.seat]

        placements = placements_of(determinize(self.view, Chance(self._seed, 0)), battalion)
        if any(isinstance(placement, Reinforcement) for placement in placements):
            placements = placements[1:]  # a troop is never worse on the board than in the bank
        return sorted(placements, key=worth, reverse=True)[:MAX_PLACEMENTS]

    def trial(self, cell: Cell, number: int) -> Sequence[float]:
        state = self._supplied(self._supplies[cell[0]])
        for other in self.view.reserve:
            if other != self.seat:
                self.playouts.reinforce(state, self.ground.teams[other])
        return self.play_on(state, number)


class Dilemma(Situation):
    """A Commander's Choice: to fight a battle, or to leave everything as it is."""

    def options(self, budget: int) -> tuple[Sequence[Move], Cell]:
        return (Choice(fight=True), Choice(fight=False)), ()

    def trial(self, cell: Cell, number: int) -> Sequence[float]:
        contest = self.view.contest
        assert contest is not None, "it is what this is about"
        state = self.state.copy()
        march = march_of(contest.order)
        orders = self._pending(number)
        orders[contest.battalion] = march if cell[0] == 0 else None
        executed = (contest.battalion, *self.view.pending)
        for battalion in executed:
            order = orders[battalion]
            if (
                order is not None
                and state.march(self.ground, battalion, order)
                and state.completes(self.ground, battalion, order[2])
            ):
                return self.won_by(owner(self.ground.seats, battalion))
        self.playouts.reinforce(state, self.ground.active)
        return self.play_on(state, number)

    def _pending(self, number: int) -> list[March | None]:
        """Pending orders: the seat's own, and some that the others may have written."""
        planned = fast_state_of(self.view.current.board, self.view.banks)
        policies, roll = self.policies(number), self.roll(number)
        orders = self.playouts.first_orders(planned, policies, roll, self.view.turn)
        for item in self.view.written:
            orders[item.battalion] = march_of(item.order)
        return orders


def place(state: FastState, battalion: int, placement: Placement | None) -> None:
    """Apply a placement of a battalion to a state in plain numbers."""
    if placement is None:
        return
    stacks = state.stacks[battalion]
    if isinstance(placement, Reinforcement):
        state.banks[battalion] -= 1
        target = POSITIONS[placement.square]
    else:
        source = POSITIONS[placement.source]
        stacks[source] -= 1
        if not stacks[source]:
            del stacks[source]
        target = HEADQUARTERS[battalion]
    stacks[target] = stacks.get(target, 0) + 1
