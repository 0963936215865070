"""The pool of worker processes, with real processes that die, hang and keep callers waiting."""

import asyncio
from concurrent.futures.process import BrokenProcessPool

import pytest

from bot.computers.pool import MAX_PROCESSES, ComputerPool, cores_to_spare
from tests.support import pool_jobs

LONG = 60.0


@pytest.fixture
async def pool():
    async with ComputerPool(1) as pool:
        yield pool


async def test_a_process_that_dies_or_takes_too_long_ends_its_work_only(
    pool, tmp_path, monkeypatch
):
    monkeypatch.setattr("bot.computers.pool.HUNG_SECONDS", 0.0)
    trace = tmp_path / "trace"
    before = await pool.run(LONG, pool_jobs.process)

    with pytest.raises(BrokenProcessPool):
        await pool.run(LONG, pool_jobs.die, str(trace))
    second = await pool.run(LONG, pool_jobs.process)
    with pytest.raises(TimeoutError):
        await pool.run(0.0, pool_jobs.wait_for_ever)

    third = await pool.run(LONG, pool_jobs.process)
    assert trace.read_text() == "x"  # a job that kills its process isn't tried again
    assert len({before, second, third}) == 3


async def test_the_urgent_goes_before_what_can_wait_and_who_is_gone_is_passed_over(pool):
    slot = await pool._take(LONG, urgent=True)
    order = []

    async def note(name, *, urgent):
        taken = await pool._take(LONG, urgent=urgent)
        order.append(name)
        pool._give_back(taken)

    coach = asyncio.create_task(note("coach", urgent=False))
    given_up = asyncio.create_task(note("given up", urgent=True))
    computer = asyncio.create_task(note("computer", urgent=True))
    await asyncio.sleep(0)
    given_up.cancel()
    pool._give_back(slot)
    await asyncio.gather(coach, given_up, computer, return_exceptions=True)

    assert order == ["computer", "coach"]


async def test_whoever_waits_in_vain_for_a_process_is_told_so(pool):
    slot = await pool._take(LONG, urgent=True)

    with pytest.raises(TimeoutError):
        await pool._take(0.0, urgent=True)

    pool._give_back(slot)
    assert await pool._take(LONG, urgent=True) is slot


async def test_a_process_that_comes_when_nobody_waits_any_more_is_not_lost(pool):
    slot = await pool._take(LONG, urgent=True)
    waiting = asyncio.create_task(pool._take(LONG, urgent=True))
    await asyncio.sleep(0)

    pool._give_back(slot)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)

    assert pool._free == [slot]


async def test_a_process_that_is_only_slow_is_not_ended_though_nobody_waits(pool, monkeypatch):
    monkeypatch.setattr("bot.computers.pool.MIN_SECONDS", 0.0)
    before = await pool.run(LONG, pool_jobs.process)

    with pytest.raises(TimeoutError):
        await pool.run(0.0, pool_jobs.process)

    assert await pool.run(LONG, pool_jobs.process) == before
    assert pool.crowd == 1


async def test_what_has_waited_long_still_gets_a_moment_of_its_own(pool):
    await pool.run(LONG, pool_jobs.process)

    assert await pool.run(-1.0, pool_jobs.double, 21) == 42


def test_one_core_stays_the_bot_s():
    assert 1 <= cores_to_spare() <= MAX_PROCESSES
