"""The options of Spite and Malice, and their names."""

import pytest

from bot.errors import ChallengeError
from cogs.spite.options import FORCED, FOUNDATIONS, JOKERS, SCORING, VARIANTS, named, options_from
from cogs.spite.presentation import SpitePresentation
from games.spite import SPITE, Options

SHOWN = SpitePresentation()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (Options(), "stocks of 26"),
        (SPITE.presets["short"], "stocks of 20"),
        (SPITE.presets["quick"], "stocks of 13"),
        (Options(stock=7), "stocks of 7"),
        (Options(foundations=3, forced="aces"), "at most 3 foundations, forced aces"),
        (Options(forced="aces-and-twos"), "forced aces and twos"),
        (Options(jokers="with-kings"), "jokers and kings wild"),
        (Options(jokers="instead"), "only jokers wild"),
        (Options(strict_draw=True), "strict draw"),
        (Options(scoring="games"), "first to 3 games"),
        (Options(scoring="games", target=1), "first to 1 game"),
        (
            Options(scoring="points", target=50, game_limit=4),
            "first to 50 points, at most 4 games",
        ),
        (
            Options(stock=13, jokers="instead", foundations=4, scoring="games", game_limit=9),
            (
                "first to 3 games, stocks of 13, only jokers wild, at most 4 foundations, "
                "at most 9 games"
            ),
        ),
        (Options(turn_limit=40), "at most 40 turns a game"),
        (Options(turn_limit=1), "at most 1 turn a game"),
    ],
    ids=str,
)
def test_a_variant_is_named_by_its_differences_from_the_plainest_game(options, words):
    assert SHOWN.variant(options) == words


def test_the_longest_title_fits_a_line():
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
    found = [options_from(**{"variant": None, name: key}) for key in keys]

    assert len(set(found)) == len(keys)


def test_all_presets_are_offered():
    assert set(VARIANTS) == set(SPITE.presets)
    assert {options_from(key) for key in VARIANTS} == set(SPITE.presets.values())


def test_an_option_overrides_the_preset():
    assert options_from("quick", stock=9, strict_draw=False) == Options(stock=9)


@pytest.mark.parametrize("name", ["target", "game_limit"])
def test_an_option_of_a_series_without_one_is_refused_not_ignored(name):
    with pytest.raises(ChallengeError, match=f"^`{name}` is only for a series"):
        options_from(None, **{name: 3})
    assert getattr(options_from(None, **{name: 3}, scoring="games"), name) == 3


@pytest.mark.parametrize(
    ("chosen", "sentence"),
    [
        (
            {"scoring": "games", "target": 60},
            (
                "In 50 games, nobody can win 60. "
                "Choose a smaller `target`, or a higher `game_limit`."
            ),
        ),
        (
            {"scoring": "games", "game_limit": 1},
            "In 1 game, nobody can win 3. Choose a smaller `target`, or a higher `game_limit`.",
        ),
        (
            {"scoring": "points", "target": 100, "stock": 1},
            (
                "In 50 games with stocks of 1, nobody can get 100 points. "
                "Choose a higher `game_limit`, a larger `stock` or a smaller `target`."
            ),
        ),
    ],
    ids=["games", "usual target", "points"],
)
def test_a_series_that_nobody_can_win_is_refused(chosen, sentence):
    with pytest.raises(ChallengeError) as refusal:
        options_from(None, **chosen)
    assert str(refusal.value) == sentence


@pytest.mark.parametrize(
    "chosen",
    [
        {"scoring": "games", "target": 50},
        {"scoring": "games", "target": 2, "game_limit": 2},
        {"scoring": "points", "target": 50, "stock": 1},
        {"scoring": "points", "target": 25, "stock": 5, "game_limit": 5},
    ],
    ids=str,
)
def test_a_series_that_can_only_just_be_won_is_accepted(chosen):
    assert options_from(None, **chosen).target == chosen["target"]
