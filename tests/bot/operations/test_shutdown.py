"""Shutting down on a signal: in order, or at once if that takes too long, without raising."""

import asyncio
import signal

import pytest
from structlog.testing import capture_logs

from bot.operations.shutdown import run_until_signal

LONG = 3600.0


class RecordedEnd:
    """Stands in for ending the process: counts its calls."""

    def __init__(self):
        self._loop = asyncio.get_running_loop()
        self._ended = asyncio.Event()
        self.count = 0

    def __call__(self):
        self.count += 1
        self._loop.call_soon_threadsafe(self._ended.set)

    async def wait(self):
        await self._ended.wait()


@pytest.fixture
async def end():
    return RecordedEnd()


async def raising(number):
    """Raise a signal and wait to be canceled."""
    signal.raise_signal(number)
    await asyncio.Event().wait()


async def test_work_can_end_by_itself(end):
    await run_until_signal(asyncio.sleep(0), grace=LONG, end=end)

    assert end.count == 0


async def test_an_error_of_the_work_is_raised(end):
    async def fail():
        raise LookupError("there is no work")

    with pytest.raises(LookupError, match="there is no work"):
        await run_until_signal(fail(), grace=LONG, end=end)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_cancels_the_work(end, number):
    with capture_logs() as logs:
        await run_until_signal(raising(number), grace=LONG, end=end)

    assert [line["event"] for line in logs] == ["stopping"]
    assert end.count == 0


async def test_an_error_while_being_canceled_is_logged_and_not_raised(end):
    async def start():
        try:
            await raising(signal.SIGTERM)
        finally:
            raise AttributeError("what is closed was never opened")

    with capture_logs() as logs:
        await run_until_signal(start(), grace=LONG, end=end)

    assert [(line["event"], line["log_level"]) for line in logs] == [
        ("stopping", "info"),
        ("ended untidily", "warning"),
    ]


async def test_work_that_does_not_end_in_time_is_ended(end):
    async def refuse_to_end():
        try:
            await raising(signal.SIGTERM)
        finally:
            await end.wait()

    await run_until_signal(refuse_to_end(), grace=0.01, end=end)

    assert end.count == 1


async def test_a_second_signal_ends_the_process_at_once(end):
    async def raise_again():
        try:
            await raising(signal.SIGTERM)
        finally:
            signal.raise_signal(signal.SIGINT)
            await end.wait()

    await run_until_signal(raise_again(), grace=LONG, end=end)

    assert end.count == 1
