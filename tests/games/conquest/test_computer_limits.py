"""How the computer plays Divide & Conquer (board) where the turn limit ends the match (R23)."""

from itertools import count

import pytest

from games.chance import Chance
from games.conquest import CONQUEST, Options, Plan
from games.conquest.computer.distance import (
    MISSED_OBJECTIVE_ORDERS,
    UNREACHABLE,
    distance_of,
)
from games.conquest.computer.evaluation import outlook, standings
from games.conquest.computer.fast_state import fast_state_of, march_of, order_of
from games.conquest.computer.ground import GOALS, OBJECTIVES, SQUARES, ground_in, ground_of
from games.conquest.computer.player import ConquestComputer
from games.conquest.computer.playout import Playouts
from games.conquest.computer.race import marches_of, race, race_place
from games.core import Seat
from tests.support.conquest_states import GREEN, RED, position

COMPUTER = ConquestComputer()
BEGINNER, EASY, STEADY, STRONG = COMPUTER.levels


def walk(view, seat, chance):
    """The largest stack that may leave goes to the nearest objective; one troop stays on each."""
    move = race(view, seat, chance)
    if not isinstance(move, Plan):
        return move
    ground, state = ground_in(view), fast_state_of(view.board, view.banks)
    orders = []
    for battalion in ground.teams[seat]:
        trees, own = distance_of(ground, battalion).trees, state.stacks[battalion]
        held = {square: n for stacks in state.stacks for square, n in stacks.items()}
        marches = [
            (trees[source][1 << i], -troops, chance.fraction(), (source, troops, target))
            for source, troops, target in marches_of(ground, state, battalion)
            if troops == own[source] - (source in GOALS[battalion])
            and (target in own or held.get(target, 0) < troops)
            for i, square in enumerate(OBJECTIVES[battalion])
            if square not in own and trees[target][1 << i] < trees[source][1 << i]
        ]
        orders.append(order_of(min(marches)[-1]) if marches else None)
    return Plan(tuple(orders))


def shares(players, limit, matches, seed):
    """The part of the matches of two that the first player wins; a draw counts half."""
    total = 0.0
    for number in range(matches):
        state = CONQUEST.setup(Options(turn_limit=limit), 2, Chance(f"{seed} {number // 2}", 0))
        for step in count(1):
            if not (awaited := sorted(CONQUEST.awaiting(state))):
                break
            moves = {
                seat: players[(seat + number) % 2](
                    CONQUEST.observe(state, seat), seat, Chance(f"{seed} {number} {seat}", step)
                )
                for seat in awaited
            }
            state = CONQUEST.play(state, moves, Chance(seed, step))
        ranks = CONQUEST.outcome(state).ranks
        mine, theirs = ranks[number % 2], ranks[1 - number % 2]
        total += 0.5 + 0.5 * ((mine < theirs) - (mine > theirs))
    return total / matches


def at(level):
    return lambda view, seat, chance: COMPUTER.choose(view, seat, level, chance)


@pytest.mark.parametrize(("limit", "least"), [(4, 0.2), (8, 0.6), (11, 0.45)])
def test_easy_keeps_up_with_whoever_walks_to_the_nearest_objective(limit, least):
    assert shares((at(EASY), walk), limit, 40, "walk") > least


def test_a_beginner_is_weaker_than_easy_with_few_turns():
    assert shares((at(BEGINNER), at(EASY)), 4, 40, "levels") < 0.4


@pytest.mark.parametrize("limit", [8, 14])
def test_steady_is_better_than_easy_with_few_turns(limit):
    assert shares((at(STEADY), at(EASY)), limit, 16, "levels") > 0.55


def strayed(limit):
    """Of 200 first orders of easy, those that bring it no nearer; it needs 15 of them to win."""
    view = CONQUEST.observe(position(4, turn_limit=limit), Seat(0))
    ground, fast = ground_in(view), fast_state_of(view.board, view.banks)
    away = 0
    for number in range(200):
        plan = COMPUTER.choose(view, Seat(0), EASY, Chance(f"stray {number}", 1))
        after = fast.copy()
        after.march(ground, RED, march_of(plan.orders[0]))
        away += distance_of(ground, RED)(after.stacks[RED], 0) >= 15
    return away


def test_easy_strays_less_where_too_few_turns_are_left_to_win():
    assert strayed(15) == strayed(100) > 2 * strayed(14) > 0


def test_an_objective_that_cannot_be_held_in_the_end_counts_for_more_than_its_orders():
    own = fast_state_of(position(4).board, (0,) * 4).stacks[RED]
    distance = distance_of(ground_of(4, "annihilate", "either", 100), RED)

    assert [distance.to_go(own, 0, left) for left in (UNREACHABLE, 15, 14, 8, 0)] == [
        *(15, 15),
        *(15 + missed * MISSED_OBJECTIVE_ORDERS for missed in (1, 2, 4)),
    ]


def looked(troops, left, seats=2):
    """What a position promises to the first seat, with so many orders left."""
    state = position(seats, troops)
    ground = ground_of(seats, "annihilate", "either", 100)
    distances = Playouts(ground, frozenset()).distances
    fast = fast_state_of(state.board, state.banks)
    return outlook(ground, fast, distances, RED, left)[0]


def test_with_few_orders_left_an_objective_is_worth_more_than_a_way():
    held, near = {RED: "A9:1 C7:9"}, {RED: "G8:10"}

    assert looked(held, 2, 4) > looked(near, 2, 4)


def test_with_no_order_left_the_outlook_is_the_result():
    state = position(4, {RED: "A9:1 E5:9"})
    fast = fast_state_of(state.board, state.banks)

    assert looked({RED: "A9:1 E5:9"}, 0, 4) == 1.0
    assert standings(ground_of(4, "annihilate", "either", 100), fast)[0] == 1.0


def test_a_limit_with_orders_to_spare_changes_no_outlook():
    troops = {RED: "A9:1 G10:1 J7:1 H1:2", GREEN: "E6:9"}

    assert looked(troops, 7) == looked(troops, UNREACHABLE)
    assert looked(troops, 3) != looked(troops, UNREACHABLE)


@pytest.mark.parametrize(("left", "place"), [(UNREACHABLE, "E5"), (5, "J7")])
def test_the_race_player_reinforces_for_what_the_orders_left_can_reach(left, place):
    ground = ground_of(4, "annihilate", "either", 100)
    fast = fast_state_of(position(4, {RED: "A3:3 C9:3 J7:1"}).board, (1, 0, 0, 0))

    assert SQUARES[race_place(ground, fast, RED, Chance("place", 1), left)] == place
