"""The rules of the tile duel: what the pages say, and that they reach the reader."""

import re

import pytest

from bot.messaging.content import Layout
from bot.rendering.presentation import Presentations
from bot.rendering.rules_pages import rules_page_content
from cogs.duel.manual import PAGES
from cogs.duel.presentation import DuelPresentation
from games.duel import DUEL, HALVES, SETS, verdict
from tests.support.tables import labels

each_page = pytest.mark.parametrize("number", range(len(PAGES)), ids=[page.title for page in PAGES])


@pytest.fixture
def presentations():
    shown = Presentations()
    shown.add("duel", DuelPresentation())
    return shown


@each_page
def test_every_page_fits_a_message(presentations, number):
    content = rules_page_content(presentations, "duel", number)
    layout = Layout(content, "attachment://x.png")

    assert layout.content_length() <= 1200
    assert layout.total_children_count <= 40
    assert 1 <= len(content.picture.alt) <= 1024
    assert all(len(button.label) <= 80 for button in content.rows[0])


def test_no_two_pages_share_a_title():
    assert len({page.title for page in PAGES}) == len(PAGES)


@pytest.mark.parametrize("preset", DUEL.presets)
def test_the_manual_names_every_set(preset):
    (page,) = [page for page in PAGES if page.title == "The tiles"]

    assert f"**{DUEL.presets[preset].tiles} tiles**: " in page.text


def test_the_halves_of_every_tile_are_told():
    (page,) = [page for page in PAGES if page.title == "The tiles"]

    told = re.findall(r"(\d+) as (\d)-(\d)", page.alt)
    assert {int(total): (int(a), int(b)) for total, a, b in told} == dict(HALVES)


@pytest.mark.parametrize("tiles", SETS)
def test_the_tables_of_what_beats_what_follow_the_rule(tiles):
    (page,) = [page for page in PAGES if page.title == f"What beats what: {tiles} tiles"]

    told = {
        (int(total), int(other))
        for total, others in re.findall(r"(\d+) beats ([\d, ]+)\.", page.alt)
        for other in others.split(", ")
    }
    totals = SETS[tiles].totals
    assert told == {
        (high, low) if verdict(low, high) == "higher" else (low, high)
        for low in totals
        for high in totals
        if low < high
    }


async def test_the_rules_are_turned_from_page_to_page_for_the_reader_only(table):
    answer = await table.person("Ann").slash("duel rules", channel="games")
    message = (await answer.settled()).message
    first = message.text

    await table.person("Ann").click(message, f"{PAGES[1].title} ▶")
    await table.discord.until(lambda: PAGES[1].text in message.text)

    assert message.ephemeral_to == table.person("Ann").id
    assert f"### {PAGES[0].title}\n{PAGES[0].text}" in first
    assert [image.description for image in message.images] == [PAGES[1].alt]
    assert labels(message) == [f"◀ {PAGES[0].title}", f"{PAGES[2].title} ▶"]
