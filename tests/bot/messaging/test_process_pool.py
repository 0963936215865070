"""Worker processes: real ones, which die and are killed."""

import asyncio
import importlib
import multiprocessing
import os
import select
import signal
import subprocess
import sys
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.messaging.process_pool import NICENESS, ProcessPool
from tests.support import pool_jobs
from tests.support.leaping import Ahead
from tests.support.waiting import until

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]

PARENT = """
import asyncio
from bot.messaging.process_pool import ProcessPool
from tests.support import pool_jobs as jobs

async def main():
    async with ProcessPool(2) as workers:
        pids = await asyncio.gather(*(workers.run(jobs.process) for _ in range(6)))
        print("working", *set(pids), flush=True)
        await asyncio.Event().wait()

if __name__ == "__main__":
    asyncio.run(main())
"""


@pytest.fixture
async def workers():
    async with ProcessPool(1) as running:
        yield running


def ends(pid):
    """Wait until a process has ended, even if it isn't our child; returns whether it did."""
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([process], [], [], 20)[0])
    finally:
        os.close(process)


def children(pid):
    return [int(n) for n in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


async def test_work_runs_outside_the_bots_process(workers):
    assert await workers.run(pool_jobs.double, 21) == 42
    assert await workers.run(pool_jobs.process) != os.getpid()


async def test_work_is_done_even_if_its_cog_is_unloaded_meanwhile(workers, tmp_path, monkeypatch):
    """A pool that can't pass work on during shutdown would never end."""
    before = [asyncio.create_task(workers.run(pool_jobs.wait_for, tmp_path / "go")) for _ in "123"]
    work = asyncio.create_task(workers.run(pool_jobs.double, 21))
    await asyncio.sleep(0)
    monkeypatch.delattr(pool_jobs, "double")

    (tmp_path / "go").touch()

    assert await work == 42
    assert await asyncio.gather(*before) == ["done"] * 3


async def test_workers_have_a_lower_priority_than_the_bot(workers):
    assert await workers.run(pool_jobs.niceness) == os.nice(0) + NICENESS


async def test_an_exception_of_the_work_is_raised_and_the_worker_lives_on(workers):
    before = await workers.run(pool_jobs.process)

    with pytest.raises(ValueError, match=r"^7 cannot be drawn$"):
        await workers.run(pool_jobs.fail, 7)

    assert await workers.run(pool_jobs.process) == before


async def test_a_worker_that_dies_is_replaced_and_its_work_repeated(workers, tmp_path):
    before = await workers.run(pool_jobs.process)

    assert await workers.run(pool_jobs.die_once, str(tmp_path / "trace")) == "done"

    assert await workers.run(pool_jobs.process) != before


class Counted(ProcessPool):
    """A pool that counts how often its workers were started."""

    starts = 0

    def _start(self):
        self.starts += 1
        return super()._start()


async def test_everybody_waiting_for_a_dead_worker_is_served_by_one_new_one(tmp_path):
    async with Counted(1) as workers:
        results = await asyncio.gather(
            workers.run(pool_jobs.die_once, str(tmp_path / "trace")),
            *(workers.run(pool_jobs.double, n) for n in range(5)),
        )

    assert results == ["done", 0, 2, 4, 6, 8]
    assert workers.starts == 2


async def test_work_that_kills_its_worker_twice_is_given_up(workers, tmp_path):
    trace = tmp_path / "trace"

    with pytest.raises(BrokenProcessPool):
        await workers.run(pool_jobs.die, str(trace))

    assert trace.read_text() == "xx"
    assert await workers.run(pool_jobs.double, 1) == 2


async def test_work_that_always_kills_its_worker_does_not_take_others_along(tmp_path):
    async with Counted(1) as workers:
        dying, *others = await asyncio.gather(
            workers.run(pool_jobs.die, str(tmp_path / "trace")),
            *(workers.run(pool_jobs.double, n) for n in range(20)),
            return_exceptions=True,
        )

        assert isinstance(dying, BrokenProcessPool)
        assert others == [2 * n for n in range(20)]
        assert workers.starts == 2
        assert workers._apart is None


async def test_if_process_after_process_dies_the_rest_of_the_work_is_given_up(workers, tmp_path):
    """If memory is short, for example: a new process for each would make everybody wait in vain."""
    trace = tmp_path / "trace"

    results = await asyncio.gather(
        *(workers.run(pool_jobs.die, str(trace)) for _ in range(10)), return_exceptions=True
    )

    assert {type(result) for result in results} == {BrokenProcessPool}
    assert len(trace.read_text()) == 1 + 3
    assert await workers.run(pool_jobs.die_once, str(tmp_path / "once")) == "done"


async def test_work_that_hangs_is_ended_and_the_next_gets_its_turn(workers):
    """Both at once: the next one isn't yet in the process that is ended."""
    hanging = asyncio.create_task(workers.run_within(0.5, pool_jobs.wait_for_ever))
    waiting = asyncio.create_task(workers.run_within(60.0, pool_jobs.double, 21))

    with pytest.raises(TimeoutError):
        await hanging

    assert await waiting == 42


HUNG_AFTER = 60.0
"""Seconds; nothing else in these tests takes so long, however slow the machine is."""


async def pass_time_until_killed(logs, times):
    """Advance time until workers were killed this many times because their work hangs."""
    clock = Ahead()
    for _ in range(6_000):
        if sum(entry["event"] == "workers hang" for entry in logs) >= times:
            return
        clock.advance(HUNG_AFTER)
        await asyncio.sleep(0.01)
    pytest.fail("Nothing was killed.")


async def test_a_process_that_hangs_is_replaced_and_the_waiting_work_is_done():
    """As after SIGSTOP, or if what it waits for never happens: nothing announces that."""
    async with Counted(1, hung_after=HUNG_AFTER) as workers:
        hanging = await workers.run(pool_jobs.process)
        os.kill(hanging, signal.SIGSTOP)

        with capture_logs() as logs:
            waiting = asyncio.gather(*(workers.run(pool_jobs.double, n) for n in range(3)))
            await pass_time_until_killed(logs, 1)
            results = await waiting

        assert results == [0, 2, 4]
        assert await asyncio.to_thread(ends, hanging)
        assert await workers.run(pool_jobs.process) != hanging
        assert workers.starts == 2
    assert {entry["event"] for entry in logs} == {"workers hang", "worker died"}


async def test_work_that_always_hangs_is_given_up_and_the_next_is_done(tmp_path):
    trace = tmp_path / "trace"
    async with ProcessPool(1, hung_after=HUNG_AFTER) as workers:
        with capture_logs() as logs:
            hanging = asyncio.create_task(workers.run(pool_jobs.hang, str(trace)))
            await until(lambda: trace.exists() and trace.read_text() == "x", 60)
            await pass_time_until_killed(logs, 1)
            await until(lambda: trace.read_text() == "xx", 60)
            await pass_time_until_killed(logs, 2)

        with pytest.raises(BrokenProcessPool):
            await hanging

        assert await workers.run(pool_jobs.double, 21) == 42


async def test_a_keyboard_interrupt_is_for_the_bot_only(workers):
    """It reaches every process of the terminal; a worker that dies of it would be replaced."""
    pid = await workers.run(pool_jobs.process)

    os.kill(pid, signal.SIGINT)

    assert await workers.run(pool_jobs.process) == pid


async def test_workers_end_with_the_bot(workers):
    pid = await workers.run(pool_jobs.process)

    await workers.__aexit__(None, None, None)

    assert ends(pid)
    with pytest.raises(RuntimeError, match="not running"):
        await workers.run(pool_jobs.double, 1)


async def test_closing_a_pool_that_never_started_works():
    workers = ProcessPool(1)

    await workers.__aexit__(None, None, None)

    with pytest.raises(RuntimeError, match="not running"):
        await workers.run(pool_jobs.double, 1)


def test_no_process_remains_of_a_bot_that_is_killed(tmp_path):
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    with subprocess.Popen(  # noqa: S603 - our own interpreter with our own lines
        [sys.executable, str(script)],
        env={"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    ) as parent:
        word, *pids = parent.stdout.readline().split()
        left = {int(pid) for pid in pids} | set(children(parent.pid))
        assert word == "working"
        assert len(left) >= 2

        parent.kill()
        parent.wait()

    assert [pid for pid in left if not ends(pid)] == []


def renewal(workers: ProcessPool) -> Any:
    """Return the task that prepares the next process, if any, as it is now."""
    return workers._renewing


async def test_processes_are_renewed_after_enough_work_and_nobody_waits_for_that():
    async with ProcessPool(1, renew_after=5) as workers:
        first = await workers.run(pool_jobs.process)
        for n in range(3):
            assert await workers.run(pool_jobs.double, n) == 2 * n
        assert renewal(workers) is None

        answered = await asyncio.gather(*(workers.run(pool_jobs.process) for _ in range(4)))
        assert set(answered) == {first}  # the next process is only being prepared
        renewing = renewal(workers)
        assert renewing is not None
        await renewing
        second = await workers.run(pool_jobs.process)

        assert second != first
        assert await asyncio.to_thread(ends, first)


async def test_work_that_fails_or_kills_its_process_does_not_stop_renewals(tmp_path):
    async with ProcessPool(1, renew_after=1) as workers:
        for work, argument in ((pool_jobs.fail, 7), (pool_jobs.die, str(tmp_path / "trace"))):
            with pytest.raises((ValueError, BrokenProcessPool)):
                await workers.run(work, argument)
            if workers._renewing is not None:
                await workers._renewing

        assert await workers.run(pool_jobs.double, 4) == 8


async def test_processes_are_renewed_although_the_latest_work_fails():
    """The new processes have started fine, and the old ones would stay for as long again."""
    async with ProcessPool(1, renew_after=2) as workers:
        first = await workers.run(pool_jobs.process)
        with capture_logs() as logs:
            with pytest.raises(ValueError, match="7"):
                await workers.run(pool_jobs.fail, 7)
            await until(lambda: renewal(workers) is None)

        assert await workers.run(pool_jobs.process) != first

    assert logs == []


async def test_new_processes_that_cannot_import_the_work_do_not_replace_the_old(
    tmp_path, monkeypatch
):
    """An update has put other files in their place, and the bot wasn't restarted yet."""
    module = tmp_path / "pool_job_to_break.py"
    module.write_text("import os\n\ndef process():\n    return os.getpid()\n")
    monkeypatch.syspath_prepend(tmp_path)
    process = importlib.import_module(module.stem).process
    async with ProcessPool(1, renew_after=2) as workers:
        first = await workers.run(process)
        module.write_text("raise ImportError\n")
        with capture_logs() as logs:
            await workers.run(process)
            await until(lambda: renewal(workers) is None)

        assert await workers.run(process) == first

    assert [line["why"] for line in logs] == ["ImportError"]


async def test_a_renewal_that_fails_is_logged_and_the_old_process_goes_on(monkeypatch):
    async with ProcessPool(1, renew_after=1) as workers:
        unusable = workers._start()
        unusable.shutdown()
        monkeypatch.setattr(workers, "_start", lambda: unusable)
        with capture_logs() as logs:
            first = await workers.run(pool_jobs.process)
            await until(lambda: renewal(workers) is None)

        assert await workers.run(pool_jobs.process) == first

    (line,) = logs
    assert line["event"] == "workers not renewed"
    assert line["why"] == "RuntimeError"


async def test_a_pool_closed_during_a_renewal_leaves_no_process():
    async with ProcessPool(1, renew_after=2) as workers:
        await workers.run(pool_jobs.process)
        await workers.run(pool_jobs.process)
        assert workers._renewing is not None

    # According to the kernel: while the pool's thread reaps a process, Python still counts it as
    # alive.
    left = multiprocessing.active_children()
    assert [p for p in left if not await asyncio.to_thread(ends, p.pid)] == []
