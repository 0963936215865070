"""Wins by count in the last turn, found exactly (R23).

Nobody can take an objective that is held, since it is closed to all enemies (R13). So only a few
orders of the others matter to a plan: those onto squares where its seat has troops or moves them,
those from such squares, and those onto the others' own objectives. The last kind helps only their
own seat, so one rival at a time is tried, with everything that the others can do to help it.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Final

from games.conquest.computer.fast_state import FastState, March
from games.conquest.computer.ground import GOALS, HEADQUARTERS, Ground
from games.conquest.computer.race import marches_of
from games.conquest.computer.tactics import Orders, turn_orders

MAX_TRIES: Final = 20_000
"""The most joint answers of the others that are tried: for one plan, which doesn't count as sure if
there are more, and for all plans together, before the search is given up. Hardly any position needs
a third of them."""

Answer = Mapping[int, March | None]
"""The orders of the others, by battalion."""


class LastTurn:
    """The planning phase of the last turn, for one seat."""

    def __init__(self, ground: Ground, state: FastState, first: int, seat: int) -> None:
        self._ground = ground
        self._state = state
        self._first = first
        self._seat = seat
        self._enemies = tuple(b for b in ground.active if ground.owners[b] != seat)
        self._stops: list[Answer] = [dict.fromkeys(self._enemies)]
        self._tries = 0

    def sure_plan(self) -> Orders | None:
        """A plan by which the seat wins alone, whatever the others write, if one is found.

        Of several, one that takes the most objectives.
        """
        team = self._ground.teams[self._seat]
        every = product(*((None, *marches_of(self._ground, self._state, b)) for b in team))
        for plan in sorted(every, key=self._taken, reverse=True):
            if self.is_sure(plan):
                return plan
            if self._tries > MAX_TRIES:
                return None
        return None

    def _taken(self, plan: Orders) -> int:
        """The number of objectives that a plan takes if nobody interferes."""
        orders = zip(self._ground.teams[self._seat], plan, strict=True)
        return sum(
            march is not None and self._takes(battalion, march) for battalion, march in orders
        )

    def _takes(self, battalion: int, march: March) -> bool:
        """Whether an order ends on an objective that its battalion doesn't hold yet."""
        return march[2] in GOALS[battalion] - self._state.stacks[battalion].keys()

    def is_sure(self, plan: Orders) -> bool:
        """Whether no other seat can win or tie after a plan, whatever the others write."""
        if any(not self._is_first(plan, answer) for answer in self._stops):
            return False
        for answers in self._answers(plan):
            if prod(map(len, answers.values())) > MAX_TRIES:
                return False
            for combined in product(*answers.values()):
                answer = dict(zip(answers, combined, strict=True))
                if not self._is_first(plan, answer):
                    self._stops.insert(0, answer)  # it may well stop the next plan too
                    return False
        return True

    def _is_first(self, plan: Orders, answer: Answer) -> bool:
        self._tries += 1
        ground, state = self._ground, self._state.copy()
        orders = turn_orders(ground, self._seat, plan)
        for battalion, march in answer.items():
            orders[battalion] = march
        winner = state.play(ground, orders, self._first)
        if winner is not None:
            return winner == self._seat
        mine = _standing(ground, state, self._seat)
        return all(
            mine > _standing(ground, state, seat) for seat in ground.playing if seat != self._seat
        )

    def _answers(self, plan: Orders) -> Iterator[dict[int, Sequence[March | None]]]:
        """Yield, for each rival, the orders by which each enemy may help it; None is a pass."""
        harm = {enemy: tuple(self._harmful(plan, enemy)) for enemy in self._enemies}
        for rival in self._ground.playing:
            if rival != self._seat:
                yield {
                    enemy: (
                        None,
                        *marches,
                        *(self._gains(enemy) if self._ground.owners[enemy] == rival else ()),
                    )
                    for enemy, marches in harm.items()
                }

    def _harmful(self, plan: Orders, enemy: int) -> Iterator[March]:
        """Yield the orders of an enemy that can affect the seat's own troops.

        Only with numbers of troops that can make a difference: one, all, all but one, about as many
        as the seat may have on the target, and those that leave about as many as the seat attacks
        the source with.
        """
        sizes = self._sizes(plan)
        goals = {march[2]: march[1] for march in plan if march}
        own = self._state.stacks[enemy]
        for source, troops, target in marches_of(self._ground, self._state, enemy):
            there = own[source]
            tell = {1, there - 1, there}
            for size in sizes.get(target, ()):
                tell |= {size - 1, size, size + 1}
            if source in goals:
                tell |= {there - goals[source] + more for more in (-1, 0, 1)}
            if (target in sizes or source in goals) and troops in tell:
                yield source, troops, target

    def _sizes(self, plan: Orders) -> dict[int, set[int]]:
        """By square: the numbers of the seat's own troops that may be there."""
        sizes: dict[int, set[int]] = {}
        for battalion, march in zip(self._ground.teams[self._seat], plan, strict=True):
            stacks = self._state.stacks[battalion]
            for square, troops in stacks.items():
                sizes.setdefault(square, set()).add(troops)
            if march:
                source, troops, target = march
                sizes[source].add(stacks[source] - troops)
                sizes.setdefault(target, set()).update({troops, stacks.get(target, 0) + troops})
        return sizes

    def _gains(self, enemy: int) -> Iterator[March]:
        """Yield the orders by which an enemy takes an objective, with one troop or all."""
        own = self._state.stacks[enemy]
        for march in marches_of(self._ground, self._state, enemy):
            if self._takes(enemy, march) and march[1] in {1, own[march[0]]}:
                yield march


def _standing(ground: Ground, state: FastState, seat: int) -> tuple[int, int]:
    """The objectives and troops of a seat after it has reinforced."""
    objectives = troops = 0
    for battalion in ground.teams[seat]:
        stacks, partner = state.stacks[battalion], ground.partners[battalion]
        barred = partner is not None and HEADQUARTERS[battalion] in state.stacks[partner]
        returns = state.banks[battalion] > 0 and (bool(stacks) or not barred)
        objectives += len(stacks.keys() & GOALS[battalion])
        troops += sum(stacks.values()) + returns
    return objectives, troops
