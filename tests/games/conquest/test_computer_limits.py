"""How the computer plays Divide & Conquer (board) if the turn limit ends the match (R23)."""

from itertools import count, product

import pytest

from games.chance import Chance
from games.computer import Assessment
from games.conquest import CONQUEST, Options, Plan
from games.conquest.computer.distance import (
    MISSED_OBJECTIVE_ORDERS,
    UNREACHABLE,
    distance_of,
)
from games.conquest.computer.evaluation import outlook, standings
from games.conquest.computer.fast_state import fast_state_of, march_of, order_of
from games.conquest.computer.ground import GOALS, OBJECTIVES, SQUARES, ground_in, ground_of
from games.conquest.computer.last_turn import LastTurn
from games.conquest.computer.player import ConquestComputer
from games.conquest.computer.playout import Playouts
from games.conquest.computer.race import marches_of, race, race_place
from games.core import Seat
from tests.support.conquest_states import BLUE, GREEN, RED, YELLOW, move, position

COMPUTER = ConquestComputer()
BEGINNER, EASY, STEADY, STRONG = COMPUTER.levels


def walk(view, seat, chance):
    """Move the largest stack that can leave to the nearest objective; one troop stays on each."""
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
    """The share of matches that the first of two players wins; a draw counts half."""
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
def test_easy_keeps_up_with_a_player_who_walks_to_the_nearest_objective(limit, least):
    assert shares((at(EASY), walk), limit, 40, "walk") > least


def test_a_beginner_is_weaker_than_easy_with_few_turns():
    assert shares((at(BEGINNER), at(EASY)), 4, 40, "levels") < 0.4


@pytest.mark.parametrize("limit", [8, 14])
def test_steady_is_better_than_easy_with_few_turns(limit):
    assert shares((at(STEADY), at(EASY)), limit, 16, "levels") > 0.55


def strayed(limit):
    """Of 200 first orders of easy, how many bring it no nearer; it needs 15 orders to win."""
    view = CONQUEST.observe(position(4, turn_limit=limit), Seat(0))
    ground, fast = ground_in(view), fast_state_of(view.board, view.banks)
    away = 0
    for number in range(200):
        plan = COMPUTER.choose(view, Seat(0), EASY, Chance(f"stray {number}", 1))
        after = fast.copy()
        after.march(ground, RED, march_of(plan.orders[0]))
        away += distance_of(ground, RED)(after.stacks[RED], 0) >= 15
    return away


def test_easy_strays_less_with_too_few_turns_left_to_win():
    assert strayed(15) == strayed(100) > 2 * strayed(14) > 0


def test_an_objective_out_of_reach_counts_more_than_its_orders():
    own = fast_state_of(position(4).board, (0,) * 4).stacks[RED]
    distance = distance_of(ground_of(4, "annihilate", "either", 100), RED)

    assert [distance.to_go(own, 0, left) for left in (UNREACHABLE, 15, 14, 8, 0)] == [
        *(15, 15),
        *(15 + missed * MISSED_OBJECTIVE_ORDERS for missed in (1, 2, 4)),
    ]


def looked(troops, left, seats=2):
    """The first seat's outlook in a position with this many orders left."""
    state = position(seats, troops)
    ground = ground_of(seats, "annihilate", "either", 100)
    distances = Playouts(ground, frozenset()).distances
    fast = fast_state_of(state.board, state.banks)
    return outlook(ground, fast, distances, RED, left)[0]


def test_with_few_orders_left_an_objective_is_worth_more_than_progress():
    held, near = {RED: "A9:1 C7:9"}, {RED: "G8:10"}

    assert looked(held, 2, 4) > looked(near, 2, 4)


def test_with_no_orders_left_the_outlook_is_the_result():
    state = position(4, {RED: "A9:1 E5:9"})
    fast = fast_state_of(state.board, state.banks)

    assert looked({RED: "A9:1 E5:9"}, 0, 4) == 1.0
    assert standings(ground_of(4, "annihilate", "either", 100), fast)[0] == 1.0


def test_a_limit_with_orders_to_spare_changes_no_outlook():
    troops = {RED: "A9:1 G10:1 J7:1 H1:2", GREEN: "E6:9"}

    assert looked(troops, 7) == looked(troops, UNREACHABLE)
    assert looked(troops, 3) != looked(troops, UNREACHABLE)


@pytest.mark.parametrize(("left", "place"), [(UNREACHABLE, "E5"), (5, "J7")])
def test_the_race_player_reinforces_what_can_still_be_reached(left, place):
    ground = ground_of(4, "annihilate", "either", 100)
    fast = fast_state_of(position(4, {RED: "A3:3 C9:3 J7:1"}).board, (1, 0, 0, 0))

    assert SQUARES[race_place(ground, fast, RED, Chance("place", 1), left)] == place


