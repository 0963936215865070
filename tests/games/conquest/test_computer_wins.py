"""How the computer plays Divide & Conquer (board) close to a win: it takes a sure win.

The positions are from 150 matches of computers with other levels and seeds than those tested here.
Each line of the file says how close a seat is to its win.
"""

import re
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from games.chance import Chance
from games.computer import Assessment
from games.conquest import CONQUEST, Battalion, Move, Plan, State
from games.conquest.battalions import TEAMS
from games.conquest.computer import tactics
from games.conquest.computer.fast_state import march_of
from games.conquest.computer.forced import is_forcing
from games.conquest.computer.player import ConquestComputer
from games.conquest.computer.situation import Planning
from games.core import Seat
from tests.support.conquest_states import BLUE, CHANCE, GREEN, RED, YELLOW, move, play, position

COMPUTER: Final = ConquestComputer()
_, _, STEADY, STRONG = COMPUTER.levels
LINE: Final = re.compile(
    r"(?P<near>.+): (?P<seats>\d) seats, turn (?P<turn>\d+), (?P<first>\w+) first, "
    r"seat (?P<seat>\d) \| (?P<troops>.+)"
)
LINES: Final = Path(__file__).with_name("near_wins.txt").read_text().splitlines()


def positions(near: str) -> list[tuple[State, Seat]]:
    """The positions in which a seat is this close to its win."""
    found = []
    for line in LINES:
        match = LINE.fullmatch(line)
        assert match is not None, line
        if match["near"] == near:
            troops = match["troops"].split("|")
            state = position(
                int(match["seats"]),
                {b: text.strip() for b, text in zip(Battalion, troops, strict=True)},
                first=next(b for b in Battalion if b.color == match["first"]),
                turn=int(match["turn"]),
            )
            found.append((state, Seat(int(match["seat"]))))
    return found


def situation(state: State, seat: Seat) -> Planning:
    return Planning(CONQUEST.observe(state, seat), seat, Chance("near", 1))


def answer(state: State, seat: Seat, level) -> Move:
    return COMPUTER.choose(CONQUEST.observe(state, seat), seat, level, Chance("near", 1))


def choice(state: State, seat: Seat, level=STRONG) -> Plan:
    chosen = answer(state, seat, level)
    assert isinstance(chosen, Plan)
    return chosen


def is_sure(state: State, seat: Seat, plan: Plan) -> bool:
    seen = situation(state, seat)
    orders = tuple(map(march_of, plan.orders))
    return tactics.is_sure(seen.ground, seen.state, seen.first, seat, orders)


def test_there_are_two_hundred_positions_near_a_win():
    assert len(LINES) == len(set(LINES)) == 200


@pytest.mark.parametrize("level", [STEADY, STRONG], ids=["steady", "strong"])
def test_every_win_that_nobody_can_stop_is_taken(level):
    declined = [
        number
        for number, (state, seat) in enumerate(positions("this turn"))
        if not is_sure(state, seat, choice(state, seat, level))
    ]

    assert declined == []


@pytest.mark.long
def test_every_win_that_nobody_can_stop_in_the_next_turn_is_prepared():
    missed = []
    for number, (state, seat) in enumerate(positions("next turn")):
        seen, orders = situation(state, seat), map(march_of, choice(state, seat).orders)
        if not is_forcing(seen.playouts, seen.state, seen.first, seat, tuple(orders)):
            missed.append(number)

    assert missed == []


@pytest.mark.parametrize("number", [5, 14, 29])
def test_the_coach_sees_that_a_plan_gives_away_a_sure_win_in_the_next_turn(number):
    state, seat = positions("next turn")[number]
    seen = situation(state, seat)
    (sure,), _ = seen.options(STRONG.budget)

    assert not is_sure(state, seat, sure)
    assert not seen.misses(sure)
    assert seen.misses(Plan((None,) * len(sure.orders)))


def test_a_win_called_sure_is_won_in_the_engine_whatever_the_others_write():
    for number, (state, seat) in enumerate(positions("this turn")):
        plan, chance = choice(state, seat, STEADY), Chance("others", number)
        others = {
            other: CONQUEST.legal_moves(state, other)
            for other in sorted(CONQUEST.awaiting(state) - {seat})
        }
        for _ in range(20):
            answers = {other: chance.pick(plans) for other, plans in others.items()}
            after = CONQUEST.play(state, {seat: plan, **answers}, CHANCE)
            assert CONQUEST.outcome(after).ranks[seat] == 1, (number, answers)


def test_a_win_not_called_sure_is_stopped_by_an_answer_in_the_engine():
    for state, seat in positions("if nobody interferes"):
        seen = situation(state, seat)
        passing = ((None,) * len(seen.ground.teams[seat]),)
        plans = tactics.winning_plans(seen.ground, seen.state, seen.first, seat, passing)
        assert plans
        for plan in plans:
            assert tactics.wins(seen.ground, seen.state, seen.first, seat, plan)
            assert not tactics.is_sure(seen.ground, seen.state, seen.first, seat, plan)


def test_a_win_that_only_an_oversight_allows_is_tried_if_everything_else_loses():
    """Yellow wins before red can, and nobody is close enough to prevent it."""
    troops = {RED: "A9:1 G10:1 J7:1 I2:2 E5:5", YELLOW: "B1:1 A7:1 D10:1 I9:1 F5:6"}
    plan = choice(position(4, troops, first=YELLOW), Seat(0))

    assert plan.orders[0].target == "I1"


