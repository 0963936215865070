"""Somebody leaves everything: matches, challenges and seats at others' tables."""

import pytest

from bot.matches.leave_all import leave_for_good
from bot.matches.pauses import Pauses
from games.conquest import CONQUEST
from tests.support.clock import DAY
from tests.support.deadlines import Clock
from tests.support.match_records import record_of
from tests.support.matches import ANN, BEA, CHANNEL, CYD, DAN, A, B, C, begun, choose, opened


async def leave_seat(storage, watch, match, seat):
    """Let a seat leave for good; returns the record afterwards."""
    async with storage.transaction() as writing:
        await leave_for_good(writing, match, seat, int(watch()))
    return await record_of(storage, match)


async def test_leaving_a_match_of_two_makes_the_opponent_win(storage, matches, watch):
    record = await leave_seat(storage, watch, await begun(matches), A)

    assert (record.status, record.seats[A].left_why) == ("over", "resigned")


async def test_a_match_of_three_continues_and_leaving_twice_counts_once(storage, matches, watch):
    match = await begun(matches, BEA, CYD)
    once = await leave_seat(storage, watch, match, B)

    again = await leave_seat(storage, watch, match, B)

    assert (once.status, once.seats[B].left) == ("running", 1)
    assert again == once


async def test_a_paused_match_can_be_left_and_is_still_closed_after_30_days(
    storage, matches, watch
):
    match = await begun(matches, BEA, CYD)
    await Pauses(storage, now=watch).pause(match, CHANNEL)
    record = await leave_seat(storage, watch, match, A)
    timeouts = Clock(storage, now=watch)

    watch.advance(29 * DAY)
    early = await timeouts.act(match)
    between = (await record_of(storage, match)).status
    watch.advance(DAY)
    await timeouts.act(match)

    assert (record.status, record.paused, record.seats[A].left) == ("running", True, 1)
    assert (early, between) == (None, "running")
    assert (await record_of(storage, match)).ending == "silence"


async def test_leaving_a_match_that_lost_its_channel_does_not_change_when_it_closes(
    storage, matches, watch
):
    match = await begun(matches, BEA, CYD)
    await choose(matches, match, ANN, CYD)
    await Pauses(storage, now=watch).pause(match, CHANNEL)
    before = await record_of(storage, match)
    watch.advance(2 * DAY)

    record = await leave_seat(storage, watch, match, B)

    assert record.step == before.step + 1
    assert record.due_at == before.due_at == int(watch()) + 28 * DAY


@pytest.mark.parametrize(
    ("where", "status", "users"),
    [
        ((2, A), "withdrawn", [ANN, BEA]),
        ((2, B), "declined", [ANN, BEA]),
        ((4, A), "withdrawn", [ANN, BEA, CYD, DAN]),
        ((4, B), "open", [ANN, CYD, DAN]),
        ((4, C), "open", [ANN, BEA, DAN]),
    ],
    ids=["their own", "asked", "their own with open seats", "asked with another", "joined"],
)
async def test_a_challenge_is_withdrawn_declined_or_continues_with_an_open_seat(
    storage, matches, watch, where, status, users
):
    wanted, seat = where
    changes = {"game": "conquest", "options": CONQUEST.presets["standard"], "wanted": wanted}
    match = await opened(matches, BEA, **(changes if wanted > 2 else {}))
    async with storage.transaction() as writing:
        for n, user in list(enumerate((CYD, DAN), 2))[: wanted - 2]:
            await writing.challenges.take(match, n, user)

    record = await leave_seat(storage, watch, match, seat)

    assert record.status == status
    assert [sitting.user for sitting in record.seats] == users
