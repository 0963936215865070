from dataclasses import replace
from itertools import repeat

import pytest

from games.chance import Chance
from games.computers import COMPUTERS
from games.spite import SPITE, Options
from games.spite.cards import arranged
from games.spite.computer.fast_state import PILE, FastState, play_of
from games.spite.computer.greedy import greedy
from games.spite.computer.plans import Plan, habit, plans
from games.spite.computer.player import (
    BEGINNER,
    EASY,
    STEADY,
    STRONG,
    SpiteComputer,
)
from games.spite.computer.search import best, margin, playout_worth
from games.spite.computer.sure_wins import SureWins
from games.spite.moves import Discard, Draw, Play
from tests.support.spite_states import VARIANTS, A, match, play, position, side

COMPUTER = SpiteComputer()
HASTY = replace(STRONG, budget=40)
ENDLESS = replace(STRONG, budget=10**12)


class Brisk(SpiteComputer):
    """A coach that thinks less than the real one, so that the tests are quick."""

    levels = (replace(STRONG, budget=160),)


def chosen(state, level, seed="thinking"):
    seat = state.on_turn
    return str(COMPUTER.choose(SPITE.observe(state, seat), seat, level, Chance(seed, 1)))


def assessed(state, text):
    view = SPITE.observe(state, A)
    return Brisk().assess(view, A, SPITE.parse(text), Chance("thinking", 1))


def played(level, options, steps, seed="a match"):
    """The state after this many steps of a match of two computers, or its last one."""
    state = SPITE.setup(options, 2, Chance(seed, 0))
    for step in range(1, steps + 1):
        for seat in SPITE.awaiting(state):
            move = COMPUTER.choose(SPITE.observe(state, seat), seat, level, Chance(seed, step))
            state = SPITE.play(state, {seat: move}, Chance(seed, step))
    return state


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
@pytest.mark.parametrize("level", [BEGINNER, EASY, STEADY, HASTY], ids=lambda level: level.key)
def test_every_level_plays_every_variant_legally(level, variant):
    options = Options(stock=2, turn_limit=12, **variant)

    assert SPITE.outcome(played(level, options, 400)) is not None


def test_the_registry_has_this_computer():
    assert isinstance(COMPUTERS["spite"], SpiteComputer)


def test_the_levels_begin_with_the_weakest():
    levels = COMPUTER.levels_for(Options(), 2)

    assert [level.key for level in levels] == ["beginner", "easy", "steady", "strong"]


def test_the_same_seed_gives_the_same_choice():
    state = match(3, steps=12)[-1]

    assert chosen(state, HASTY) == chosen(state, HASTY)


def test_hidden_cards_cannot_change_a_choice():
    state = match(3, steps=12)[-1]
    mine, theirs = state.on_turn, 1 - state.on_turn
    sides = list(state.sides)
    sides[mine] = replace(sides[mine], stock=(*sides[mine].stock[-2::-1], sides[mine].stock[-1]))
    held = sides[theirs].hand
    sides[theirs] = replace(sides[theirs], hand=arranged(state.source[: len(held)]))
    other = replace(state, sides=tuple(sides), source=state.source[len(held) :] + held)

    assert SPITE.observe(state, mine) == SPITE.observe(other, mine)
    assert chosen(state, HASTY) == chosen(other, HASTY)


def test_the_only_legal_move_is_made_at_once():
    state = position(side(stock="9 5", hand=""), source="", piles=("A 2 3 4",))

    assert chosen(state, ENDLESS) == "stock>f1"


def test_cards_are_drawn_at_once_if_that_is_a_move():
    state = position(side(hand="8 9"), strict_draw=True)

    assert chosen(state, ENDLESS) == "draw"


@pytest.mark.parametrize("level", [EASY, STEADY, ENDLESS], ids=lambda level: level.key)
def test_the_last_stock_card_is_played_at_once(level):
    state = position(side(stock="5", hand="4 5 6 7 8"), piles=("A 2 3", "A 2 3 4"))

    assert chosen(state, level) == "stock>f2"


