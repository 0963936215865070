"""`finished`: work that runs to its end even if the task that awaits it is canceled."""

import asyncio

import pytest

from bot.storage.connection import finished


class Work:
    """Waits for a future that only the test may resolve."""

    def __init__(self, error=None):
        self.may_end = asyncio.get_running_loop().create_future()
        self.error = error
        self.is_done = False

    async def do(self):
        await asyncio.sleep(0)
        told = await self.may_end
        await asyncio.sleep(0)
        self.is_done = True
        if self.error is not None:
            raise self.error
        return told


async def started(work):
    """Start a task that awaits the work, and let the work begin."""
    waiting = asyncio.ensure_future(finished(work.do()))
    for _ in range(3):
        await asyncio.sleep(0)
    return waiting


async def test_its_result_is_returned():
    work = Work()
    waiting = await started(work)
    work.may_end.set_result("said")

    assert await waiting == "said"


async def test_its_error_is_raised():
    work = Work(error=KeyError("lost"))
    waiting = await started(work)
    work.may_end.set_result(None)

    with pytest.raises(KeyError, match="lost"):
        await waiting


async def test_the_work_can_handle_an_error_of_what_it_awaits():
    async def read():
        try:
            await broken
        except OSError:
            return "handled"

    broken = asyncio.get_running_loop().create_future()
    waiting = asyncio.ensure_future(finished(read()))
    await asyncio.sleep(0)
    broken.set_exception(OSError())

    assert await waiting == "handled"


async def test_the_work_runs_in_the_task_that_awaits_it():
    async def here():
        await asyncio.sleep(0)
        return asyncio.current_task()

    assert await finished(here()) is asyncio.current_task()


@pytest.mark.parametrize("times", [1, 3])
async def test_a_cancellation_is_raised_after_the_work_is_done(times):
    work = Work()
    waiting = await started(work)
    for _ in range(times):
        waiting.cancel()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    assert not waiting.done()
    assert not work.may_end.cancelled()
    work.may_end.set_result(None)

    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert work.is_done


async def test_a_cancellation_while_the_work_yields_is_raised_after_the_work():
    async def let_others_go_first():
        for _ in range(3):
            await asyncio.sleep(0)
        done.append(True)

    done = []
    waiting = asyncio.ensure_future(finished(let_others_go_first()))
    await asyncio.sleep(0)
    waiting.cancel()

    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert done == [True]


async def test_a_cancellation_hides_an_error_of_the_work():
    work = Work(error=KeyError("lost"))
    waiting = await started(work)
    waiting.cancel()
    await asyncio.sleep(0)
    work.may_end.set_result(None)

    with pytest.raises(asyncio.CancelledError):
        await waiting


async def test_a_timeout_is_raised_after_the_work():
    work = Work()
    asyncio.get_running_loop().call_later(0.05, work.may_end.set_result, None)

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await finished(work.do())
    assert work.is_done


async def test_a_cancellation_raised_by_the_work_itself_is_raised():
    async def cancelled():
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await finished(cancelled())
