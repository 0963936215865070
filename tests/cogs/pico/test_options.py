"""What can be agreed upon for Pico, and what it is called."""

import pytest

from cogs.pico.options import VARIANTS
from cogs.pico.presentation import PicoPresentation
from games.pico import DECKS, Options


@pytest.mark.parametrize("deck", DECKS)
def test_every_variant_has_a_name(deck):
    assert PicoPresentation().variant(Options(deck=deck)) == VARIANTS[deck]


def test_no_two_variants_have_the_same_name():
    assert set(VARIANTS) == set(DECKS)
    assert len(set(VARIANTS.values())) == len(VARIANTS)
