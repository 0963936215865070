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


async def test_a_process_that_dies_or_hangs_fails_only_its_own_job(pool, tmp_path, monkeypatch):
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


async def test_urgent_jobs_go_first_and_canceled_ones_are_skipped(pool):
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


async def test_waiting_too_long_for_a_process_raises_a_timeout(pool):
    slot = await pool._take(LONG, urgent=True)

    with pytest.raises(TimeoutError):
        await pool._take(0.0, urgent=True)

    pool._give_back(slot)
    assert await pool._take(LONG, urgent=True) is slot


async def test_a_process_given_to_a_canceled_waiter_is_returned_to_the_pool(pool):
    slot = await pool._take(LONG, urgent=True)
    waiting = asyncio.create_task(pool._take(LONG, urgent=True))
    await asyncio.sleep(0)

    pool._give_back(slot)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)

    assert pool._free == [slot]


async def test_a_slow_process_is_kept_after_its_caller_times_out(pool, monkeypatch):
    monkeypatch.setattr("bot.computers.pool.MIN_SECONDS", 0.0)
    before = await pool.run(LONG, pool_jobs.process)

    with pytest.raises(TimeoutError):
        await pool.run(0.0, pool_jobs.process)

    assert await pool.run(LONG, pool_jobs.process) == before
    assert pool.crowd == 1


async def test_a_job_whose_time_is_up_still_gets_the_minimum_time(pool):
    await pool.run(LONG, pool_jobs.process)

    assert await pool.run(-1.0, pool_jobs.double, 21) == 42


def test_the_number_of_processes_is_at_least_one_and_limited():
    assert 1 <= cores_to_spare() <= MAX_PROCESSES
