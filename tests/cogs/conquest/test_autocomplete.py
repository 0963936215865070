"""What autocomplete offers while an order of Divide & Conquer (board) is typed."""

import pytest

from cogs.conquest.autocomplete import completions
from games.conquest import CONQUEST
from tests.support.conquest_snapshots import states
from tests.support.conquest_states import BLUE, GREEN, RED, play, position


def found(state, seat, typed):
    view = CONQUEST.observe(state, seat)
    return [text for _, text in completions(view, CONQUEST.legal_moves(state, seat), typed)]


START = position(4)


SPREAD = position(3, {RED: "B4:3 C4:2 D8:1", GREEN: "B5:2"})


def test_whole_stacks_are_offered_first_and_at_most_25():
    offered = found(START, 0, "")

    assert offered[:5] == ["E5-10-D4", "E5-10-D5", "E5-10-D6", "E5-10-E4", "E5-10-F4"]
    assert len(offered) == 25


@pytest.mark.parametrize("typed", ["b4-2", "B4 - 2", "B4\N{EN DASH}2", " b 4-2"])
def test_typed_orders_are_parsed_leniently(typed):
    offered = found(SPREAD, 0, typed)

    assert offered
    assert all(text.startswith("B4-2-") for text in offered)


def test_orders_are_also_found_by_text_in_their_middle():
    assert found(SPREAD, 0, "-E8") == ["D8-1-E8"]


def test_an_order_is_shown_with_what_is_on_its_target():
    view = CONQUEST.observe(SPREAD, 0)

    shown = completions(view, CONQUEST.legal_moves(SPREAD, 0), "B4-3-B5")

    assert shown == [("B4-3-B5 (2 troops of green)", "B4-3-B5")]


def test_a_reinforcement_is_shown_in_words():
    placing = play(position(3, {RED: "E5:5 C3:4"}, redeployment=True), "pass", "pass", "pass")
    team = play(position(2, {RED: "E5:9"}), "pass / pass", "pass / pass")

    def shown(state, typed):
        found = completions(CONQUEST.observe(state, 0), CONQUEST.legal_moves(state, 0), typed)
        return [told for told, _ in found]

    assert shown(placing, "c3") == ["C3>HQ (one troop from C3 back to HQ)"]
    assert shown(team, "+") == ["+E5 / none (one troop on E5)"]


def test_a_pass_can_be_completed():
    assert found(SPREAD, 0, "pa") == ["pass"]


def test_nonsense_has_no_completions():
    assert found(SPREAD, 0, "hello") == []
    assert found(position(2), 0, "hello / ") == []


def test_a_seat_that_is_not_awaited_is_offered_nothing():
    state = play(position(3, {RED: "E5:9"}), "pass", "pass", "pass")

    assert found(state, 1, "") == []


def test_a_team_is_offered_joint_orders():
    offered = found(position(2), 0, "")

    assert offered[0] == "E5-10-D4 / pass"
    assert all(text.endswith(" / pass") for text in offered)


def test_the_second_part_of_a_joint_order_is_completed_after_the_slash():
    state = position(2, {BLUE: "F6:2"})

    assert found(state, 0, "e5-9-d4")[:2] == ["E5-9-D4 / F6-2-E7", "E5-9-D4 / F6-2-F7"]
    assert found(state, 0, "e5-9-d4 / f6-1-g")[0] == "E5-9-D4 / F6-1-G5"
    assert found(state, 0, "E5-9-D4/pa") == ["E5-9-D4 / pass"]


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("f6-", ["pass / F6-2-E7", "pass / F6-2-F7"]),
        ("F6 - 1 - E7", ["pass / F6-1-E7"]),
        ("-G7", ["pass / F6-2-G7", "pass / F6-1-G7"]),
        ("2-E7", ["pass / F6-2-E7"]),
    ],
)
def test_an_order_of_the_second_battalion_is_found_without_a_slash(typed, offered):
    assert found(position(2, {BLUE: "F6:2"}), 0, typed)[: len(offered)] == offered


def test_without_a_slash_the_first_battalion_comes_first_and_passing_last():
    state = position(2, {RED: "B4:1", BLUE: "A4:1"})

    offered = found(state, 0, "")

    firsts = [text for text in offered if text.startswith("B4-1-")]
    assert firsts
    assert offered[: len(firsts)] == firsts
    assert offered[len(firsts)].startswith("pass / A4-1-")
    assert offered[-1] == "pass / pass"
    assert len(set(offered)) == len(offered)
    assert found(state, 0, "pass")[0].startswith("pass / A4-1-")


def test_a_reinforcement_of_the_second_battalion_is_found_without_a_slash():
    state = play(position(2, {RED: "E5:9", BLUE: "F6:7 H8:1"}), "pass / pass", "pass / pass")

    assert found(state, 0, "+h") == ["none / +H8"]
    assert found(state, 0, "+") == ["+E5 / none", "none / +F6", "none / +H8"]
    assert found(state, 0, "")[-1] == "none / none"


def test_reinforcements_and_choices_are_completed_too():
    placing = play(position(3, {RED: "E5:5 C3:1"}), "pass", "pass", "pass")
    team = play(position(2, {RED: "E5:9"}), "pass / pass", "pass / pass")
    asked = position(3, {RED: "D4:3", GREEN: "D5:3"}, equal="choice")
    asked = play(asked, "D4-3-D5", "pass", "pass")

    assert found(placing, 0, "") == ["+E5", "+C3", "none"]
    assert found(team, 0, "+") == ["+E5 / none"]
    assert found(asked, 0, "") == ["fight", "hold"]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_completion_is_legal_and_short(seats):
    for state in states(seats, 2, 5)[::4]:
        for seat in CONQUEST.awaiting(state):
            view, legal = CONQUEST.observe(state, seat), CONQUEST.legal_moves(state, seat)
            for typed in ("", str(legal[0]).rpartition("/")[2]):
                offered = completions(view, legal, typed)
                assert 1 <= len(offered) <= 25
                for told, text in offered:
                    CONQUEST.check(state, seat, CONQUEST.parse(text))
                    assert len(told) <= 100
