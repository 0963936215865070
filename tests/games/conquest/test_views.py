"""Divide & Conquer (board): what is secret, what views show, and what can be imagined."""

from collections import Counter
from dataclasses import replace

import pytest

from games.chance import Chance
from games.conquest import (
    CONQUEST,
    Conflict,
    Contest,
    Movement,
    Order,
    Pending,
    Reinforcement,
    Reserve,
)
from games.core import Seat
from tests.support.conquest_states import (
    BLUE,
    GREEN,
    RED,
    YELLOW,
    concede,
    play,
    position,
    troops,
)


def choosing(seats=4):
    """Red's Choice is awaited; the others' orders are written and wait."""
    places = {RED: "E4:5", GREEN: "E3:4"}
    if seats == 2:
        state = position(2, places, equal="choice")
        return play(state, "E4-4-E3 / F6-1-G6", "F5-1-G4 / E3-4-D3")
    state = position(4, places, equal="choice")
    return play(state, "E4-4-E3", "E3-4-D3", "F6-1-G6", "pass")


def won():
    """Red has won, and the orders of green, blue and yellow were not executed."""
    state = position(4, {RED: "A9:1 G10:1 J7:1 H1:2"})
    return play(state, "H1-1-I1", "E6-1-D6", "F6-1-G6", "pass")


def ended_by_leaving():
    """Red's Choice was awaited when their opponent left, so blue's order was never executed."""
    return concede(choosing(2), 1)


def with_other_order(state, battalion):
    pending = tuple(
        replace(item, order=Order("D9", 1, "D10")) if item.battalion is battalion else item
        for item in state.pending
    )
    assert pending != state.pending
    return replace(state, pending=pending)


@pytest.mark.parametrize("state", [choosing(), won()], ids=["choice", "won"])
@pytest.mark.parametrize(("writer", "battalion"), [(1, GREEN), (2, BLUE), (3, YELLOW)])
def test_only_its_writer_sees_an_order_that_was_not_executed(state, writer, battalion):
    """While a Choice is awaited and after the match is won; a pass is as secret as an order."""
    other = with_other_order(state, battalion)

    for onlooker in (None, *(Seat(i) for i in range(4) if i != writer)):
        assert CONQUEST.observe(other, onlooker) == CONQUEST.observe(state, onlooker)
    assert CONQUEST.observe(other, Seat(writer)) != CONQUEST.observe(state, Seat(writer))


@pytest.mark.parametrize("battalion", [YELLOW, GREEN, BLUE])
def test_a_team_sees_the_orders_of_both_its_battalions_and_no_others(battalion):
    state = choosing(2)
    writer = 0 if battalion is BLUE else 1
    other = with_other_order(state, battalion)

    for onlooker in (None, Seat(1 - writer)):
        assert CONQUEST.observe(other, onlooker) == CONQUEST.observe(state, onlooker)
    assert CONQUEST.observe(other, Seat(writer)) != CONQUEST.observe(state, Seat(writer))


def test_orders_stay_secret_when_the_opponents_have_left():
    state = ended_by_leaving()
    other = with_other_order(state, BLUE)

    for onlooker in (None, Seat(1)):
        assert CONQUEST.observe(other, onlooker) == CONQUEST.observe(state, onlooker)
    assert CONQUEST.observe(state, Seat(0)).written == (
        Pending(battalion=BLUE, order=Order("F6", 1, "G6")),
    )


def test_the_writer_still_sees_their_own_order_after_the_match_was_won():
    assert CONQUEST.observe(won(), Seat(1)).written == (
        Pending(battalion=GREEN, order=Order("E6", 1, "D6")),
    )


def test_a_seat_that_left_and_an_unknown_seat_see_what_a_spectator_sees():
    state = concede(choosing(), 1)
    public = CONQUEST.observe(state, None)

    for seat in (1, 7, -1):
        assert replace(CONQUEST.observe(state, Seat(seat)), seat=None) == public


