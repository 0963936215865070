"""Puzzles of the board game: which positions are questions, and what the proof allows for."""

import pytest

from games.chance import Chance
from games.conquest import CONQUEST, Plan
from games.conquest.battalions import in_play
from games.conquest.layout import LAYOUT, closed_to
from games.conquest.puzzles import (
    NEXT,
    NOW,
    ConquestPuzzles,
    _composed,
    _field_of,
    _is_question,
    _offered,
    _Proof,
    _reinforced,
    stop_next,
)
from games.conquest.rules import TROOPS
from games.core import Seat
from tests.support.conquest_states import BLUE, CHANCE, GREEN, RED, move, play, position

MAKER = ConquestPuzzles()
AWAY = {GREEN: "E6:1", BLUE: "F6:1"}
"""Opponents that come too late for everything."""


def right_orders(state, aim):
    """The orders after which red wins in time, whatever the others do."""
    proof = _Proof(state, RED, aim)
    orders = [order for order in _offered(state, RED) if proof.refutation(order) is None]
    return [str(Plan((order,))) for order in orders]


NO_QUESTIONS = {
    "two squares on the way": ("G10:1 J7:1 I1:1 C9:1", NEXT, ["C9-1-B8", "C9-1-B9"]),
    "two objectives at once": ("G10:1 J7:1 B8:1 I2:1", NEXT, ["B8-1-A9", "I2-1-I1"]),
    "nobody else who could go": ("G10:1 J7:1 I1:1 A10:1 D5:1", NOW, ["A10-1-A9"]),
}


@pytest.mark.parametrize(("troops", "aim", "right"), NO_QUESTIONS.values(), ids=NO_QUESTIONS)
def test_there_is_no_puzzle_if_the_choice_of_the_march_does_not_matter_or_is_obvious(
    troops, aim, right
):
    state = position(3, {RED: troops, **AWAY})

    assert right_orders(state, aim) == right
    assert MAKER.assess(state, Seat(0), aim) is None


@pytest.mark.parametrize(("held", "quiet"), [(1, True), (2, False)])
def test_a_position_is_quiet_while_every_opponent_lacks_three_objectives(held, quiet):
    near = " ".join(f"{square}:1" for square in LAYOUT.objectives[GREEN][:held])
    state = position(3, {RED: "G10:1 J7:1 I1:1 A10:1", **AWAY, GREEN: near})

    assert _Proof(state, RED, NEXT).is_quiet is quiet


def test_there_is_no_question_if_waiting_is_as_good():
    wait, best, same, other = (move(t).orders[0] for t in ("pass", "B8-1-A9", "B8-2-A9", "B9-1-A9"))

    assert _is_question([wait, best, same, other], [best, same], RED, NOW)
    assert not _is_question([wait, best, same, other], [wait, best], RED, NOW)


@pytest.mark.parametrize(("first", "threat"), [(RED, 3), (GREEN, 1), (BLUE, 0)])
def test_only_seats_that_move_earlier_in_the_next_turn_threaten_a_square(first, threat):
    """The order of the next turn: green and blue first; blue and red first; or red first."""
    state = position(3, {RED: "B8:1", GREEN: "C8:2 C9:1", BLUE: "C7:1"}, first=first)
    proof = _Proof(state, RED, NEXT)

    assert proof._threat(_field_of(state.board), "B8") == threat


def test_nobody_threatens_a_square_that_is_marked_for_its_battalion():
    state = position(3, {RED: "A9:1", GREEN: "B8:5", BLUE: "B9:5"})

    assert _Proof(state, RED, NEXT)._threat(_field_of(state.board), "A9") == 0


@pytest.mark.parametrize("battalion", [RED, GREEN, BLUE])
def test_the_ways_to_reinforce_are_those_of_the_engine(battalion):
    state = position(3, {RED: "E5:1 C9:3", GREEN: "D7:8 E6:1", BLUE: "H4:2"}, first=battalion)
    state = play(state, "pass", "pass", "pass")
    seat = Seat(int(battalion))
    moves = CONQUEST.legal_moves(state, seat)
    after = [CONQUEST.play(state, {seat: each}, CHANCE) for each in moves]

    ways = list(_reinforced(_field_of(state.board), battalion))

    assert state.phase == "reinforcement"
    assert len(ways) == len(after) > 2
    assert all(_field_of(each.board) in ways for each in after)


def test_a_battalion_without_casualties_does_not_reinforce():
    field = _field_of(position(3, {RED: "E5:1 C9:9"}).board)

    assert list(_reinforced(field, RED)) == [field]


STOPS = {
    "one who outnumbers": ({GREEN: "B9:2"}, ["B9-2-B8"], False),
    "two together": ({GREEN: "B9:1", BLUE: "C8:1"}, ["B9-1-B8", "C8-1-B8"], False),
    "the larger stack": ({GREEN: "B9:1 C9:3", BLUE: "C8:1"}, ["C9-3-B8"], False),
    "only reinforced": ({GREEN: "B9:1"}, ["B9-2-B8"], True),
}


@pytest.mark.parametrize(("others", "orders", "reinforced"), STOPS.values(), ids=STOPS)
def test_the_next_turn_is_stopped_by_the_fewest_orders_of_those_who_move_first(
    others, orders, reinforced
):
    """Red leaves A9 for the next turn, in which green moves first, then blue."""
    state = position(3, {RED: "G10:1 J7:1 B8:1 H1:1", **AWAY, **others})

    stop = stop_next(state, RED, move("H1-1-I1").orders[0])

    assert stop.goal == "A9"
    assert [str(order) for _, order in stop.orders] == orders
    assert stop.reinforced == reinforced


UNSTOPPED = {
    "two objectives are left": ("G10:1 J7:1 B8:1 H1:1", "pass"),
    "nobody is near": ("G10:1 J7:1 D8:1 H1:1", "H1-1-I1"),
    "several could go on": ("G10:1 J7:1 B8:1 B9:1 H1:1", "H1-1-I1"),
    "too few can come": ("G10:1 J7:1 B8:3 H1:1", "H1-1-I1"),
}


@pytest.mark.parametrize(("troops", "order"), UNSTOPPED.values(), ids=UNSTOPPED)
def test_no_stop_is_reported_if_it_does_not_concern_a_single_stack(troops, order):
    state = position(3, {RED: troops, GREEN: "C8:2", BLUE: "F6:1"})

    assert stop_next(state, RED, move(order).orders[0]) is None


def test_composed_positions_have_room_for_all_troops():
    drawn = [_composed(RED, NEXT, Chance("room", n)) for n in range(300)]
    fields = [field for field in drawn if field is not None]

    assert 0 < len(fields) < len(drawn)
    for field in fields:
        assert {battalion for battalion, _ in field.values()} == set(in_play(3))
        for square, (battalion, troops) in field.items():
            assert square not in closed_to(3, battalion)
            assert 0 < troops <= TROOPS
