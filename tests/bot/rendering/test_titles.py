"""Titles of matches: what differs from the standard game, as far as two lines can hold it."""

import textwrap
from dataclasses import replace
from itertools import product

import pytest

from bot.rendering.phrases import variant_details, variant_summary
from games import GAMES
from games.conquest import Options as War
from games.prize import Options as Dominoes
from games.spite import SPITE
from games.spite import Options as Spite
from tests.support.presentations import PRESENTATIONS

LINE = 38
"""The number of letters in a line of a heading on a phone of 400 pixels."""


def every(options, **values):
    """Options of a game with every combination of these values."""
    return [
        replace(options, **dict(zip(values, chosen, strict=True)))
        for chosen in product(*values.values())
    ]


CUSTOM = {
    "conquest": every(
        War(),
        equal=("annihilate", "choice", "bounce"),
        reinforce=("in-order", "together"),
        redeployment=(False, True),
        signal=(False, True),
        goal=("either", "both"),
        turn_limit=(1, 100, 999),
    ),
    "prize": every(Dominoes(), hand_limit=(1, 50, 99), pass_only_when_stock_is_empty=(False, True)),
    "spite": every(
        Spite(scoring="points", target=100),
        stock=(13, 26),
        foundations=(None, 4),
        forced=("none", "aces-and-twos"),
        jokers=("none", "with-kings"),
        strict_draw=(False, True),
        turn_limit=(500, 5000),
        game_limit=(50, 500),
    ),
}


@pytest.mark.parametrize("key", GAMES)
def test_the_title_of_a_hand_takes_two_lines_on_a_phone(key):
    game, shown = GAMES[key], PRESENTATIONS[key]
    variants = {shown.variant(o) for o in (*game.presets.values(), *CUSTOM.get(key, ()))}
    titles = [
        f"{game.title} · {variant_summary(key, each)}: {shown.hand_name}" for each in variants
    ]

    assert not [title for title in titles if len(textwrap.wrap(title, LINE)) > 2]
    assert len({variant_summary(key, each) for each in variants}) >= len(game.presets)


@pytest.mark.parametrize(
    ("game", "variant", "said"),
    [
        ("conquest", "standard", "standard"),
        ("conquest", "Commander's Choice, signals", "Commander's Choice, signals"),
        ("conquest", "Commander's Choice, redeployment, signals", "Commander's Choice (+2 more)"),
        ("conquest", "equals bounce, signals, b, c", "equals bounce, signals, b, c"),
        ("conquest", "signals, bounce, redeployment, b", "signals, bounce (+2 more)"),
        (
            "spite",
            "first to 9 games, stocks of 9, bounce, c, d, e",
            "first to 9 games, stocks of 9 (+4 more)",
        ),
        ("spite", "a" * 39, "a" * 39),
        ("spite", f"{'a' * 50}, b", f"{'a' * 50} (+1 more)"),
    ],
)
def test_a_title_names_the_first_difference_and_counts_the_others(game, variant, said):
    assert variant_summary(game, variant) == said


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (Spite(), ""),
        (SPITE.presets["quick"], "-# This match: stocks of 13.\n"),
        (
            Spite(stock=13, strict_draw=True, forced="aces", foundations=3),
            "-# This match: stocks of 13, at most 3 foundations, forced aces, strict draw.\n",
        ),
    ],
    ids=["standard", "preset", "custom"],
)
def test_all_differences_can_be_read_in_one_line(options, line):
    assert variant_details("spite", options, PRESENTATIONS["spite"]) == line
