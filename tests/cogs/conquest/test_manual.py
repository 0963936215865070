"""The rules of the board war: what the pages say."""

import re

import pytest

from bot.messaging.content import Layout
from bot.rendering.presentation import Presentations
from bot.rendering.rules_pages import rules_page_content
from cogs.conquest.manual import PAGES
from cogs.conquest.presentation import ConquestPresentation
from games.conquest import LAYOUT, Battalion, Options


@pytest.mark.parametrize("number", range(len(PAGES)), ids=[page.title for page in PAGES])
def test_every_page_fits_a_message(number):
    presentations = Presentations()
    presentations.add("conquest", ConquestPresentation())
    content = rules_page_content(presentations, "conquest", number)
    layout = Layout(content, "attachment://x.png")

    assert layout.content_length() <= 1200
    assert layout.total_children_count <= 40
    assert 1 <= len(content.picture.alt) <= 1024
    assert all(len(button.label) <= 80 for button in content.rows[0])


def test_no_two_pages_share_a_title():
    assert len({page.title for page in PAGES}) == len(PAGES)


def test_the_manual_names_every_mark():
    (page,) = [page for page in PAGES if page.title == "Board and marks"]

    for battalion in Battalion:
        goals = ", ".join(LAYOUT.objectives[battalion])
        assert f"{battalion.color} {goals}" in page.alt
        assert f"{battalion.color} {LAYOUT.headquarters[battalion]}" in page.alt


def test_the_manual_explains_every_option():
    told = {word for page in PAGES for word in re.findall(r"`(\w+)`", page.text)}

    assert set(Options.__dataclass_fields__) <= told