def test_the_cards_needed_before_the_stock_card_are_played_first():
    state = position(side(stock="9 6", hand="4 9 9 J Q", d1="5"), piles=("A 2 3", "A 2 3 4 5 6 7"))

    assert chosen(state, ENDLESS) == "4>f1"
    assert chosen(play(state, "4>f1"), ENDLESS) == "d1>f1"


def test_with_an_empty_hand_it_plays_on_from_its_piles():
    state = position(side(stock="9 9", d1="4", d2="4"), piles=("A 2 3",), source="")

    assert chosen(state, STEADY) == "d1>f1"


ONE, TWO, THREE = "A", "A 2", "A 2 3"
SURE_WINS = {
    "two kings": position(
        side(stock="7", hand="4 8 J K K", d1="10 9", d2="J J"), piles=(THREE, ONE, TWO)
    ),
    "eleven plays": position(
        side(stock="J", hand="4 5 10", d1="9 6 Q 4 3 K 6", d2="5", d3="7 Q 10 9", d4="7"),
        side(stock="6"),
        piles=(THREE, THREE, TWO, ONE),
    ),
    "a pile cleared": position(
        side(stock="5", hand="2 9 9 9 Q", d1="4 7 2", d2="2"), piles=(THREE, ONE, "A 2 3 4 5 6")
    ),
}
each_sure_win = pytest.mark.parametrize("state", SURE_WINS.values(), ids=SURE_WINS)


@each_sure_win
@pytest.mark.parametrize("level", [STEADY, HASTY], ids=lambda level: level.key)
def test_a_certain_win_in_this_turn_is_taken_whatever_is_drawn(level, state):
    turn = state.turn
    while SPITE.awaiting(state):
        assert (state.on_turn, state.turn) == (A, turn)
        state = play(state, chosen(state, level))

    assert SPITE.outcome(state).ranks[A] == 1


def test_among_certain_wins_the_one_that_begins_as_usual_is_played():
    """Two begin with a 4 and are equally long, but the 4 in hand may fit elsewhere."""
    state = position(side(stock="5", hand="3 4 9 9 9", d1="4"), side(stock="6"), piles=(TWO, THREE))

    lines = SureWins(FastState(state, 0)).lines().values()

    assert sorted(map(len, lines)) == [2, 2, 3]
    assert chosen(state, STEADY) == "d1>f2"


@each_sure_win
def test_the_coach_calls_free_only_what_keeps_a_certain_win(state):
    wins = {play_of(FastState(state, 0), first) for first in SureWins(FastState(state, 0)).lines()}

    for move in SPITE.legal_moves(state, A):
        assessment = assessed(state, str(move))
        if move in wins:
            assert assessment.better is None
        else:
            assert assessment is None or assessment.better in wins


def test_the_coach_says_what_it_cost_to_decline_a_certain_win():
    assessment = assessed(SURE_WINS["two kings"], "J>d2")

    assert assessment.better == Play("4", "f1")
    assert assessment.cost > 0.1


def test_the_coach_has_no_opinion_if_a_certain_win_may_be_hidden(monkeypatch):
    state = SURE_WINS["eleven plays"]
    idle = [move for move in SPITE.legal_moves(state, A) if isinstance(move, Discard)]
    monkeypatch.setattr("games.spite.computer.player._MAX_TRIED_PLAYS", 9)

    assert [assessed(state, str(move)) for move in idle] == [None] * len(idle)


def test_a_win_is_certain_only_with_the_last_stock_card_and_without_cards_yet_to_be_drawn():
    two, drawn = side(stock="6 5", hand="4 8"), side(stock="5", hand="9 9", d1="J")
    refilled = position(side(stock="5", hand="2"), piles=(ONE, THREE), source="4 4 4 4 4")

    for state in (position(two, piles=(THREE,)), position(drawn, piles=(THREE,)), refilled):
        assert SureWins(FastState(state, 0)).lines() == {}


