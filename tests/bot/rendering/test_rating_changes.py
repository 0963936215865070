"""What a table says about ratings: the stakes before, and the changes after the match."""

from dataclasses import replace

import pytest

from bot.rendering.phrases import seat_names
from bot.rendering.rating_changes import changes_line, stakes
from bot.rendering.table import table_content
from bot.storage import ChangeRecord
from cogs.pico.presentation import PicoPresentation
from tests.support.matches import ANN, BEA, NOW, begun

PICO = PicoPresentation()


@pytest.fixture
async def over(matches):
    """A match that Bea has resigned."""
    match = await begun(matches)
    await matches.concede(match, BEA)
    return await matches.public(match)


def changed(snapshot, *records):
    pairs = zip(snapshot.seats, records, strict=True)
    seats = tuple(replace(info, change=record) for info, record in pairs)
    return changes_line(replace(snapshot, seats=seats), PICO)


def test_the_stakes_are_named(over):
    assert stakes(over) == "Rated"
    assert stakes(replace(over, rated=False)) == "Casual, unrated"
    assert stakes(replace(over, rated=False, limited=True)) == (
        "Casual: the daily limit of 5 rated matches per pair was reached"
    )
    assert stakes(replace(over, taken_back=True)) == "Unrated: a step was taken back"
    assert stakes(replace(over, rated=False, taken_back=True)) == "Casual, unrated"


def test_the_change_of_every_rating_is_shown(over):
    line = changed(
        over,
        ChangeRecord(before=1512, after=1524, nth=30),
        ChangeRecord(before=1490, after=1478, nth=9),
    )

    assert line == f"\n📈 Ratings: 🔵 <@{ANN}> 1512 → **1524** · 🔶 <@{BEA}> 1490 → **1478**"


@pytest.mark.parametrize(
    ("nth", "words"),
    [(1, "1500? → **1520?**"), (4, "1500? → **1520?**"), (5, "1500? → **1520**")],
)
def test_provisional_ratings_are_marked(over, nth, words):
    assert words in changed(over, ChangeRecord(before=1500, after=1520, nth=nth), None)


def test_a_match_that_changed_no_rating_says_why(over):
    casual = replace(over, rated=False)

    assert changed(casual, None, None) == "\n-# Casual, unrated"


def test_before_a_result_and_without_one_nothing_is_said(over):
    assert changes_line(replace(over, status="running"), PICO) == ""
    assert changes_line(replace(over, status="closed"), PICO) == ""


def test_while_a_match_can_still_be_resumed_its_stakes_are_shown_once(over):
    held = replace(over, counts_at=int(NOW) + 60, seed=None)

    shown = table_content(held, PICO)

    assert shown.foot.count("Rated") == 1


def test_a_match_closed_without_a_result_has_no_stakes_though_it_can_be_resumed(over):
    closed = replace(over, status="closed", ending="absence", counts_at=int(NOW) + 60, seed=None)

    shown = table_content(closed, PICO)

    assert shown.foot.splitlines()[-1].startswith("-# Sealed deal `")
    assert "everyone still playing missed two deadlines in a row" in shown.head  # Bea resigned


def test_a_deleted_player_is_not_named(over):
    ann, bea = over.seats

    assert seat_names(replace(over, seats=(ann, replace(bea, user=-(2**62))))) == (
        f"<@{ANN}>",
        "a former player",
    )