def test_everybody_sees_whose_orders_wait_and_which_one_asks_for_a_choice():
    view = CONQUEST.observe(choosing(), None)

    assert view.pending == (GREEN, BLUE, YELLOW)
    assert view.written == ()
    assert view.awaiting == (0,)
    assert view.contest == Contest(
        battalion=RED, order=Order("E4", 4, "E3"), defender=GREEN, troops=4
    )


def test_the_view_holds_the_position_the_banks_and_the_turn():
    state = position(4, {RED: "A9:1 E5:5", BLUE: "F6:9"}, first=BLUE, turn=3)

    view = CONQUEST.observe(state, Seat(2))

    assert view.seat == 2
    assert (view.turn, view.initiative, view.phase) == (3, BLUE, "planning")
    assert view.order == (BLUE, YELLOW, RED, GREEN)
    assert view.board == state.board
    assert view.banks == (4, 0, 1, 0)
    assert view.objectives == (1, 0, 0, 0)
    assert view.awaiting == (0, 1, 2, 3)
    assert view.outcome is None


def test_the_view_names_awaited_seats_in_seat_order():
    """Whatever the order in which their placements will be applied (R17)."""
    places = {RED: "E5:9", GREEN: "E6:9", YELLOW: "F5:9"}
    state = position(4, places, first=YELLOW, reinforce="together")

    view = CONQUEST.observe(play(state, "pass", "pass", "pass", "pass"), None)

    assert view.reserve == (3, 0, 1)
    assert view.awaiting == (0, 1, 3)


def test_the_order_of_the_turn_leaves_out_battalions_that_left():
    assert CONQUEST.observe(concede(position(4), 0), None).order == (GREEN, BLUE, YELLOW)


def test_the_view_reports_the_last_turn_order_by_order():
    places = {RED: "D4:6", GREEN: "D5:4", BLUE: "E4:2"}
    before = position(4, places)
    state = play(before, "D4-6-D5", "D5-4-C5", "E4-2-D4", "F5-2-G4")
    for text in ("+D5", "+E6", "none"):
        state = play(state, text)

    last = CONQUEST.observe(state, None).last

    assert (last.turn, last.initiative, last.board) == (1, RED, before.board)
    assert last.movements == (
        Movement(
            battalion=RED,
            order=Order("D4", 6, "D5"),
            moved=6,
            result="battle",
            lapse=None,
            conflict=Conflict(
                defender=GREEN,
                attackers=6,
                defenders=4,
                attackers_lost=4,
                defenders_lost=4,
                holder=RED,
                choice=None,
            ),
        ),
        Movement(
            battalion=GREEN,
            order=Order("D5", 4, "C5"),
            moved=0,
            result="lapse",
            lapse="taken",
            conflict=None,
        ),
        Movement(
            battalion=BLUE,
            order=Order("E4", 2, "D4"),
            moved=2,
            result="march",
            lapse=None,
            conflict=None,
        ),
        Movement(
            battalion=YELLOW,
            order=Order("F5", 2, "G4"),
            moved=2,
            result="march",
            lapse=None,
            conflict=None,
        ),
    )
    assert last.reserves == (
        Reserve(battalion=RED, placement=Reinforcement("D5")),
        Reserve(battalion=GREEN, placement=Reinforcement("E6")),
        Reserve(battalion=BLUE, placement=None),
    )


def test_each_report_begins_with_the_position_in_which_its_orders_were_written():
    state = play(position(4), "E5-9-D4", "pass", "pass", "pass")

    assert state.last.board == position(4).board
    assert state.current.board == state.board != state.last.board


def test_the_view_reports_how_many_fought_if_fewer_were_left_than_ordered():
    places = {RED: "D4:5", GREEN: "C4:2", BLUE: "D3:1"}
    state = play(position(4, places, first=GREEN), "D4-5-D3", "C4-2-D4", "pass", "pass")

    movement = state.current.movements[-1]

    assert (movement.order, movement.moved) == (Order("D4", 5, "D3"), 3)
    assert (movement.conflict.attackers, movement.conflict.attackers_lost) == (3, 1)


