"""What can be agreed upon for Spite and Malice, and what it is called."""

import pytest

from bot.errors import ChallengeError
from cogs.spite.options import FORCED, FOUNDATIONS, JOKERS, SCORING, VARIANTS, agreed, named
from cogs.spite.presentation import SpitePresentation
from games.spite import SPITE, Options

SHOWN = SpitePresentation()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (Options(), "stocks of 26"),
        (SPITE.presets["short"], "short, stocks of 20"),
        (SPITE.presets["quick"], "quick, stocks of 13"),
        (Options(stock=7), "stocks of 7"),
        (Options(foundations=3, forced="aces"), "stocks of 26, at most 3 foundations, forced aces"),
        (Options(forced="aces-and-twos"), "stocks of 26, forced aces and twos"),
        (Options(jokers="with-kings"), "stocks of 26, jokers and kings wild"),
        (Options(jokers="instead"), "stocks of 26, only jokers wild"),
        (Options(strict_draw=True), "stocks of 26, strict draw"),
        (Options(scoring="games"), "stocks of 26, first to 3 games"),
        (Options(scoring="games", target=1), "stocks of 26, first to 1 game"),
        (
            Options(scoring="points", target=50, game_limit=4),
            "stocks of 26, first to 50 points, at most 4 games",
        ),
        (Options(turn_limit=40), "stocks of 26, at most 40 turns a game"),
        (Options(turn_limit=1), "stocks of 26, at most 1 turn a game"),
    ],
    ids=str,
)
def test_the_title_names_what_was_agreed_upon(options, words):
    assert SHOWN.variant(options) == words


def test_the_longest_title_fits_its_line():
    options = Options(
        foundations=3,
        forced="aces-and-twos",
        jokers="with-kings",
        strict_draw=True,
        scoring="points",
        target=100,
        turn_limit=5000,
        game_limit=500,
    )

    assert len(named(options)) <= 200


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("variant", VARIANTS),
        ("foundations", FOUNDATIONS),
        ("forced", FORCED),
        ("jokers", JOKERS),
        ("scoring", SCORING),
    ],
)
def test_every_choice_of_the_command_can_be_played(name, keys):
    found = [agreed(**{"variant": None, name: key}) for key in keys]

    assert len(set(found)) == len(keys)


def test_the_presets_are_all_offered():
    assert set(VARIANTS) == set(SPITE.presets)
    assert {agreed(key) for key in VARIANTS} == set(SPITE.presets.values())


def test_a_wish_goes_before_the_preset():
    assert agreed("quick", stock=9, strict_draw=False) == Options(stock=9)


def test_wishes_that_do_not_go_together_are_refused_with_a_sentence():
    with pytest.raises(ChallengeError, match=r"^A single game has no target"):
        agreed(None, target=3)


def test_a_limit_of_games_is_refused_without_a_series_and_not_left_out():
    with pytest.raises(ChallengeError, match=r"^A single game needs no `game_limit`"):
        agreed(None, game_limit=5)
    assert agreed(None, game_limit=5, scoring="games").game_limit == 5
