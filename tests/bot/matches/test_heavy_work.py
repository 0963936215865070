"""Heavy work: one job at a time per person, so nobody waits behind all jobs of another."""

import asyncio
import time

import pytest

from bot.errors import HurriedError
from bot.matches.heavy_work import HeavyWork

ANN, BEA = 1, 2


class Process:
    """Does one job after another, and records for which user."""

    def __init__(self):
        self._line = asyncio.Lock()
        self.done = []

    async def do(self, user):
        async with self._line:
            await asyncio.sleep(0)
            self.done.append(user)


async def test_one_persons_many_jobs_delay_another_person_by_one_job():
    work, process = HeavyWork("things", 100, now=time.time), Process()

    async def ask(user):
        async with work.turn(user):
            await process.do(user)

    asked = [asyncio.create_task(ask(ANN)) for _ in range(30)]
    await asyncio.sleep(0)
    asked.append(asyncio.create_task(ask(BEA)))
    await asyncio.gather(*asked)

    assert process.done.index(BEA) <= 1
    assert process.done.count(ANN) == 30


async def test_too_many_jobs_of_one_person_are_refused():
    work = HeavyWork("things", 2, now=lambda: 0.0)
    for _ in range(2):
        async with work.turn(ANN):
            pass

    with pytest.raises(HurriedError, match=r"2 things within an hour\. Try again in 60"):
        work.count(ANN)
    work.count(BEA)