COUNTED = {
    "two seats": (
        *(Seat(1), RED, "annihilate", 2, 209),
        {RED: "A10:2 A9:2", GREEN: "G1:1 J4:1", BLUE: "A5:2 B3:1", YELLOW: "B8:2 A8:1"},
    ),
    "three seats": (
        *(Seat(2), GREEN, "annihilate", 4, 29),
        {RED: "B9:1 H2:1", GREEN: "J9:1 I4:1 I9:1", BLUE: "I3:1 D1:1 C2:2"},
    ),
    "three seats, bounce": (
        *(Seat(2), GREEN, "bounce", 11, 22),
        {RED: "J1:2 J7:2", GREEN: "J4:2 I9:1 I10:1", BLUE: "C10:1 B10:2 J2:2"},
    ),
    "four seats": (
        *(Seat(1), BLUE, "annihilate", 4, 15),
        {RED: "I1:2 I2:2", GREEN: "J4:2 A2:1", BLUE: "A4:1", YELLOW: "B1:1 E9:1"},
    ),
    "four seats, bounce": (
        *(Seat(2), RED, "bounce", 1, 25),
        {RED: "I8:2 I6:1", GREEN: "J4:2", BLUE: "C1:2 E2:2", YELLOW: "B1:2 A1:1"},
    ),
}
"""Last turns in which some plans of a seat win by count whatever the others write.

Each has the seat, the first battalion, the option `equal`, how many plans win, how many there are
(found by trying every combination), and the troops.
"""


def counted(name):
    seat, first, equal, _, _, troops = COUNTED[name]
    seats = 2 if name == "two seats" else len(troops)
    return position(seats, troops, first=first, equal=equal, turn=9, turn_limit=9), seat


def last_turn(state, seat):
    view = CONQUEST.observe(state, seat)
    fast = fast_state_of(view.board, view.banks)
    return LastTurn(ground_in(view), fast, int(view.initiative), seat)


def is_sure(state, seat, plan):
    return last_turn(state, seat).is_sure(tuple(map(march_of, plan.orders)))


@pytest.mark.parametrize("name", COUNTED)
def test_a_win_by_count_is_sure_if_no_combination_of_orders_prevents_it(name):
    state, seat = counted(name)
    plans = CONQUEST.legal_moves(state, seat)

    assert (sum(is_sure(state, seat, plan) for plan in plans), len(plans)) == COUNTED[name][3:5]


@pytest.mark.parametrize("name", COUNTED)
@pytest.mark.parametrize("level", [STEADY, STRONG], ids=["steady", "strong"])
def test_a_win_by_count_that_nobody_can_prevent_is_taken_in_the_last_turn(name, level):
    state, seat = counted(name)

    assert is_sure(state, seat, at(level)(CONQUEST.observe(state, seat), seat, Chance("count", 1)))


def test_a_sure_win_by_count_wins_in_the_engine_whatever_the_others_write():
    state, seat = counted("three seats")
    plan = at(STEADY)(CONQUEST.observe(state, seat), seat, Chance("count", 1))
    others = [other for other in CONQUEST.awaiting(state) if other != seat]
    for answers in product(*(CONQUEST.legal_moves(state, other) for other in others)):
        moves = {seat: plan, **dict(zip(others, answers, strict=True))}
        after = state
        while CONQUEST.outcome(after) is None:
            after = CONQUEST.play(after, moves, Chance("count", 1))
            moves = {
                other: at(STEADY)(CONQUEST.observe(after, other), other, Chance("count", 2))
                for other in CONQUEST.awaiting(after)
            }
        ranks = CONQUEST.outcome(after).ranks
        assert (ranks[seat], ranks.count(1)) == (1, 1), answers


def test_with_too_many_combinations_no_win_by_count_is_called_sure(monkeypatch):
    state, seat = counted("two seats")
    sure = last_turn(state, seat).sure_plan()
    monkeypatch.setattr("games.conquest.computer.last_turn.MAX_TRIES", 1)

    assert sure is not None
    assert not last_turn(state, seat).is_sure(sure)
    assert last_turn(state, seat).sure_plan() is None


@pytest.mark.parametrize(
    ("name", "declines", "keeps"),
    [
        ("three seats", "C2-1-B1", "I3-1-H4"),
        ("three seats, bounce", "J2-1-I3", "B10-1-C9"),
        ("four seats", "J4-1-J3", "J4-1-I5"),
    ],
)
def test_the_coach_says_what_gives_away_a_sure_win_by_count(name, declines, keeps):
    state, seat = counted(name)
    view = CONQUEST.observe(state, seat)
    found = COMPUTER.assess(view, seat, move(declines), Chance("coach", 1))

    assert is_sure(state, seat, found.better)
    assert found.cost >= 0.08
    assert found.better == COMPUTER.assess(view, seat, move(declines), Chance("again", 1)).better
    assert COMPUTER.assess(view, seat, move(keeps), Chance("coach", 1)) == Assessment(None, 0.0)
