"""The manual of Divide and Conquer (tiles)."""

import re

import pytest

from cogs.duel.manual import PAGES
from games.duel import DUEL, HALVES, SETS, verdict


@pytest.mark.parametrize("preset", DUEL.presets)
def test_the_manual_names_every_set(preset):
    (page,) = [page for page in PAGES if page.title == "The tiles"]

    assert f"**{DUEL.presets[preset].tiles} tiles**: " in page.text


def test_the_manual_names_the_halves_of_every_tile():
    (page,) = [page for page in PAGES if page.title == "The tiles"]

    told = re.findall(r"(\d+) as (\d)-(\d)", page.alt)
    assert {int(total): (int(a), int(b)) for total, a, b in told} == dict(HALVES)


@pytest.mark.parametrize("tiles", SETS)
def test_the_tables_of_what_beats_what_follow_the_rules(tiles):
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
