"""The opponent that benchmarks measure the conquest computer against, and dominated choices."""

from benchmarks.computers.conquest_detour import detour
from benchmarks.computers.conquest_wins import NEARS, Asked, nearness
from games.chance import Chance
from games.conquest import CONQUEST
from games.conquest.computer.fast_state import march_of
from games.conquest.computer.race import race
from games.core import Seat
from tests.support.conquest_states import GREEN, RED, YELLOW, move, position

BLOCKED = {RED: "A9:1 G10:1 I1:1 H7:1", GREEN: "I6:2 I7:3 I8:2 E6:3", YELLOW: "F5:10"}
"""Red lacks only J7, and green holds all squares between H7 and J7."""

NEAR_WIN = {RED: "A9:1 G10:1 J7:1 I2:2 E5:5"}


def asked(troops, seats=2, first=RED):
    return Asked(CONQUEST.observe(position(seats, troops, first=first), Seat(0)), Seat(0))


def orders(text):
    return tuple(map(march_of, move(text).orders))


def test_the_yardstick_plays_whole_matches_by_the_rules():
    for seats in CONQUEST.seats:
        state, step = CONQUEST.setup(CONQUEST.presets["standard"], seats, Chance("around", 0)), 0
        while awaited := CONQUEST.awaiting(state):
            step += 1
            moves = {
                seat: detour(CONQUEST.observe(state, seat), seat, Chance(f"around {seat}", step))
                for seat in sorted(awaited)
            }
            state = CONQUEST.play(state, moves, Chance("around", step))

        assert CONQUEST.outcome(state) is not None


def test_the_yardstick_goes_around_a_blocker_that_makes_the_race_player_wait():
    state = position(4, BLOCKED, first=YELLOW)
    view = CONQUEST.observe(state, Seat(0))

    assert str(race(view, Seat(0), Chance("blocked", 1))) == "pass"
    assert str(detour(view, Seat(0), Chance("blocked", 1))) != "pass"


def test_a_declined_win_that_nobody_can_stop_is_dominated():
    near = asked(NEAR_WIN)

    assert nearness(near) == NEARS[0]
    assert near.better_than(orders("pass / pass")) is not None
    assert near.better_than(orders("I2-1-I1 / pass")) is None


def test_a_win_that_can_be_stopped_dominates_only_plans_that_stop_nothing_either():
    """Yellow moves first and can take I2; otherwise red wins. Waiting wins against nothing."""
    near = asked({**NEAR_WIN, YELLOW: "H3:5 F5:5"}, first=YELLOW)

    assert nearness(near) == NEARS[2]
    assert near.better_than(orders("I2-1-I1 / pass")) is None
