"""The options of Prize Dominoes, and their names."""

import pytest

from bot.errors import ChallengeError
from cogs.prize.options import ANY_TURN, EMPTY_STOCK, PASSES, named, options_from
from cogs.prize.presentation import PrizePresentation
from games.prize import PRIZE, Options

SHOWN = PrizePresentation()


def test_the_defaults_are_the_rulebooks_rules():
    assert options_from() == Options()
    assert options_from(ANY_TURN) == PRIZE.presets["standard"]


@pytest.mark.parametrize(
    ("passes", "hands", "options", "name"),
    [
        (ANY_TURN, None, Options(), "standard"),
        (ANY_TURN, 50, Options(), "standard"),
        (ANY_TURN, 1, Options(hand_limit=1), "one hand"),
        (ANY_TURN, 12, Options(hand_limit=12), "12 hands"),
        (
            EMPTY_STOCK,
            None,
            Options(pass_only_when_stock_is_empty=True),
            "drawing isn't passing",
        ),
        (
            EMPTY_STOCK,
            3,
            Options(pass_only_when_stock_is_empty=True, hand_limit=3),
            "3 hands, drawing isn't passing",
        ),
    ],
)
def test_every_option_can_be_chosen_and_has_a_name(passes, hands, options, name):
    assert options_from(passes, hands) == options
    assert named(options) == SHOWN.variant(options) == name


def test_both_rules_for_passing_are_offered():
    assert list(PASSES) == [ANY_TURN, EMPTY_STOCK]
    assert all(1 <= len(name) <= 100 for name in PASSES.values())


def test_a_match_of_no_hands_is_refused_with_a_reason():
    with pytest.raises(ChallengeError, match="at least 1, not 0"):
        options_from(ANY_TURN, 0)
