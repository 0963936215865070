"""How the computer plays Divide & Conquer (board): legally, reproducibly and sensibly."""

from dataclasses import replace

import pytest

from games.chance import Chance
from games.computers import COMPUTERS
from games.conquest import CONQUEST, Choice, Options, Plan, Supply
from games.conquest.computer import distance
from games.conquest.computer.lookahead import evaluate_options
from games.conquest.computer.player import ConquestComputer, recommended
from games.conquest.computer.playout import POLICIES
from games.conquest.computer.race import race
from games.conquest.computer.situation import MAX_TURNS, PLAYOUTS_PER_POLICY_TRIAL, Planning
from games.core import Seat
from tests.support.conquest_states import (
    BLUE,
    CHANCE,
    GREEN,
    RED,
    YELLOW,
    concede,
    move,
    play,
    position,
)

COMPUTER = ConquestComputer()
BEGINNER, EASY, STEADY, STRONG = COMPUTER.levels
HURRIED = replace(STRONG, budget=60)
MANY = 600
"""Playouts that are enough to tell policies apart and not too slow in any position."""

TINY = replace(STRONG, budget=1)

VARIANTS = {
    "standard": Options(),
    "choice": Options(equal="choice", reinforce="together", redeployment=True, goal="both"),
    "bounce": Options(equal="bounce", redeployment=True, turn_limit=9),
}
"""Together, these have every value of every option."""

NEAR_WIN = {RED: "A9:1 G10:1 J7:1 I2:2 E5:5"}
YELLOW_NEAR_WIN = {YELLOW: "B1:1 A7:1 D10:1 I9:1 F5:6"}


def choice(state, seat, level=HURRIED, seed="mind"):
    return COMPUTER.choose(CONQUEST.observe(state, Seat(seat)), Seat(seat), level, Chance(seed, 1))


def assessment(state, seat, text):
    view = CONQUEST.observe(state, Seat(seat))
    return COMPUTER.assess(view, Seat(seat), move(text), Chance("coach", 1))


def stretch(state, level, steps):
    """This many steps of computers, or fewer to the end; `play` checks every move."""
    for step in range(steps):
        moves = {
            seat: COMPUTER.choose(CONQUEST.observe(state, seat), seat, level, Chance("go", step))
            for seat in sorted(CONQUEST.awaiting(state))
        }
        state = CONQUEST.play(state, moves, CHANCE) if moves else state
    return state


def test_the_computer_is_registered_with_four_levels():
    assert isinstance(COMPUTERS["conquest"], ConquestComputer)
    assert [level.key for level in COMPUTER.levels] == [
        "beginner",
        "easy",
        "steady",
        "strong",
    ]
    assert [level.budget for level in COMPUTER.levels] == sorted(
        level.budget for level in COMPUTER.levels
    )
    assert COMPUTER.levels_for(Options(), 4) == (BEGINNER, EASY, STEADY, STRONG)


@pytest.mark.parametrize("seats", CONQUEST.seats)
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("level", [BEGINNER, EASY, TINY], ids=["beginner", "easy", "tiny"])
def test_every_move_of_many_steps_is_legal(variant, seats, level):
    state = CONQUEST.setup(VARIANTS[variant], seats, Chance("0" * 64, 0))

    assert stretch(state, level, 16).turn > 3


@pytest.mark.parametrize("seats", CONQUEST.seats)
def test_moves_are_legal_in_the_middle_of_a_match(seats):
    state = position(seats, {RED: "D6:3 B9:1 F4:1", GREEN: "E7:3 G8:2 E6:3"}, equal="choice")

    assert stretch(state, HURRIED, 2).current.movements


@pytest.mark.parametrize("left", [(3,), (0, 2)])
def test_moves_are_legal_after_concessions(left):
    state = concede(position(4, {GREEN: "D5:6 C4:2", YELLOW: "G4:4 F5:2"}), *left)

    assert stretch(state, HURRIED, 2).left == left


def test_the_same_view_level_and_seed_give_the_same_move():
    state = position(4, {RED: "D6:5 C8:3", GREEN: "D7:4 E6:6"})
    before = choice(state, 0)
    distance._distance.cache_clear()

    assert choice(state, 0) == before


def test_the_choices_of_others_are_not_seen():
    state = position(2, {RED: "D6:4", GREEN: "D7:4 E8:1"}, first=RED, equal="choice")
    waiting = play(state, "D6-4-D7 / pass", "pass / E8-1-F9")
    other = play(state, "D6-4-D7 / pass", "pass / D7-4-C7")

    assert waiting.contest is not None
    assert choice(waiting, 0) == choice(other, 0)


@pytest.mark.parametrize("seats", CONQUEST.seats)
@pytest.mark.parametrize("level", [STEADY, HURRIED], ids=["steady", "strong"])
def test_a_win_within_reach_is_taken(seats, level):
    plan = choice(position(seats, NEAR_WIN, first=RED), 0, level)

    assert plan.orders[0].source == "I2"
    assert plan.orders[0].target == "I1"


