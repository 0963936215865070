"""The queue of work that is due, on a clock that jumps to the next event: no test waits."""

import asyncio
from itertools import pairwise

import pytest

from bot.live.work_queue import RETRY, WorkQueue
from tests.support.leaping import LeapingLoop


def run(main):
    """Run a coroutine on a loop of its own, and return its result."""
    with asyncio.Runner(loop_factory=LeapingLoop) as runner:
        return runner.run(main)


class Work:
    """Records when each key was worked on; fails this many times, and takes this many seconds."""

    def __init__(self, *, fails=0, lasts=0.0):
        self.done = []
        self.busy = 0
        self.most = 0
        self._fails = fails
        self._lasts = lasts

    async def __call__(self, key):
        self.done.append((key, asyncio.get_running_loop().time()))
        self.busy += 1
        self.most = max(self.most, self.busy)
        await asyncio.sleep(self._lasts)
        self.busy -= 1
        self._fails -= 1
        return self._fails < 0


def test_marked_work_is_done_at_once():
    async def main():
        work = Work()
        await WorkQueue(work).schedule("a")
        return work.done

    assert run(main()) == [("a", 0.0)]


def test_marked_work_with_a_delay_is_done_when_it_is_due():
    async def main():
        work = Work()
        await WorkQueue(work).schedule("a", 3.0)
        return work.done

    assert run(main()) == [("a", 3.0)]


def test_several_marks_before_the_work_are_done_together():
    async def main():
        work = Work()
        keeper = WorkQueue(work)
        tasks = {keeper.schedule("a", 3.0), keeper.schedule("a", 3.0), keeper.schedule("a", 5.0)}
        await asyncio.gather(*tasks)
        return len(tasks), work.done

    assert run(main()) == (1, [("a", 3.0)])


def test_an_earlier_mark_brings_the_work_forward():
    async def main():
        work = Work()
        keeper = WorkQueue(work)
        task = keeper.schedule("a", 3.0)
        await asyncio.sleep(1.0)
        keeper.schedule("a")
        await task
        return work.done

    assert run(main()) == [("a", 1.0)]


def test_repeated_marks_are_worked_on_no_more_often_than_their_delay():
    """As with the plays of a long turn, which the table follows every two seconds."""

    async def main():
        work = Work()
        keeper = WorkQueue(work)
        for _ in range(12):
            task = keeper.schedule("a", 2.0)
            await asyncio.sleep(0.75)
        await task
        return work.done

    assert run(main()) == [("a", 2.0), ("a", 4.25), ("a", 6.5), ("a", 8.75)]


def test_a_later_mark_does_not_postpone_the_work():
    async def main():
        work = Work()
        keeper = WorkQueue(work)
        task = keeper.schedule("a", 3.0)
        await asyncio.sleep(2.0)
        keeper.schedule("a", 3.0)
        await task
        return work.done

    assert run(main()) == [("a", 3.0)]


def test_a_mark_during_the_work_makes_it_due_again():
    async def main():
        work = Work(lasts=1.0)
        keeper = WorkQueue(work)
        task = keeper.schedule("a")
        await asyncio.sleep(0.5)
        again = keeper.schedule("a")
        await task
        return again is task, work.done, work.most

    assert run(main()) == (True, [("a", 0.0), ("a", 1.0)], 1)


def test_different_keys_do_not_wait_for_each_other():
    async def main():
        work = Work(lasts=1.0)
        keeper = WorkQueue(work)
        await asyncio.gather(keeper.schedule("a"), keeper.schedule("b"), keeper.schedule("c", 0.5))
        return work.done, work.most

    assert run(main()) == ([("a", 0.0), ("b", 0.0), ("c", 0.5)], 3)


def test_failed_work_is_tried_again_after_growing_pauses():
    async def main():
        work = Work(fails=6)
        await WorkQueue(work).schedule("a")
        return [when for _, when in work.done]

    moments = run(main())
    waits = [after - before for before, after in pairwise(moments)]
    assert waits == pytest.approx([*RETRY, RETRY[-1], RETRY[-1]])


def test_after_a_success_failed_work_is_tried_again_soon():
    async def main():
        failing = [False, True, False, True]
        done = []

        async def work(key):
            del key
            done.append(asyncio.get_running_loop().time())
            if len(done) == 2:
                keeper.schedule("a")
            return failing.pop(0)

        keeper = WorkQueue(work)
        await keeper.schedule("a")
        return done

    assert run(main()) == [0.0, RETRY[0], RETRY[0], RETRY[0] + RETRY[0]]


def test_a_mark_does_not_wait_for_the_next_attempt():
    async def main():
        work = Work(fails=1)
        keeper = WorkQueue(work)
        task = keeper.schedule("a")
        await asyncio.sleep(1.0)
        keeper.schedule("a")
        await task
        return work.done

    assert run(main()) == [("a", 0.0), ("a", 1.0)]


def test_nothing_is_kept_about_a_key_that_is_done():
    async def main():
        keeper = WorkQueue(Work(fails=1))
        await keeper.schedule("a")
        return keeper._due, keeper._wake, keeper._tasks

    assert run(main()) == ({}, {}, {})


def test_work_that_raises_unexpectedly_leaves_its_key_free():
    async def main():
        async def work(key):
            raise ZeroDivisionError(key)

        keeper = WorkQueue(work)
        with pytest.raises(ZeroDivisionError):
            await keeper.schedule("a")
        return keeper._due, keeper._wake, keeper._tasks

    assert run(main()) == ({}, {}, {})


@pytest.mark.parametrize("turns", range(8))
def test_closing_ends_at_once_whatever_is_going_on(turns):
    """Even if a wait is just being shortened, when a cancellation is easily lost."""

    async def main():
        work = Work(lasts=60.0)
        keeper = WorkQueue(work)
        keeper.schedule("waits", 50.0)
        keeper.schedule("works")
        await asyncio.sleep(1.0)
        keeper.schedule("waits", 40.0)
        for _ in range(turns):
            await asyncio.sleep(0)

        await keeper.close()
        return work.done, asyncio.get_running_loop().time(), len(asyncio.all_tasks())

    assert run(main()) == ([("works", 0.0)], 1.0, 1)


def test_closing_an_unused_queue_works():
    async def main():
        await WorkQueue(Work()).close()

    run(main())


def test_marks_after_closing_are_dropped():
    async def main():
        work = Work()
        keeper = WorkQueue(work)
        await keeper.close()
        await keeper.schedule("late")
        return work.done, keeper._due, keeper._tasks

    assert run(main()) == ([], {}, {})
