"""The options of Pico, and their names."""

import pytest

from cogs.pico.options import VARIANTS, options_from
from cogs.pico.presentation import PicoPresentation
from games.pico import DECKS, Options


@pytest.mark.parametrize("deck", DECKS)
def test_every_variant_has_a_name(deck):
    assert PicoPresentation().variant(Options(deck=deck)) == VARIANTS[deck]


def test_no_two_variants_have_the_same_name():
    assert set(VARIANTS) == set(DECKS)
    assert len(set(VARIANTS.values())) == len(VARIANTS)


@pytest.mark.parametrize(
    ("variant", "opponents", "deck"),
    [
        (None, 0, "standard"),
        (None, 1, "standard"),
        (None, 2, "pico1-three"),
        (None, 3, "pico1-three"),
        ("pico2", 2, "pico2"),
    ],
)
def test_the_default_variant_depends_on_the_number_of_opponents(variant, opponents, deck):
    assert options_from(variant, opponents) == Options(deck=deck)
