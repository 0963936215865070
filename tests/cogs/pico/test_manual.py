import pytest

from cogs.pico.manual import PAGES
from cogs.pico.options import VARIANTS
from games.pico import DECKS


@pytest.mark.parametrize("page", PAGES, ids=[page.title for page in PAGES])
def test_a_page_of_the_manual_fits_a_message(page):
    assert 0 < len(page.title) <= 100
    assert 0 < len(page.text) <= 1000
    assert 0 < len(page.alt) <= 1024


@pytest.mark.parametrize("deck", DECKS)
def test_the_manual_names_every_deck_as_the_form_does(deck):
    assert f"**{VARIANTS[deck]}**" in PAGES[-1].text
