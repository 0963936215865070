"""Matches without a running deadline: without a clock, paused or over."""

from bot.matches.notices import event_of_hand
from bot.matches.pauses import Pauses
from bot.storage import Telling
from tests.support.clock import DAY, HOUR
from tests.support.deadlines import DEAL, card, strikes
from tests.support.match_records import ask
from tests.support.matches import ANN, BEA, CHANNEL, GUILD, A, B, begun

# Silence.


async def test_30_days_of_silence_end_a_match_without_a_clock(matches, late):
    match = await begun(matches, time_control="none")
    await late(match, 27 * DAY)

    early = await late(match, 3 * DAY - 1)
    snapshot = (await late(match, 1)).public()

    assert early is None
    assert (snapshot.status, snapshot.ending, strikes(snapshot)) == ("closed", "silence", [0, 0])


async def test_a_choice_that_resolves_nothing_breaks_the_silence_too(matches, timeouts, watch):
    match = await begun(matches, time_control="none")
    watch.advance(20 * DAY)
    await matches.submit(match, 0, ANN, card(DEAL, A))

    watch.advance(10 * DAY)
    early = await timeouts.act(match)
    watch.advance(17 * DAY)
    await timeouts.act(match)
    watch.advance(3 * DAY)
    due = await timeouts.act(match)

    assert early is None
    assert due.public().ending == "silence"


async def test_a_match_resumed_elsewhere_is_closed_three_days_after_a_warning(
    storage, matches, late, watch, warned
):
    match = await begun(matches, time_control="none")
    watch.advance(10 * DAY)
    pauses = Pauses(storage, now=watch)
    await pauses.pause(match, CHANNEL)
    watch.advance(5 * DAY)
    await pauses.resume(match, GUILD, CHANNEL, ANN)

    early = await late(match, 27 * DAY - 1)
    before = warned()
    await late(match, 1)
    told, open_still = warned(), await late(match, 3 * DAY - 1)

    assert (early, open_still) == (None, None)
    assert (before, told) == ([], [(ANN,), (BEA,)])
    assert (await late(match, 1)).public().ending == "silence"


async def test_after_a_choice_there_is_another_warning_of_silence(matches, late, watch, database):
    match = await begun(matches, time_control="none")
    await late(match, 27 * DAY)
    watch.advance(2 * DAY)
    await matches.submit(match, 0, ANN, card(DEAL, A))

    assert await late(match, DAY) is None
    assert await late(match, 26 * DAY) is None
    told = "SELECT user FROM notices WHERE event = 'time' AND due_at = "
    assert ask(database, f"{told}{int(watch())}") == [(BEA,)]
    assert (await late(match, 3 * DAY)).public().ending == "silence"


async def test_a_choice_removes_the_warning_of_silence_from_the_hand(matches, late, watch, storage):
    match = await begun(matches, time_control="none")
    await late(match, 27 * DAY)
    closes = int(watch()) + 3 * DAY
    reminded = Telling(notice=7, event="time", turn=1, by=None)
    async with storage.transaction() as writing:
        await writing.seats.note_telling(match, B, reminded)
    before = await matches.snapshot(match, BEA)
    await matches.submit(match, 0, ANN, card(DEAL, A))

    await late(match, 3 * DAY)

    on = await matches.snapshot(match, BEA)
    assert (before.closes_at, event_of_hand(before)) == (closes, "time")
    assert (on.closes_at, event_of_hand(on)) == (None, None)
    assert on.key != before.key


async def test_while_a_match_is_paused_no_deadline_runs(match, late, pause, watch):
    await pause(match, watch())

    assert await late(match) is None
    assert await late(match, 28 * DAY) is None


async def test_a_match_that_stays_paused_ends_after_30_days(match, late, pause, watch):
    watch.advance(5 * HOUR)
    await pause(match, watch())

    early = await late(match, 30 * DAY - 1)
    snapshot = (await late(match, 1)).public()

    assert early is None
    assert (snapshot.status, snapshot.ending) == ("closed", "silence")


async def test_a_finished_match_is_never_due(matches, match, late):
    await matches.concede(match, ANN)

    assert await late(match, 60 * DAY) is None


async def test_a_deleted_match_is_never_due(timeouts):
    assert await timeouts.act(4711) is None
