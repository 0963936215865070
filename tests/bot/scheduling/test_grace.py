"""Grace: the time in which the bot was away doesn't count against anybody."""

import pytest

from bot.errors import StorageUnavailableError
from bot.matches.rematches import Rematches
from tests.support.clock import DAY, HOUR, MINUTE, pass_time
from tests.support.match_records import record_of, settle, unsettled
from tests.support.matches import ANN, BEA, NOW, RETURNS, A, B, begun, choose, opened


@pytest.fixture
def note_reachable(storage, watch):
    """Stores that the bot can be reached, as it does once an hour."""

    async def note():
        async with storage.transaction() as writing:
            await writing.puzzles.note_presence(int(watch() // HOUR))

    return note


async def left(storage, match, watch):
    return (await record_of(storage, match)).due_at - int(watch())


async def test_no_turn_expires_because_the_bot_was_away(match, grace, timeouts, watch):
    watch.advance(5 * DAY)

    given = await grace(5 * DAY)

    assert given == [match]
    assert await timeouts.act(match) is None
    watch.advance(DAY)
    assert (await timeouts.act(match)).public().late == (A, B)


@pytest.mark.parametrize(
    ("time_control", "away", "before", "after"),
    [
        ("live", 40, 119, 119),
        ("live", 40, 59, 2 * MINUTE),
        ("live", DAY, -HOUR, 2 * MINUTE),
        ("today", 40, 6 * MINUTE, 6 * MINUTE),
        ("today", 40, 4 * MINUTE, 10 * MINUTE),
        ("today", 30 * MINUTE, -10 * MINUTE, 30 * MINUTE),
        ("today", DAY, -10 * MINUTE, HOUR),
        ("slow", MINUTE, -30, 10 * MINUTE),
        ("slow", 8 * HOUR, 5 * HOUR, 5 * HOUR),
        ("slow", 8 * HOUR, 3 * HOUR, 8 * HOUR),
        ("slow", 8 * HOUR, -3 * HOUR, 8 * HOUR),
        ("slow", 60 * HOUR, -30 * HOUR, DAY),
        ("relaxed", DAY, 2 * DAY, 2 * DAY),
        ("relaxed", 5 * DAY, -DAY, 3 * DAY),
        ("none", DAY, DAY, DAY),
        ("none", DAY, -HOUR, -HOUR),  # the notice to players who owe a move is due first
    ],
)
async def test_a_turn_gets_as_long_as_the_bot_was_away_up_to_its_full_time(
    storage, matches, grace, watch, *, time_control, away, before, after
):
    match = await begun(matches, time_control=time_control)
    watch.now = (await record_of(storage, match)).due_at - before

    await grace(away)

    assert await left(storage, match, watch) == after


@pytest.mark.parametrize(
    ("time_control", "away", "before", "after"),
    [
        ("live", 40, 29 * MINUTE, 29 * MINUTE),
        ("live", DAY, -HOUR, 30 * MINUTE),
        ("slow", DAY, 13 * HOUR, 13 * HOUR),
        ("slow", DAY, 11 * HOUR, DAY),
        ("slow", 10 * DAY, -8 * DAY, 3 * DAY),
        ("none", 20 * DAY, -13 * DAY, 7 * DAY),
        ("none", 40 * DAY, -30 * DAY, 7 * DAY),
        ("none", 40 * DAY, -31 * DAY, -31 * DAY),
    ],
)
async def test_a_challenge_gets_the_same_unless_a_month_has_passed(
    storage, matches, grace, watch, *, time_control, away, before, after
):
    match = await opened(matches, time_control=time_control)
    shown = (await matches.public(match)).key
    watch.now = (await record_of(storage, match)).due_at - before

    await grace(away)

    assert await left(storage, match, watch) == after
    assert ((await matches.public(match)).key != shown) == (before != after)


async def test_a_pause_that_expired_meanwhile_lasts_another_day_and_says_so(
    matches, match, pause, grace, watch, late
):
    await pause(match, NOW)
    shown = {snapshot.key for snapshot in await matches.snapshots(match)}
    watch.advance(40 * DAY)

    await grace(40 * DAY)

    assert shown.isdisjoint({snapshot.key for snapshot in await matches.snapshots(match)})
    assert await late(match, DAY - 1) is None
    assert (await late(match, 1)).public().ending == "silence"


# Silence.


@pytest.mark.parametrize("away", [2 * DAY, 4 * DAY, 5 * DAY, 40 * DAY])
async def test_a_warning_of_silence_missed_meanwhile_comes_three_days_before_the_end(
    matches, grace, watch, late, warned, away
):
    """Whether or not the match would have ended meanwhile."""
    match = await begun(matches, time_control="none")
    watch.advance(26 * DAY + away)
    await grace(away)
    before = warned()

    await late(match, 0)
    after, early = warned(), await late(match, 3 * DAY - 1)

    assert (before, after, early) == ([], [(ANN,), (BEA,)], None)
    assert (await late(match, 1)).public().ending == "silence"


async def test_a_silence_that_expired_meanwhile_lasts_another_day(
    matches, grace, watch, late, warned
):
    match = await begun(matches, time_control="none")
    await late(match, 27 * DAY)
    watch.advance(5 * DAY)

    await grace(5 * DAY)

    assert warned() == [(ANN,), (BEA,)]
    assert await late(match, DAY - 1) is None
    assert (await late(match, 1)).public().ending == "silence"


# Results that wait.


@pytest.fixture
async def held(matches, match, late):
    """A match that Bea has just lost on time; its result is held for a week."""
    for _ in range(2):
        await choose(matches, match, ANN)
        effect = await late(match)
    assert effect.public().counts_at is not None
    return match


@pytest.mark.parametrize(
    ("away", "before", "after"),
    [
        (DAY, 2 * DAY, 2 * DAY),
        (DAY, 11 * HOUR, DAY),
        (DAY, -HOUR, DAY),
        (9 * DAY, -2 * DAY, 7 * DAY),
        (40, 6 * MINUTE, 6 * MINUTE),
        (40, 4 * MINUTE, 10 * MINUTE),
    ],
)
async def test_a_held_result_waits_as_long_as_the_bot_was_away_up_to_a_week(
    matches, held, grace, timeouts, watch, *, away, before, after
):
    ended = await matches.public(held)
    watch.now = ended.counts_at - before

    given = await grace(away)

    on = await matches.public(held)
    assert (on.counts_at, on.due_at) == (int(watch()) + after, on.counts_at)
    assert (on.key != ended.key) == (held in given) == (before != after)
    watch.advance(after - 1)
    assert await timeouts.act(held) is None
    watch.advance(1)
    assert (await timeouts.act(held)).public().counts_at is None


async def test_a_rematch_request_gets_no_grace(matches, held, grace, storage, watch):
    """Its result is held for longer all the same."""
    await Rematches(storage, now=watch, returns=RETURNS).want(held, ANN, 5)
    wished = await matches.public(held)
    watch.now = wished.counts_at - 11 * HOUR

    await grace(DAY)

    on = await matches.public(held)
    assert (on.counts_at, on.due_at) == (int(watch()) + DAY, wished.due_at)


async def test_messages_of_a_held_result_are_edited_after_grace(held, grace, storage, watch):
    await settle(storage, held)
    watch.advance(7 * DAY)

    await grace(DAY)

    assert held in await unsettled(storage)


# At a start.


async def test_a_start_gives_grace_for_the_time_since_the_bot_was_last_there(
    matches, clocks, watch, seen, note_reachable, storage
):
    match = await begun(matches)
    await note_reachable()
    watch.advance(2 * DAY + 12 * HOUR)

    keeping = await clocks()
    keeping.clock_moved()
    assert await left(storage, match, watch) == DAY
    assert (await matches.public(match)).step == 0
    pass_time(watch, keeping, DAY)

    assert await seen.next() == match
    assert (await matches.public(match)).late == (0, 1)


async def test_grace_is_given_even_if_the_machines_clock_was_ahead_before(
    matches, clocks, watch, note_reachable, storage
):
    match = await begun(matches)
    await note_reachable()
    watch.advance(30 * DAY)
    await note_reachable()
    watch.advance(-28 * DAY)

    await clocks()

    assert await left(storage, match, watch) == DAY


async def test_a_challenge_that_expired_while_the_bot_was_off_can_be_answered(
    matches, clocks, watch, note_reachable, storage
):
    match = await opened(matches)
    await note_reachable()
    watch.advance(3 * DAY)

    await clocks()

    assert (await matches.public(match)).status == "open"
    assert 2 * DAY + 22 * HOUR < await left(storage, match, watch) <= 3 * DAY
    assert (await matches.accept(match, BEA)).public().status == "running"


async def test_a_start_without_any_stored_presence_gives_the_minimum_grace(
    matches, clocks, watch, storage
):
    """For example the first start of a version that stores when the bot can be reached."""
    match = await begun(matches)
    watch.advance(3 * DAY)

    await clocks()

    assert await left(storage, match, watch) == 10 * MINUTE


async def test_a_start_right_after_a_shutdown_gives_only_the_minimum_grace(
    matches, clocks, watch, note_reachable, storage
):
    match = await begun(matches, time_control="today")
    await note_reachable()
    watch.advance(HOUR - 1)

    await clocks()

    assert await left(storage, match, watch) == 10 * MINUTE, "the least that a start gives"


async def test_grace_refused_by_the_database_at_a_start_is_given_on_connecting(
    matches, clocks, watch, note_reachable, storage
):
    match = await begun(matches)
    await note_reachable()
    watch.advance(2 * DAY + 12 * HOUR)
    transaction = storage.transaction

    def refuse():
        storage.transaction = transaction
        raise StorageUnavailableError("the disk is full")

    storage.transaction = refuse

    await clocks()

    assert await left(storage, match, watch) == DAY
    assert (await matches.public(match)).step == 0
