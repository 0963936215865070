"""Wishes for a rematch of a match that time has ended, while its result waits and afterwards."""

import pytest

from bot.matches.rematches import Rematches
from bot.rendering.agreements import is_rematched
from tests.support.clock import DAY
from tests.support.matches import ANN, BEA, SEED

WEEK = 7 * DAY


@pytest.fixture
def rematches(storage, watch):
    return Rematches(storage, seed=lambda: SEED, now=watch)


def agreed(snapshot):
    return [place.agrees for place in snapshot.places]


async def test_a_table_leads_to_its_rematch_also_once_the_result_counts(
    over, match, rematches, timeouts, watch
):
    await rematches.want(match, BEA, 5)
    await rematches.want(match, ANN, 6)
    watch.advance(WEEK)

    counted = (await timeouts.act(match)).public()

    assert (counted.counts_at, counted.due_at) == (None, None)
    assert is_rematched(counted)


async def test_it_does_too_where_a_player_lets_the_result_count(over, match, rematches, reopenings):
    await rematches.want(match, BEA, 5)
    await rematches.want(match, ANN, 6)

    assert is_rematched((await reopenings.count(match, ANN)).public())


async def test_a_wish_to_resume_stands_when_one_for_a_rematch_lapses(
    over, match, rematches, reopenings, timeouts, watch
):
    await reopenings.want(match, BEA)
    await rematches.want(match, ANN, 5)
    watch.advance(2 * DAY)

    lapsed = (await timeouts.act(match)).public()

    assert (agreed(lapsed), lapsed.due_at) == ([None, "resume"], over.counts_at)
    assert (await reopenings.want(match, ANN)).public().status == "running"


async def test_a_wish_for_a_rematch_ends_when_a_player_lets_the_result_count(
    over, match, rematches, reopenings
):
    """Nothing would make it lapse from then on."""
    await rematches.want(match, ANN, 5)

    counted = (await reopenings.count(match, BEA)).public()

    assert (agreed(counted), counted.due_at) == ([None, None], None)
    assert (await rematches.want(match, BEA, 6)).new is None


async def test_all_wishes_end_when_the_result_counts_by_itself(
    over, match, rematches, reopenings, timeouts, watch
):
    await reopenings.want(match, BEA)
    watch.advance(WEEK - DAY)
    await rematches.want(match, ANN, 5)
    watch.advance(DAY)

    counted = (await timeouts.act(match)).public()

    assert (counted.counts_at, counted.due_at) == (None, None)
    assert agreed(counted) == [None, None]
