"""Texts of Spite and Malice: the score, the result, and moves in words."""

from dataclasses import replace

import pytest

from cogs.spite import text
from games.core import Outcome
from games.spite import SPITE
from tests.cogs.spite.test_turn_story import view
from tests.support.spite_states import CHANCE, A, play, position, side

ANN, BO = "Ann", "Bo"
BOTH = (ANN, BO)


def test_the_score_is_the_size_of_the_stocks():
    state = position(side(stock="9 9 9"), side(stock="9"))

    assert text.score_line(SPITE.observe(state, None), BOTH) == (
        "🔵 Ann **3** in the stock · 🔶 Bo **1** in the stock · first to 0 wins"
    )


def test_the_aim_is_left_out_once_it_is_reached():
    over = view(outcome=Outcome(ranks=(1, 2), scores=(0, 0), reason="any"), awaiting=())

    assert "wins" not in text.score_line(over, BOTH)


@pytest.mark.parametrize(
    ("scoring", "scores", "told"),
    [
        ("games", (1, 2), (", 1 game won", ", 2 games won")),
        ("points", (0, 1), (", 0 points", ", 1 point")),
    ],
)
def test_the_score_of_a_series_says_what_each_seat_has_won(scoring, scores, told):
    options = replace(view().options, scoring=scoring, target=25)

    line = text.score_line(view(scores=scores, options=options), BOTH)

    assert tuple(line.split(" · ")) == (
        f"🔵 Ann **3** in the stock{told[0]}",
        f"🔶 Bo **3** in the stock{told[1]}",
        "first to 0 wins the game",
    )


def test_the_headline_names_the_turn_and_in_a_series_the_game():
    options = replace(view().options, scoring="games", target=3)

    assert text.headline(view(turn=7)) == "Turn 7"
    assert text.headline(view(turn=7, game=2, options=options)) == (
        "Game 2 (first to 3 games), turn 7"
    )


def test_a_moment_is_a_turn_of_a_game():
    options = replace(view().options, scoring="games", target=3)

    assert text.moment(view(turn=7)) == "Turn 7"
    assert text.moment(view(turn=7, game=2, options=options)) == "Game 2, turn 7"


def test_the_result_says_who_has_won_and_why():
    state = play(position(side(stock="A"), side(stock="9 9")), "stock>new")

    shown = SPITE.observe(state, None)

    assert text.result_line(shown, BOTH) == (
        "**Ann wins**: they played their last stock card; their opponent had 2 left."
    )


def test_a_series_of_a_single_game_is_in_the_singular():
    sides = side(stock="A"), side(stock="9 9")
    state = play(position(*sides, scoring="games", target=1), "stock>new")

    shown = SPITE.observe(state, None)

    assert text.result_line(shown, BOTH) == "**Ann wins**: first to 1 game, 1 to 0."


@pytest.mark.parametrize(
    ("mine", "result"),
    [
        (side(stock="A"), "**Ann wins**: more games won after 1 game, 1 to 0."),
        (
            side(stock="9 9", hand="9"),
            "**A draw**: the same number of games won after 1 game, 0 each.",
        ),
    ],
)
def test_a_series_that_reached_its_limit_is_decided_by_the_games_won(mine, result):
    state = position(
        mine, side(stock="9 9"), turn=5, turn_limit=5, scoring="games", target=3, game_limit=1
    )

    end = play(state, str(SPITE.legal_moves(state, A)[0]))

    assert text.result_line(SPITE.observe(end, None), BOTH) == result


def test_the_result_of_a_draw_says_so():
    state = position(side(stock="9 9 9", hand="9"), turn=5, turn_limit=5)

    shown = SPITE.observe(play(state, "9>d1"), None)

    assert text.result_line(shown, BOTH).startswith("**A draw**: the turns ran out")


def test_the_result_says_that_somebody_left():
    shown = SPITE.observe(SPITE.concede(position(side()), A, CHANCE), None)

    assert text.result_line(shown, BOTH) == "**Bo wins**: the other seat has left."


def test_a_running_match_has_no_result():
    with pytest.raises(ValueError, match="no result yet"):
        text.result_line(view(), BOTH)


@pytest.mark.parametrize(
    ("notation", "said"),
    [
        ("8x2>d2", "discard **two 8s** onto d2"),
        ("10>d1", "discard **10** onto d1"),
        ("stock>f1", "**stock** onto f1"),
        ("d3>f2", "**d3** onto f2"),
        ("*>new", "**joker** onto a new foundation"),
        ("draw", "draw"),
        ("\u2026", "`\u2026`"),
    ],
)
def test_moves_are_described_in_words(notation, said):
    assert text.spelled(notation) == said
