"""The clock's task: it sleeps until the earliest due time, and no error ends it."""

import asyncio

import pytest

from bot.scheduling import deadlines
from bot.scheduling.every_minute import every_minute
from bot.storage import TABLE, MessageRef
from tests.support.clock import DAY, EVERY_SHARD, HOUR, MINUTE, asleep, pass_time
from tests.support.match_records import ask, put_message, record_of
from tests.support.matches import ANN, BEA, CYD, DAN, A, begun, dealt, opened, refusal
from tests.support.waiting import until


def running(watch, start):
    """Return a clock that runs from `start` in real time and keeps `watch` in step."""
    begin = asyncio.get_running_loop().time()

    def now():
        watch.now = start + asyncio.get_running_loop().time() - begin
        return watch.now

    return now


async def test_the_next_due_time_is_the_earliest_of_all_matches(storage, matches):
    later = await begun(matches, interaction=1, time_control="relaxed")
    sooner = await begun(matches, CYD, interaction=2, time_control="live")
    ended = await begun(matches, DAN, interaction=3, time_control="live")
    await matches.concede(ended, ANN)
    moment = {m: (await record_of(storage, m)).due_at for m in (sooner, later)}

    async with storage.reading() as reading:
        assert await reading.deadlines.next_due(moment[sooner] - 1, EVERY_SHARD) == moment[sooner]
        assert await reading.deadlines.next_due(moment[sooner], EVERY_SHARD) == moment[later]
        assert await reading.deadlines.next_due(moment[later], EVERY_SHARD) is None
        assert await reading.deadlines.due(moment[sooner] - 1, EVERY_SHARD) == []
        assert await reading.deadlines.due(moment[later], EVERY_SHARD) == [sooner, later]


@pytest.mark.sqlite
async def test_the_queries_of_the_clock_use_an_index(database):
    """Most matches are over and have no due time."""
    for query in (
        "SELECT id FROM matches WHERE due_at <= 5 ORDER BY due_at, id",
        "SELECT min(due_at) FROM matches WHERE due_at > 5",
    ):
        plan = ask(database, f"EXPLAIN QUERY PLAN {query}")
        assert "USING COVERING INDEX ix_matches_due_at" in plan[0][-1]


async def test_a_match_is_acted_on_when_its_time_is_up(matches, clocks, watch, seen):
    match = await begun(matches, time_control="live")
    keeping = await clocks()

    pass_time(watch, keeping, 2 * MINUTE)

    assert await seen.next() == match
    assert (await matches.public(match)).step == 1


async def test_the_clock_acts_on_one_turn_after_another(matches, clocks, watch, seen):
    """The turn that begins with the clock's move has a deadline too."""
    match = await begun(matches, time_control="live")
    keeping = await clocks()
    pass_time(watch, keeping, 2 * MINUTE)
    await seen.next()

    pass_time(watch, keeping, 2 * MINUTE)
    await seen.next()

    assert (await matches.public(match)).ending == "absence"


async def nearly_silent(storage, matches):
    """Begin a match that silence will end; returns it and when, which is too late for any grace."""
    match = await begun(matches, time_control="none")
    moment = (await record_of(storage, match)).due_at + 3 * DAY
    async with storage.transaction() as writing:
        await writing.deadlines.announce_end(match, moment)
    return match, moment


async def test_the_clock_sleeps_until_the_next_due_time(matches, clocks, watch, seen, storage):
    """Nothing wakes it before."""
    match, moment = await nearly_silent(storage, matches)

    await clocks(now=running(watch, moment - 0.05))

    assert await seen.next() == match


async def test_a_match_that_becomes_due_during_a_look_is_acted_on(
    matches, clocks, watch, seen, storage
):
    """It isn't due yet when the clock looks, and already past when it asks how long to sleep."""
    match, moment = await nearly_silent(storage, matches)
    looks = iter((*(moment - 2,) * 4, moment - 1))  # starting and connecting read the time too

    def now():
        watch.now = next(looks, moment + 1)
        return watch.now

    await clocks(now=now)

    assert await seen.next() == match


async def test_an_earlier_due_time_that_is_written_wakes_the_clock(
    matches, clocks, watch, seen, storage
):
    """Otherwise it would sleep for a minute."""
    match = await opened(matches)
    moment = int(watch()) + 1
    keeping = await clocks(now=running(watch, moment - 0.05))
    await asleep(keeping, storage)

    async with storage.transaction() as writing:
        await writing.deadlines.put_off(match, moment)
        writing.deadlines._changes.wake_at(moment)
    await seen.next()

    assert (await matches.public(match)).status == "expired"


