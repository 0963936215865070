import asyncio
import time

import pytest

from bot.scheduling import movable_clock
from bot.scheduling.movable_clock import MovableClock


def test_the_clock_is_ahead_by_the_seconds_in_the_file(tmp_path):
    file = tmp_path / "clock"
    file.write_text("3600.5")

    assert MovableClock(file)() == pytest.approx(time.time() + 3600.5, abs=5)


@pytest.mark.parametrize("text", [None, "", "soon"])
def test_a_file_without_a_number_changes_nothing(tmp_path, text):
    file = tmp_path / "clock"
    if text is not None:
        file.write_text(text)
    clock = MovableClock(file)

    assert clock() == pytest.approx(time.time(), abs=5)
    assert not clock.look()


async def test_a_follower_is_woken_when_the_clock_is_moved(tmp_path, monkeypatch):
    monkeypatch.setattr(movable_clock, "LOOK_SECONDS", 0.0)
    file, woken = tmp_path / "clock", asyncio.Event()
    file.write_text("0")
    clock = MovableClock(file)
    following = asyncio.create_task(clock.follow(woken.set))
    before = clock()

    file.write_text("86400")
    async with asyncio.timeout(60):
        await woken.wait()
    following.cancel()

    assert clock() - before >= 86400
