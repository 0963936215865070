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


async def test_waiting_items_are_done_in_one_batch(work):
    assert await added(BatchQueue(work), 1, 2, 3) == [2, 4, 6]
    assert work.batches == [[1, 2, 3]]


async def test_items_beyond_the_limit_or_with_the_same_key_go_into_the_next_batch(work):
    queue = BatchQueue(work, 2)

    results = await asyncio.gather(*(queue.add(key, n) for n, key in enumerate("aabc")))

    assert results == [0, 2, 4, 6]
    assert work.batches == [[0, 2], [1, 3]]


async def test_a_failed_batch_fails_for_everybody(work):
    work.fails[2] = error = OSError("two")

    assert await added(BatchQueue(work), 1, 2) == [error, error]
    assert work.batches == [[1, 2]]


async def test_a_splitting_batch_fails_only_for_the_item_that_broke_it(work):
    work.fails[2] = error = OSError("two")

    assert await added(BatchQueue(work, splits=True), 1, 2, 3) == [2, error, 6]
    assert work.batches == [[1, 2, 3], [1], [2], [3]]


async def test_a_batch_is_not_split_if_the_database_is_away(work):
    work.fails[2] = error = StorageUnavailableError("away")

    assert await added(BatchQueue(work, splits=True), 1, 2, 3) == [error] * 3
    assert work.batches == [[1, 2, 3]]


async def test_splitting_stops_when_the_database_goes_away(work):
    work.fails = {3: OSError("three"), 2: StorageUnavailableError("away")}

    results = await added(BatchQueue(work, splits=True), 1, 3, 2, 4)

    assert [type(result) for result in results] == [int, OSError, StorageUnavailableError, OSError]
    assert work.batches == [[1, 3, 2, 4], [1], [3], [2]]


@pytest.mark.parametrize("error", [OSError("none"), asyncio.CancelledError()], ids=["no", "ended"])
async def test_an_error_before_a_batch_is_taken_reaches_every_caller(work, error):
    queue = BatchQueue(work)
    work.fails_first = error

    results = await added(queue, 1, 2)

    assert [type(result) for result in results] == [type(error)] * 2
    assert await added(queue, 3) == [6]
    assert work.batches == [[3]]


async def test_a_cancellation_during_a_batch_reaches_every_caller(work):
    queue = BatchQueue(work)
    work.fails[1] = asyncio.CancelledError()

    results = await added(queue, 1, 2)

    assert [type(result) for result in results] == [asyncio.CancelledError] * 2
    assert await added(queue, 3) == [6]


async def test_a_canceled_item_is_left_out(work):
    queue = BatchQueue(work)
    first = asyncio.create_task(queue.add(1, 1))
    await asyncio.sleep(0)  # let it enter the queue
    first.cancel()

    assert await added(queue, 2) == [4]
    assert [number for batch in work.batches for number in batch] == [2]
