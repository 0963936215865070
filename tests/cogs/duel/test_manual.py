"""The rules of the tile duel: what the pages say, and that they reach the reader."""

import re

import pytest

from cogs.duel.manual import PAGES
from games.duel import DUEL, HALVES, SETS, verdict
from tests.support.tables import labels


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
