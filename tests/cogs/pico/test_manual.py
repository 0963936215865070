import pytest

from cogs.pico.manual import PAGES
from cogs.pico.options import VARIANTS
from games.pico import DECKS


def test_the_first_page_says_that_hands_are_swapped_after_a_round():
    assert "When a round is over, the hands change owners" in PAGES[0].text


@pytest.mark.parametrize("deck", DECKS)
def test_the_manual_names_every_deck_as_the_form_does(deck):
    assert f"**{VARIANTS[deck]}**" in PAGES[-1].text
