"""The queue for batches: waiting items are done together, and no caller waits forever."""

import asyncio

import pytest

from bot.errors import StorageUnavailableError
from bot.matches.batch_queue import BatchQueue


class Work:
    """Doubles numbers, records its batches, and fails on request."""

    def __init__(self):
        self.batches = []
        self.fails = {}
        """The error to raise for a batch that contains a number, by that number."""

        self.fails_first = None
        """The error to raise before the next batch is taken; None if it succeeds."""

    async def __call__(self, take):
        if self.fails_first is not None:
            error, self.fails_first = self.fails_first, None
            raise error
        batch = take()
        self.batches.append(list(batch.values()))
        for number in batch.values():
            if number in self.fails:
                raise self.fails[number]
        return {key: 2 * number for key, number in batch.items()}


async def added(queue, *numbers):
    return await asyncio.gather(
        *(queue.add(number, number) for number in numbers), return_exceptions=True
    )


@pytest.fixture
def work():
    return Work()


async def test_what_waits_is_done_together(work):
    assert await added(BatchQueue(work), 1, 2, 3) == [2, 4, 6]
    assert work.batches == [[1, 2, 3]]


async def test_what_is_too_much_or_has_the_same_key_waits_for_the_next(work):
    queue = BatchQueue(work, 2)

    results = await asyncio.gather(*(queue.add(key, n) for n, key in enumerate("aabc")))

    assert results == [0, 2, 4, 6]
    assert work.batches == [[0, 2], [1, 3]]


async def test_a_failure_is_everybodys(work):
    work.fails[2] = error = OSError("two")

    assert await added(BatchQueue(work), 1, 2) == [error, error]
    assert work.batches == [[1, 2]]


async def test_a_batch_that_splits_fails_for_who_has_broken_it_alone(work):
    work.fails[2] = error = OSError("two")

    assert await added(BatchQueue(work, splits=True), 1, 2, 3) == [2, error, 6]
    assert work.batches == [[1, 2, 3], [1], [2], [3]]


async def test_not_where_the_database_is_away(work):
    work.fails[2] = error = StorageUnavailableError("away")

    assert await added(BatchQueue(work, splits=True), 1, 2, 3) == [error] * 3
    assert work.batches == [[1, 2, 3]]


async def test_nor_where_it_goes_away_meanwhile(work):
    work.fails = {3: OSError("three"), 2: StorageUnavailableError("away")}

    results = await added(BatchQueue(work, splits=True), 1, 3, 2, 4)

    assert [type(result) for result in results] == [int, OSError, StorageUnavailableError, OSError]
    assert work.batches == [[1, 3, 2, 4], [1], [3], [2]]


@pytest.mark.parametrize("error", [OSError("none"), asyncio.CancelledError()], ids=["no", "ended"])
async def test_what_ends_before_it_takes_anything_keeps_nobody_waiting(work, error):
    queue = BatchQueue(work)
    work.fails_first = error

    results = await added(queue, 1, 2)

    assert [type(result) for result in results] == [type(error)] * 2
    assert await added(queue, 3) == [6]
    assert work.batches == [[3]]


async def test_what_is_ended_amid_its_work_keeps_nobody_waiting(work):
    queue = BatchQueue(work)
    work.fails[1] = asyncio.CancelledError()

    results = await added(queue, 1, 2)

    assert [type(result) for result in results] == [asyncio.CancelledError] * 2
    assert await added(queue, 3) == [6]


async def test_who_gives_up_is_left_out(work):
    queue = BatchQueue(work)
    first = asyncio.create_task(queue.add(1, 1))
    await asyncio.sleep(0)  # let it enter the queue
    first.cancel()

    assert await added(queue, 2) == [4]
    assert [number for batch in work.batches for number in batch] == [2]