def near_a_win(turns_left: int) -> State:
    """Red may win on I1 at once, or make sure of it a turn later if there is one."""
    troops = {
        RED: "A9:1 G10:1 J7:1 H2:1 I3:4",
        GREEN: "G3:2 E6:8",
        BLUE: "J2:1 D1:1 A4:1 F6:7",
    }
    return position(3, troops, first=GREEN, turn=20, turn_limit=20 + turns_left)


def judged(state: State, text: str) -> Assessment[Move] | None:
    view = CONQUEST.observe(state, Seat(0))
    return COMPUTER.assess(view, Seat(0), move(text), Chance("coach", 1))


def test_in_the_last_turn_a_win_is_tried_at_once_and_not_prepared():
    assert str(choice(near_a_win(turns_left=1), Seat(0))) == "I3-2-H2"
    assert str(choice(near_a_win(turns_left=0), Seat(0))) == "H2-1-I1"


def test_the_coach_calls_no_preparation_missed_in_the_last_turn():
    state = near_a_win(turns_left=0)

    assert judged(state, "H2-1-I1") == Assessment(better=None, cost=0.0)
    assert judged(state, "I3-2-H2").better == move("H2-1-I1")


def test_no_reserve_prepares_a_win_in_the_last_turn():
    before, last = (play(near_a_win(left), "pass", "pass", "pass") for left in (1, 0))

    assert judged(before, "+A9") is None
    assert judged(last, "+A9") == Assessment(better=None, cost=0.0)


def options_of(troops, seats, seat, first):
    seen = situation(position(seats, troops, first=first), seat)
    return [str(plan) for plan in seen.options(STRONG.budget)[0]]


WEIGHED = {
    # Only red's last troop on G10 can beat green's troop that is about to win on I10.
    "what stops a win, though it gives up an objective": (
        RED,
        "G10-1-H9",
        {
            GREEN: "J4:1 A2:1 G1:1 H9:1 E6:6",
            RED: "A9:1 G10:1 J7:1 E5:7",
            BLUE: "F6:10",
            YELLOW: "F5:10",
        },
    ),
    # Blue can beat green's stack on H5, which a march elsewhere would let through.
    "where an enemy is about to arrive": (
        YELLOW,
        "-H5",
        {
            RED: "A8:1 A9:1 E5:1 H2:2 I1:3 J7:2",
            GREEN: "A2:3 B3:1 F2:1 G1:1 H5:2 H9:2",
            BLUE: "B4:1 B9:2 C9:1 F6:1 H4:5",
            YELLOW: "B1:2 C2:1 D10:2 E9:2 F5:1 H7:1 J9:1",
        },
    ),
}


@pytest.mark.parametrize(("first", "order", "troops"), WEIGHED.values(), ids=WEIGHED)
def test_necessary_plans_are_considered(first, order, troops):
    assert any(order in text for text in options_of(troops, 2, Seat(0), first))


def test_a_battalion_does_not_wait_without_a_reason():
    for seats in CONQUEST.seats:
        plan = choice(position(seats), Seat(0), STEADY)
        assert None not in plan.orders


@cache
def delays() -> tuple[tuple[State, Seat, Plan], ...]:
    """Positions in which a win is sure now, and still in the next turn if the seat passes."""
    found = []
    for state, seat in positions("this turn"):
        seen = situation(state, seat)
        orders = (None,) * len(seen.ground.teams[seat])
        if is_forcing(seen.playouts, seen.state, seen.first, seat, orders):
            found.append((state, seat, Plan(orders)))
    return tuple(found)


def judged_after_passing(state: State, seat: Seat) -> Assessment[Move] | None:
    view, passing = CONQUEST.observe(state, seat), Plan((None,) * len(TEAMS[state.seats][seat]))
    return COMPUTER.assess(view, seat, passing, Chance("coach", 1))


def test_the_coach_never_calls_declining_a_win_free_if_the_win_is_not_sure_afterwards():
    delayed = [(state, seat) for state, seat, _ in delays()]
    state, seat = next(
        near for near in positions("this turn") if near not in delayed and near[0].seats == 4
    )
    found = judged_after_passing(state, seat)

    assert is_sure(state, seat, found.better)
    assert found.cost >= 0.08


def test_the_coach_does_not_call_a_win_given_away_that_is_sure_a_turn_later():
    found = [judged_after_passing(state, seat) for state, seat, _ in delays()]

    assert found == [Assessment(better=None, cost=0.0)] * 18


def test_a_win_that_is_sure_a_turn_later_is_won_then_whatever_the_others_do():
    for number, (state, seat, plan) in enumerate(delays()):
        chance, after, mine = Chance("others", number), state, {seat: plan}
        while CONQUEST.outcome(after) is None and after.turn <= state.turn + 1:
            others = {
                other: chance.pick(CONQUEST.legal_moves(after, other))
                for other in sorted(CONQUEST.awaiting(after) - {seat})
            }
            after = CONQUEST.play(after, {**others, **mine}, CHANCE)
            is_asked = seat in CONQUEST.awaiting(after)
            mine = {seat: answer(after, seat, STEADY)} if is_asked else {}
        assert CONQUEST.outcome(after).ranks[seat] == 1, number
