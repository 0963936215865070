import pytest

from cogs.pico.manual import PAGES
from cogs.pico.options import VARIANTS
from games.pico import DECKS


@pytest.mark.parametrize("deck", DECKS)
def test_the_manual_names_every_deck_as_the_form_does(deck):
    assert f"**{VARIANTS[deck]}**" in PAGES[-1].text