async def test_a_future_due_time_that_is_written_causes_no_query(
    matches, clocks, watch, storage, notices
):
    """Every act writes one; a query each time used to take a tenth of the bot's time."""
    match = await opened(matches)
    keeping = await clocks()
    await asleep(keeping, storage)
    while not notices.asked.empty():
        notices.asked.get_nowait()

    for seconds in (30, 20, 10):
        async with storage.transaction() as writing:
            await writing.deadlines.put_off(match, int(watch()) + seconds)
            writing.deadlines._changes.wake_at(int(watch()) + seconds)
    await asleep(keeping, storage)

    assert keeping._asleep_until == int(watch()) + 10
    assert notices.asked.empty()


async def test_listeners_learn_when_the_notices_of_an_act_are_due(matches, storage, watch):
    """They're told after the commit, and not after a refused act."""
    told = []
    storage.subscribe(lambda committed: told.append(committed.due_at))
    hands = dealt().hands

    match = await opened(matches)
    await matches.accept(match, BEA)
    await matches.submit(match, 0, ANN, str(hands[0][0]))
    watch.advance(MINUTE)
    await matches.submit(match, 0, BEA, str(hands[1][0]))
    await refusal(matches.submit(match, 0, ANN, str(hands[0][0])))

    begin = int(watch()) - MINUTE
    moments = [due_at for due_at in told if due_at is not None]
    assert moments == [begin, begin + MINUTE, begin + 2 * MINUTE]


async def test_trouble_with_the_database_does_not_end_the_clock(
    matches, clocks, watch, seen, storage
):
    match = await begun(matches, time_control="live")
    reading, failed = storage.reading, asyncio.Event()

    def broken():
        failed.set()
        storage.reading = reading
        raise OSError("the disk is away")

    keeping = await clocks()
    await asleep(keeping, storage)
    storage.reading = broken
    keeping.clock_moved()
    await asyncio.wait_for(failed.wait(), 10)
    pass_time(watch, keeping, 2 * MINUTE)

    assert await seen.next() == match


async def test_a_suspended_machine_gives_grace_too(
    matches, clocks, watch, seen, storage, monkeypatch
):
    """For example a closed laptop or a suspended process, which no click could reach."""
    monkeypatch.setattr(deadlines, "MAX_SLEEP", 1.0)
    match, stopped, time = await begun(matches, time_control="live"), [], running(watch, watch())

    def now():
        watch.now = time() + sum(stopped)
        return watch.now

    keeping = await clocks(now=now)
    await asleep(keeping, storage)

    stopped.append(HOUR)

    assert await seen.next() == match
    public = await matches.public(match)
    assert (public.step, public.deadline >= int(watch()) + MINUTE) == (0, True)


async def test_an_old_due_time_does_not_count_as_a_suspended_machine(
    matches, clocks, watch, storage
):
    """For example a reminder that was due before the match began."""
    match, keeping = await begun(matches, time_control="live"), await clocks()
    before = (await matches.public(match)).deadline
    await asleep(keeping, storage)
    watch.advance(before - watch() - 40)  # so that grace would change the deadline
    looked = asyncio.Event()

    async def look():
        looked.set()

    keeping._upkeep = [look]

    async with storage.transaction() as writing:
        await writing.notices.queue(match, "turn", [ANN], due_at=int(watch()) - HOUR, turn=0)
    async with asyncio.timeout(20):
        await looked.wait()
    await asleep(keeping, storage)

    assert (await matches.public(match)).deadline == before


async def test_a_challenge_that_expired_long_ago_ends_at_the_start(matches, clocks, watch, seen):
    """The absence is longer than a month, so it gets no grace."""
    match = await opened(matches)
    watch.advance(34 * DAY)

    await clocks()

    assert await seen.next() == match
    assert (await matches.public(match)).status == "expired"


async def test_a_new_clock_continues_where_a_closed_one_stopped(matches, clocks, watch, seen):
    """As in a restart; what is due is stored in a column."""
    match = await begun(matches, BEA)
    await matches.submit(match, 0, ANN, str(dealt().hands[A][0]))
    first = await clocks()
    await first.close()
    watch.advance(DAY - 5 * MINUTE)
    second = await clocks()

    pass_time(watch, second, 5 * MINUTE)

    assert await seen.next() == match
    assert (await matches.public(match)).late == (1,)