def test_an_enemys_last_step_is_prevented():
    state = position(2, {**YELLOW_NEAR_WIN, RED: "H9:5 E5:5"}, first=RED)
    plan = choice(state, 0)

    assert (plan.orders[0].source, plan.orders[0].target) == ("H9", "I9")
    assert plan.orders[0].troops > 1


def test_one_of_several_opponents_prevents_anothers_last_step():
    state = position(4, {**YELLOW_NEAR_WIN, RED: "H9:5 E5:5"}, first=RED)
    plan = choice(state, 0)

    assert (plan.orders[0].source, plan.orders[0].target) == ("H9", "I9")


def contested(troops):
    """Red meets an equal stack of yellow, which is close to winning, and is asked for a Choice."""
    return play(position(2, troops, first=RED, equal="choice"), "H9-1-I9 / pass", "pass / pass")


def test_a_choice_that_prevents_a_loss_is_fight():
    state = contested({**YELLOW_NEAR_WIN, RED: "H9:1 E5:9"})

    assert choice(state, 0) == Choice(fight=True)


def test_a_choice_that_would_throw_away_a_win_is_hold():
    """The troop that could fight is one step from the last objective."""
    troops = {YELLOW: "I9:1 F5:9", RED: "A9:1 G10:1 I1:1 I8:1 E5:2", BLUE: "F6:10"}
    before = position(2, troops, first=RED, equal="choice")

    assert choice(play(before, "I8-1-I9 / pass", "pass / pass"), 0) == Choice(fight=False)


def planning(troops, seats=2):
    view = CONQUEST.observe(position(seats, troops, first=RED), Seat(0))
    return Planning(view, Seat(0), Chance("settled", 1))


def test_if_an_enemy_is_in_reach_playouts_hunt():
    situation = planning({RED: "E5:9", YELLOW: "F5:1 G4:1 D3:1"})

    left = situation.settle(MANY)

    assert MANY - left == MANY // PLAYOUTS_PER_POLICY_TRIAL
    assert [policy.least for policy in situation._own] == [2, 2]


@pytest.mark.parametrize("seats", [2, 4])
def test_the_playouts_of_a_choice_take_no_more_turns_than_its_time_allows(seats):
    """Those of the first turn are the longest: 1,500 of them would take half as long again."""
    view = CONQUEST.observe(CONQUEST.setup(Options(), seats, Chance("0" * 64, 0)), Seat(0))
    situation = Planning(view, Seat(0), Chance("long", 1))
    moves, theirs = situation.options(STRONG.budget)
    evaluate_options((len(moves), *theirs), situation.trial, situation.settle(STRONG.budget))

    assert 0.8 * MAX_TURNS < situation.playouts.turns < 1.1 * MAX_TURNS


def test_few_playouts_are_not_spent_on_choosing_policies():
    situation = planning(NEAR_WIN)

    assert [situation.settle(budget) for budget in (24, 299)] == [24, 299]
    assert situation._own == POLICIES
    assert situation.settle(300) == 240


def test_an_order_that_wins_after_a_choice_is_foreseen():
    state = position(2, {**NEAR_WIN, BLUE: "H9:1 F6:9", YELLOW: "I9:1"}, first=BLUE, equal="choice")
    asked = play(state, "I2-1-I1 / H9-1-I9", "pass / pass")

    assert asked.contest is not None
    assert isinstance(choice(asked, 0), Choice)


def test_reinforcements_go_where_they_help():
    state = play(position(4, {RED: "A9:1 G10:1 J7:1 H2:1"}, first=RED), *["pass"] * 4)

    assert choice(state, 0) != Supply((None,))


def test_a_team_reinforces_with_both_battalions():
    state = play(position(2, {RED: "D7:2", BLUE: "F6:4 G5:1"}), "pass / pass", "pass / pass")

    assert None not in choice(state, 0).placements


def test_the_last_turn_is_played_for_objectives_and_troops():
    state = position(4, {RED: "A9:1 G9:3 E5:4", GREEN: "I10:1 E6:9"}, first=RED, turn=100)
    plan = choice(state, 0)

    assert (plan.orders[0].source, plan.orders[0].target) == ("G9", "G10")


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("level", [STEADY, HURRIED], ids=["steady", "strong"])
def test_with_too_few_turns_to_win_it_takes_what_it_can_and_holds_no_less_than_racers(seats, level):
    state = position(seats, turn_limit=4, reinforce="together")
    while awaited := CONQUEST.awaiting(state):
        moves = {seat: race(CONQUEST.observe(state, seat), seat, CHANCE) for seat in awaited}
        moves[Seat(0)] = choice(state, 0, level)
        state = CONQUEST.play(state, moves, CHANCE)

    outcome = CONQUEST.outcome(state)
    assert outcome.ranks[0] == 1
    assert outcome.scores[0] >= 1