@pytest.mark.parametrize(
    ("choice", "result", "lost", "holder"),
    [("fight", "battle", 4, None), ("hold", "hold", 0, GREEN)],
)
def test_the_view_reports_a_choice_and_its_result(choice, result, lost, holder):
    state = play(choosing(), choice)
    report = state.current

    assert report.movements[0].conflict == Conflict(
        defender=GREEN,
        attackers=4,
        defenders=4,
        attackers_lost=lost,
        defenders_lost=lost,
        holder=holder,
        choice=choice,
    )
    assert report.movements[0].result == result


def test_the_view_reports_who_holds_a_square_after_a_failed_attack():
    state = play(position(4, {RED: "E4:4", GREEN: "E3:8"}), "E4-4-E3", "pass", "pass", "pass")

    conflict = CONQUEST.observe(state, None).current.movements[0].conflict

    assert (conflict.attackers_lost, conflict.defenders_lost) == (4, 4)
    assert conflict.holder is GREEN


def test_a_choice_that_was_never_made_is_reported_as_void():
    movement = ended_by_leaving().current.movements[0]

    assert (movement.result, movement.moved) == ("void", 0)
    assert movement.conflict.choice is None


@pytest.mark.parametrize(
    "state",
    [position(4), choosing(), won(), choosing(2), ended_by_leaving(), concede(choosing(), 1)],
    ids=["planning", "choice", "won", "teams", "left", "without green"],
)
def test_an_imagined_state_agrees_with_the_view(state):
    for i in range(state.seats):
        view = CONQUEST.observe(state, Seat(i))
        for step in range(20):
            imagined = CONQUEST.imagine(view, Seat(i), Chance("7" * 64, step))
            assert CONQUEST.observe(imagined, Seat(i)) == view


def test_an_imagined_state_keeps_its_own_orders_and_draws_the_others_uniformly():
    """Among all orders that were valid when they were written, `pass` included."""
    view = CONQUEST.observe(choosing(), Seat(1))
    drawn = Counter(
        CONQUEST.imagine(view, Seat(1), Chance("5" * 64, step)).pending for step in range(3000)
    )

    assert {pending[0].order for pending in drawn} == {Order("E3", 4, "D3")}
    blue = Counter()
    for pending, n in drawn.items():
        blue[str(pending[1].order)] += n
    assert set(blue) == {"None"} | {
        f"F6-{n}-{target}" for n in range(1, 11) for target in ("E7", "F7", "G5", "G6", "G7")
    }
    assert min(blue.values()) > 25  # 59 expected; five standard deviations are 38
    assert max(blue.values()) < 98


def test_imagined_orders_are_those_possible_when_they_were_written():
    """Red's attack has emptied green's square since; green had written its order before."""
    places = {RED: "E4:4", GREEN: "E3:4", BLUE: "H5:3", YELLOW: "G5:3"}
    state = position(4, places, first=RED, equal="choice")
    state = play(state, "E4-3-E3", "E3-1-D3", "H5-3-G5", "G5-3-G4")
    assert troops(state, GREEN) == "D3:1"  # three fell, so the rest carried out their order
    assert CONQUEST.awaiting(state) == {2}

    view = CONQUEST.observe(state, Seat(0))
    orders = {
        CONQUEST.imagine(view, Seat(0), Chance("3" * 64, step)).pending[0].order
        for step in range(400)
    }

    assert view.pending == (YELLOW,)
    assert {order.source for order in orders - {None}} == {"G5"}
    assert {order.troops for order in orders - {None}} == {1, 2, 3}


def test_imagined_orders_of_a_stack_that_lost_troops_may_include_those_lost():
    places = {RED: "G4:1", BLUE: "H5:2", YELLOW: "G5:3", GREEN: "E6:10"}
    state = position(4, places, first=RED, equal="choice")
    state = play(state, "G4-1-G5", "pass", "H5-2-G5", "G5-3-F4")
    assert troops(state, YELLOW) == "G5:2"
    assert CONQUEST.awaiting(state) == {2}

    view = CONQUEST.observe(state, Seat(2))
    drawn = [CONQUEST.imagine(view, Seat(2), Chance("3" * 64, step)) for step in range(300)]

    assert {state.pending[0].order.troops for state in drawn if state.pending[0].order} == {1, 2, 3}