def test_the_line_of_a_certain_win_begins_with_its_play_and_ends_with_the_stock_card():
    lines = SureWins(FastState(SURE_WINS["a pile cleared"], 0)).lines()

    assert lines == {(PILE, 1): ((PILE, 1), (PILE, 2), (PILE, 0), (0, 0))}


@pytest.mark.parametrize(
    ("mine", "piles", "move"),
    [
        (side(stock="2 K", hand="2 3 4 5 6"), ("A 2", "A 2 3 4"), "stock>f2"),
        (side(stock="2 9", hand="4 K 8 8 8", d1="3"), ("A 2", "A 2 3"), "d1>f1"),
        (side(stock="2 9", hand="4 7 K 8 8"), ("A 2 3", "A 2 3 4 5 6"), "7>f2"),
        (side(stock="2 9", hand="K J J J Q"), ("A 2 3 4 5 6 7",), "K>f1"),
        (side(stock="2 9", hand="K J J J Q"), ("A 2 3 4 5 6",), "Q>d1"),
        (side(stock="2 9", hand="K Q J J 8", d1="9", d2="8"), (), "8>d2"),
        (side(stock="2 9", hand="K Q J J 8", d1="9", d2="3"), (), "8>d1"),
        (side(stock="2 9", hand="K Q", d1="2", d2="9", d3="J", d4="3"), (), "Q>d3"),
        (side(stock="2 9", hand="K Q", d1="2", d2="9", d3="6", d4="3"), (), "Q>d2"),
        (side(stock="2 9", hand="K K"), (), "K>new"),
    ],
    ids=["high", "piles", "hand", "step", "heavy", "next", "near", "below", "nearest", "kings"],
)
def test_the_greedy_player_is_as_described(mine, piles, move):
    assert chosen(position(mine, piles=piles), EASY) == move


def test_the_greedy_player_keeps_a_wild_card_that_would_fit_and_says_so():
    kept = position(side(stock="2 9", hand="2 2 3 J K"))

    assert "K>new" in [str(move) for move in SPITE.legal_moves(kept, A)]
    assert chosen(kept, EASY) == "J>d1"
    assert "keeps wild cards for it if it can" in EASY.says


def test_the_beginner_often_forgets_its_stock_card():
    state = position(side(stock="2 K", hand="2 3 4 5 6"), piles=("A 2", "A 2 3 4"))
    view = SPITE.observe(state, A)
    plays = [
        str(COMPUTER.choose(view, A, BEGINNER, Chance(str(number), 1))) for number in range(60)
    ]

    assert 5 < sum(play.startswith("stock") for play in plays) < 35


def test_the_greedy_player_draws_whenever_it_can():
    view = SPITE.observe(position(side(hand="8 9"), strict_draw=True), A)

    assert greedy(view, [Discard("8", 1, "d1"), Draw()]) == Draw()


def test_plans_are_the_same_whatever_is_hidden():
    state = match(7, steps=20)[-1]
    view = SPITE.observe(state, state.on_turn)
    found = [
        plans(FastState(SPITE.imagine(view, state.on_turn, Chance("x", n)), n), 99)
        for n in range(3)
    ]

    assert found[0] == found[1] == found[2]


def test_plans_end_where_unknown_cards_begin():
    state = position(side(stock="2 9", hand="4 7 J J J"), piles=("A 2 3", "A 2 3 4 5 6"))
    found = plans(FastState(state, 1), 99)

    assert Plan(((4, 0),), (11, 3, 0)) in found
    assert Plan(((7, 1), (4, 0)), (11, 3, 0)) not in found  # the other order is the same
    assert Plan(((4, 0), (7, 1)), (11, 3, 0)) in found


def test_a_plan_can_spend_a_wild_card_for_a_new_hand():
    state = position(side(stock="2 9", hand="4 K"), piles=("A 2 3",))

    assert Plan(((4, 0), (13, 0))) in plans(FastState(state, 1), 99)


def test_a_plan_ends_with_the_turn():
    state = position(side(stock="9 9", hand="4"), piles=("A 2 3",), source="")

    assert habit(FastState(state, 1)) == Plan(((4, 0),))