async def test_every_look_of_the_clock_looks_for_notices(clocks, notices):
    keeping = await clocks()
    await notices.asked.get()

    keeping.clock_moved()

    assert await asyncio.wait_for(notices.asked.get(), 10)


async def test_a_change_by_another_process_causes_a_look_for_notices(clocks, notices):
    changed, clock = [], await clocks()
    await until(lambda: clock._asleep_until < float("inf"), pause=0)
    while not notices.asked.empty():
        notices.asked.get_nowait()
    notices.changed_elsewhere = changed.append

    clock.look_again(5)

    assert await asyncio.wait_for(notices.asked.get(), 10)
    assert changed == [5]


async def test_a_commit_that_may_outdate_a_notice_causes_a_look_for_notices(
    clocks, notices, storage, matches
):
    match = await begun(matches)
    clock = await clocks()
    await until(lambda: clock._asleep_until < float("inf"), pause=0)
    while not notices.asked.empty():
        notices.asked.get_nowait()
    notices.mark_changed = lambda committed: match in committed.moved

    await put_message(storage, match, TABLE, MessageRef(channel=5, message=500, shown=""))

    assert await asyncio.wait_for(notices.asked.get(), 10)


async def test_upkeep_runs_in_every_round_even_after_an_error(clocks):
    done = asyncio.Queue()

    async def fail():
        done.put_nowait(True)
        raise ZeroDivisionError

    clock = await clocks(upkeep=(fail,))
    for _ in range(2):
        clock.clock_moved()
        assert await asyncio.wait_for(done.get(), 10)


@pytest.mark.parametrize("connected", [True, False])
async def test_expired_data_is_deleted_in_time_even_without_a_connection(clocks, connected, watch):
    """It's promised that click tokens are deleted in time, even while Discord can't be reached."""
    forgotten = asyncio.Queue()

    async def forget():
        forgotten.put_nowait(True)

    clock = await clocks(connected, forget_old=every_minute(forget, watch))
    assert await asyncio.wait_for(forgotten.get(), 10)
    for later in (MINUTE, -2 * MINUTE):
        watch.advance(later)
        clock.clock_moved()
        assert await asyncio.wait_for(forgotten.get(), 10)


async def test_seldom_work_is_not_done_at_every_look(clocks, watch):
    """Matches may be due every second, and this work goes through all servers."""
    looks, forgotten, gone_through = asyncio.Queue(), [], []

    async def forget():
        forgotten.append(watch())

    async def go_through():
        gone_through.append(watch())

    async def look():
        looks.put_nowait(True)

    upkeep = (every_minute(go_through, watch), look)
    clock = await clocks(forget_old=every_minute(forget, watch), upkeep=upkeep)
    for _ in range(3):
        assert await asyncio.wait_for(looks.get(), 10)
        watch.advance(MINUTE / 4)
        clock.clock_moved()

    assert forgotten == gone_through == [watch() - 3 * MINUTE / 4]


async def test_work_once_a_minute_is_not_skipped_for_being_milliseconds_early(watch):
    """The next look may get to it a few milliseconds early."""
    done = []

    async def work():
        done.append(watch())

    at_looks = every_minute(work, watch)
    for early in (0, 0.001):
        watch.advance(deadlines.MAX_SLEEP - early)
        await at_looks()

    assert len(done) == 2


async def test_upkeep_runs_again_at_the_time_it_returns(clocks, watch):
    done, moment, loop = asyncio.Queue(), watch() + 20, asyncio.get_running_loop()
    began = []

    def now():
        """Return a time that stands still until upkeep runs for the first time."""
        return moment - 0.05 + (loop.time() - began[0] if began else 0.0)

    async def keep_up():
        began.append(loop.time())
        done.put_nowait(now())
        return moment if now() < moment else None

    await clocks(upkeep=(keep_up,), now=now)

    assert await asyncio.wait_for(done.get(), 10) < moment
    while await asyncio.wait_for(done.get(), 10) < moment:
        """It may run a little early, and then once more."""


async def test_upkeep_runs_again_if_a_round_passed_while_it_was_running(clocks, notices):
    done, may_end = asyncio.Queue(), asyncio.Event()

    async def keep_up():
        done.put_nowait(True)
        await may_end.wait()

    clock = await clocks(upkeep=(keep_up,))
    await done.get()
    while not notices.asked.empty():
        notices.asked.get_nowait()
    clock.clock_moved()
    await asyncio.wait_for(notices.asked.get(), 10)  # a round found it still running
    may_end.set()

    assert await asyncio.wait_for(done.get(), 10)