@pytest.mark.parametrize("level", COMPUTER.levels, ids=lambda level: level.key)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_distant_turn_limit_changes_no_choice(seats, level):
    """The last turn is beyond every route and every playout."""
    quick, troops = replace(level, budget=min(level.budget, 60)), {RED: "D6:5 C8:3", GREEN: "E6:9"}
    chosen = [
        choice(position(seats, troops, turn=turn, turn_limit=limit), 0, quick)
        for turn, limit in ((20, 100), (20, 1000), (20, 90))
    ]

    assert chosen[0] == chosen[1] == chosen[2]


def test_easy_often_races_and_often_strays():
    state = position(4, {RED: "D6:5 C8:3"})
    view = CONQUEST.observe(state, Seat(0))
    raced = [
        choice(state, 0, EASY, str(n)) == race(view, Seat(0), Chance(str(n), 1)) for n in range(60)
    ]

    assert 25 < sum(raced) < 58


def test_easy_races_with_the_troops_it_has_if_it_cannot_stray():
    state = position(2, {RED: "", BLUE: "F6:10"})

    assert choice(state, 0, EASY).orders[0] is None


def test_a_beginner_often_moves_whole_stacks():
    state = position(4, {RED: "D6:5 C8:3"})
    whole = {"D6": 5, "C8": 3}
    orders = [choice(state, 0, BEGINNER, str(n)).orders[0] for n in range(60)]

    assert 30 < sum(order.troops == whole[order.source] for order in orders) < 58
    assert "mostly with all its troops" in BEGINNER.says


def test_easy_reinforces_and_holds_like_the_race_player():
    state = contested({**YELLOW_NEAR_WIN, RED: "H9:1 E5:9"})

    assert choice(state, 0, EASY) == Choice(fight=False)


def test_the_coach_finds_a_missed_win_and_says_what_it_cost():
    found = assessment(position(4, {**NEAR_WIN, **YELLOW_NEAR_WIN}, first=RED), 0, "E5-1-D5")

    assert found.better.orders[0].target == "I1"
    assert 0.5 < found.cost <= 2


def test_the_coach_has_nothing_to_say_about_a_win_that_was_taken():
    found = assessment(position(4, NEAR_WIN, first=RED), 0, "I2-2-I1")

    assert (found.better, found.cost) == (None, 0.0)


def test_the_coach_weighs_an_order_that_it_would_not_consider_itself():
    state = position(2, {**NEAR_WIN, **YELLOW_NEAR_WIN}, first=RED)
    found = assessment(state, 0, "E5-3-D5 / F6-7-G7")

    assert isinstance(found.better, Plan)


def test_the_coach_has_no_opinion_about_a_placement_it_did_not_try():
    state = play(position(4, {RED: "D4:1 E5:8"}), *["pass"] * 4)

    assert assessment(state, 0, "none") is None
    assert assessment(state, 0, "+D4") is not None


SIDE_BY_SIDE = {RED: "E5:3 F3:7", BLUE: "F6:1 H4:9", GREEN: "D5:8 E6:2", YELLOW: "F5:1 G6:9"}


@pytest.mark.parametrize(
    ("first", "near", "better"),
    [
        (RED, ["F3-2-G4 / H4-2-G4", "F3-2-G4 / H4-2-G3"], "F3-2-G4 / H4-2-G3"),
        (RED, ["F3-2-G3 / H4-2-G4", "F3-2-G4 / H4-2-G3"], "F3-2-G3 / H4-2-G4"),
        (RED, ["F3-2-G4 / H4-2-G4"], "F3-2-G4 / pass"),
        (BLUE, ["F3-2-G4 / H4-2-G4"], "pass / H4-2-G4"),
        (RED, ["pass / pass", "F3-2-G4 / H4-2-G3"], "pass / pass"),
        (RED, ["E5-3-E4 / F6-1-G5"], "E5-3-E4 / F6-1-G5"),
    ],
    ids=["other", "best", "second lapses", "first lapses", "passes", "apart"],
)
def test_among_equal_plans_one_whose_orders_are_all_carried_out_is_recommended(first, near, better):
    view = CONQUEST.observe(position(2, SIDE_BY_SIDE, first=first), Seat(0))

    assert str(recommended(view, [move(text) for text in near])) == better


def test_two_orders_onto_an_enemy_are_kept_because_the_first_may_fall_there():
    view = CONQUEST.observe(position(2, {**SIDE_BY_SIDE, YELLOW: "G4:9"}, first=RED), Seat(0))

    assert recommended(view, [move("F3-2-G4 / H4-9-G4")]) == move("F3-2-G4 / H4-9-G4")


def test_the_coach_does_not_send_two_battalions_to_the_same_empty_square():
    found = assessment(position(2, SIDE_BY_SIDE, first=BLUE, turn=4), 0, "pass / pass")

    targets = [order.target for order in found.better.orders if order is not None]
    assert len(targets) == len(set(targets)) > 0