def test_a_plan_ends_where_a_completed_foundation_refills_an_empty_hand():
    """The source is empty until the queen of a pile completes a foundation."""
    state = position(
        side(stock="9 9", hand="", d1="Q", d2="5"),
        source="",
        piles=("A 2 3 4 5 6 7 8 9 10 J", "A 2 3 4"),
    )
    found = [habit(FastState(state, 1)), *plans(FastState(state, 1), 99)]
    queens = [plan.plays.index((PILE, 0)) for plan in found if (PILE, 0) in plan.plays]

    assert queens
    assert all(len(plan.plays) == at + 1 for plan, at in zip(found, queens, strict=True))


def test_playouts_prefer_a_plan_that_wins():
    state = position(side(stock="5", hand="9 9 9 9 K"), side(stock="4"), piles=("A 2 3",))
    worlds = repeat(FastState(state, 1))
    idle, winning = Plan((), (9, 4, 0)), Plan(((13, 0), (0, 0)))

    assert best([idle, winning], worlds, 8) == winning
    assert best([winning, idle], worlds, 8) == winning
    assert best([idle], worlds, 8) == idle


def test_the_outlook_is_better_with_fewer_cards_in_the_stock():
    few, many = (position(side(stock=f"{stock} 9", hand="9")) for stock in ("9 9", "9 9 9 9"))
    idle = Plan((), (9, 1, 0))

    assert playout_worth(FastState(few, 1), idle) > playout_worth(FastState(many, 1), idle)


def test_a_margin_is_as_sure_as_its_pairs_agree():
    assert margin([1.0, 1.0], [0.5, 0.5]) == (0.5, 0.0)
    assert margin([1.0, 0.0], [0.0, 0.0])[1] > 0
    assert margin([1.0], [0.0]) == (1.0, 0.0)


def test_the_coach_names_the_winning_play_and_what_the_other_cost():
    state = position(side(stock="5", hand="K 9 9 9 9"), side(stock="4"), piles=("A 2 3",))
    assessment = assessed(state, "9x4>d1")

    assert assessment.better == Play("K", "f1")
    assert 0 < assessment.cost <= 2


def test_the_coach_finds_nothing_better_than_the_best_play():
    state = position(side(stock="5 5", hand="9 9 J J 4"), piles=("A 2 3",))
    assessment = assessed(state, "4>f1")

    assert (assessment.better, assessment.cost) == (None, 0)


def test_the_coach_has_no_opinion_between_equal_moves():
    state = position(side(stock="5 9", hand="J J 7 4 2"))

    assert assessed(state, "Jx2>d4") is None


def test_the_coach_says_which_wins_it_means():
    assert Brisk().basis(2).endswith("each choice is judged for its own game.")


def test_the_coach_uses_fewer_playouts_than_the_strong_level(monkeypatch):
    played_ahead = []

    def counted(world, plan):
        played_ahead.append(plan)
        return playout_worth(world, plan)

    monkeypatch.setattr("games.spite.computer.search.playout_worth", counted)
    state = position(side(stock="5 9", hand="J J 7 4 2"))
    COMPUTER.assess(SPITE.observe(state, A), A, SPITE.parse("Jx2>d4"), Chance("thinking", 1))

    assert 1000 < len(played_ahead) <= 1200 < STRONG.budget


@pytest.mark.parametrize("text", ["2>f1", "2>d1"])
def test_the_coach_does_not_judge_plays_before_the_draw(text):
    state = position(side(stock="5 9", hand="2"), piles=("A",), strict_draw=True)

    assert assessed(state, text) is None


def test_a_forced_move_and_a_draw_give_nothing_up():
    forced = position(side(stock="9 5", hand=""), source="", piles=("A 2 3 4",))
    draw = position(side(stock="5 9", hand="2"), strict_draw=True)

    assert assessed(forced, "stock>f1").cost == assessed(draw, "draw").cost == 0
