"""The computer player of Divide & Conquer (board).

It plays the match to its end many times from each option that it considers, against what the others
may choose at the same time, and decides by the results: with two seats, it plays an equilibrium of
the best plans; with more, the best response to what regret matching predicts of the others. No
particular style is expected of them: in most playouts they only race, in the rest they also attack.
Which policy the computer itself follows in playouts is found by trying several first.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Final

from games.chance import Chance
from games.computer import Assessment, Computer, Lesson, Level
from games.conquest.board import holder
from games.conquest.computer.distance import distance_of
from games.conquest.computer.fast_state import fast_state_of, order_of
from games.conquest.computer.ground import ground_in
from games.conquest.computer.lookahead import evaluate_options
from games.conquest.computer.race import marches_of, race
from games.conquest.computer.situation import Dilemma, Planning, Reserves, Situation
from games.conquest.moves import Move, Plan
from games.conquest.options import Options
from games.conquest.view import View
from games.core import Seat
from games.equilibrium import draw

BEGINNER: Final = Level(
    "beginner",
    0,
    "Often marches anywhere, mostly with all its troops, and forgets to leave one on its "
    "objectives.",
)
EASY: Final = Level("easy", 0, "Races for its objectives, often strays, and ignores everyone else.")
STEADY: Final = Level(
    "steady", 24, "Tries a few orders, attacks where it pays off, and expects you to march on."
)
STRONG: Final = Level(
    "strong",
    1500,
    "Plays about a thousand matches in its head before each order; one on one, it's hard to guess.",
)

STRAY_PROBABILITY: Final = 0.3
"""The probability that a battalion of the easy level makes a random march."""

HURRIED_STRAY_PROBABILITY: Final = 0.1
"""The same probability when too few turns are left to win. Hardly any order can be spared then: if
it strayed as often as before, it would lose nearly every match to anybody who walks to the nearest
objective."""

WANDER_PROBABILITY: Final = 0.5
"""The probability that a battalion of the beginner level makes a random march."""

WHOLE_STACK_PROBABILITY: Final = 0.5
"""The probability that a battalion of the beginner level moves a whole stack."""

MIN_TOLD_LOSS: Final = 0.04
"""The least difference between two options, in P(win), that the coach can tell from noise."""

NEARLY_EQUAL: Final = 0.005
"""The coach may recommend any option whose P(win) is within this of the best."""


class ConquestComputer(Computer[View, Move, Options]):
    """`budget` is a number of playouts; a level with 0 races, with some random marches."""

    levels: ClassVar[Sequence[Level]] = (BEGINNER, EASY, STEADY, STRONG)

    def choose(
        self,
        view: View,
        seat: Seat,
        level: Level,
        chance: Chance,
        lessons: Sequence[Lesson[View, Move]] = (),
    ) -> Move:
        del lessons
        if level.key == BEGINNER.key:
            return _wander(view, seat, chance)
        if level.budget <= 0:
            return _stray(view, seat, chance, STRAY_PROBABILITY, HURRIED_STRAY_PROBABILITY)
        situation = _situation(view, seat, chance)
        moves, theirs = situation.options(level.budget)
        if len(moves) == 1:
            return moves[0]
        budget = situation.settle(level.budget)
        evaluation = evaluate_options(
            (len(moves), *theirs), situation.trial, budget, situation.kept
        )
        return moves[evaluation.options[draw(evaluation.mix, chance)]]

    def assess(self, view: View, seat: Seat, move: Move, chance: Chance) -> Assessment[Move] | None:
        """By the search of the strong level; a move that keeps a sure win needs no search."""
        budget = STRONG.budget
        situation = _situation(view, seat, chance)
        moves, theirs = situation.options(budget)
        misses = situation.misses(move)
        if misses is False:
            return Assessment(better=None, cost=0.0)
        if move not in moves:
            if not isinstance(situation, Planning) or not isinstance(move, Plan):
                return None
            situation.include(move)
            moves = (*moves, move)
        number, left = moves.index(move), situation.settle(budget)
        kept = situation.kept | {number}
        evaluation = evaluate_options((len(moves), *theirs), situation.trial, left, kept)
        best = max(evaluation.worths)
        worth = evaluation.worths[evaluation.options.index(number)]
        if misses:
            sure = carried_out(view, moves[0])
            better = moves[0] if situation.misses(sure) else sure
            return Assessment(better=better, cost=2 * max(best - worth, MIN_TOLD_LOSS))
        ranked = sorted(
            zip(evaluation.worths, evaluation.options, strict=True), key=lambda it: -it[0]
        )
        near = [moves[option] for share, option in ranked if best - share < NEARLY_EQUAL]
        better = recommended(view, near)
        if best - worth < MIN_TOLD_LOSS or better == move:
            return Assessment(better=None, cost=0.0)
        return Assessment(better=better, cost=2 * (best - worth))


def recommended(view: View, near: Sequence[Move]) -> Move:
    """Of moves that are about equally good, the first whose orders can all be executed.

    If there is none, the first move without its order that lapses.
    """
    whole = [move for move in near if carried_out(view, move) == move]
    return whole[0] if whole else carried_out(view, near[0])


def carried_out(view: View, move: Move) -> Move:
    """The same move, without an order that lapses because the partner gets to its target first.

    See R21. If an enemy holds the target, both orders are kept: the first troops may fall there,
    and then the second order is executed.
    """
    if not isinstance(move, Plan) or view.seat is None:
        return move
    targets = [order.target for order in move.orders if order is not None]
    if len(targets) == len(set(targets)) or holder(view.board, targets[0]) is not None:
        return move
    team = view.teams[view.seat]
    second = max(team, key=view.order.index)
    orders = zip(team, move.orders, strict=True)
    return Plan(tuple(None if battalion is second else order for battalion, order in orders))


def _situation(view: View, seat: Seat, chance: Chance) -> Situation:
    if view.phase == "planning":
        return Planning(view, seat, chance)
    if view.contest is not None:
        return Dilemma(view, seat, chance)
    return Reserves(view, seat, chance)


def _wander(view: View, seat: Seat, chance: Chance) -> Move:
    """The easy level's move, but with more random marches, and half of the time whole stacks."""
    move = _stray(view, seat, chance, WANDER_PROBABILITY, STRAY_PROBABILITY)
    if not isinstance(move, Plan):
        return move
    stacks = {stack.square: stack.troops for board in view.board for stack in board}
    orders = [
        order and replace(order, troops=stacks[order.source])
        if chance.fraction() < WHOLE_STACK_PROBABILITY
        else order
        for order in move.orders
    ]
    return Plan(tuple(orders))


def _stray(view: View, seat: Seat, chance: Chance, often: float, hurried: float) -> Move:
    """The race player's move, but each battalion makes a random march with probability `often`.

    `hurried` is the probability for a battalion that has too few turns left to win.
    """
    move = race(view, seat, chance)
    if not isinstance(move, Plan):
        return move
    ground, state = ground_in(view), fast_state_of(view.board, view.banks)
    orders, left = list(move.orders), ground.left_from(view.turn)
    for i, battalion in enumerate(ground.teams[seat]):
        marches = tuple(marches_of(ground, state, battalion))
        needed = distance_of(ground, battalion)(state.stacks[battalion], state.banks[battalion])
        if marches and chance.fraction() < (often if needed <= left else hurried):
            orders[i] = order_of(chance.pick(marches))
    return Plan(tuple(orders))
