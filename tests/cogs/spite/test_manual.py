import pytest

from bot.messaging.content import Layout
from bot.rendering.presentation import Presentations
from bot.rendering.rules_pages import rules_page_content
from cogs.spite.commands import SpiteAndMalice
from cogs.spite.manual import PAGES
from cogs.spite.presentation import SpitePresentation

COMMON = {"opponent", "computer", "pace", "rated"}
"""Options of the command that are no rules of the game."""

PRESENTATIONS = Presentations()
PRESENTATIONS.add("spite", SpitePresentation())


@pytest.mark.parametrize("number", range(len(PAGES)), ids=[page.title for page in PAGES])
def test_a_page_of_the_manual_fits_a_message(number):
    page = PAGES[number]
    layout = Layout(rules_page_content(PRESENTATIONS, "spite", number), "attachment://x.png")

    assert 0 < len(page.title) <= 78  # with an arrow it labels a button
    assert 0 < len(page.text) <= 1000
    assert 0 < len(page.alt) <= 1024
    assert layout.content_length() <= 4000


def test_the_manual_names_every_option_of_the_command():
    options = {p.name for p in SpiteAndMalice.play.parameters} - COMMON

    assert [name for name in options if f"`{name}`" not in PAGES[-1].text] == []
