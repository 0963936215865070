"""Pictures are drawn once, by a real worker, and kept while there is room."""

import asyncio

import pytest

from bot.messaging.content import Picture
from bot.messaging.picture_cache import PictureCache
from bot.messaging.process_pool import ProcessPool
from tests.support import pool_jobs
from tests.support.leaping import LeapingLoop


@pytest.fixture(scope="module")
def one_worker():
    """One process for all these tests, as starting one takes half a second."""
    workers = ProcessPool(1)
    workers._pool = workers._start()
    yield workers
    workers._pool.shutdown()


@pytest.fixture
def trace(tmp_path):
    return tmp_path / "drawn"


def picture(trace, text, size=1, draw=pool_jobs.note):
    return Picture(name="test", draw=draw, subject=(str(trace), text, size), alt=text)


def drawn(trace):
    return trace.read_text().split()


async def test_a_picture_is_drawn_and_then_kept(one_worker, trace):
    pictures = PictureCache(one_worker)

    assert await pictures.png(picture(trace, "a", 3)) == b"aaa"
    assert await pictures.png(picture(trace, "a", 3)) == b"aaa"

    assert drawn(trace) == ["a"]


async def test_a_picture_that_many_ask_for_at_once_is_drawn_once(one_worker, trace):
    pictures = PictureCache(one_worker)

    pngs = await asyncio.gather(*(pictures.png(picture(trace, text)) for text in "abaabb"))

    assert pngs == [b"a", b"b", b"a", b"a", b"b", b"b"]
    assert sorted(drawn(trace)) == ["a", "b"]


async def test_the_picture_that_was_unused_for_longest_makes_room(one_worker, trace):
    pictures = PictureCache(one_worker, kept_bytes=25)
    for text in ("a", "b", "a", "c"):  # 10 bytes each: the third pushes out b, not a
        await pictures.png(picture(trace, text, 10))

    for text in ("a", "c", "b"):
        await pictures.png(picture(trace, text, 10))

    assert drawn(trace) == ["a", "b", "c", "b"]
    assert list(pictures._drawn.values()) == [b"c" * 10, b"b" * 10]
    assert pictures._drawn.currsize == 20


async def test_a_picture_larger_than_the_cache_is_drawn_and_not_kept(one_worker, trace):
    pictures = PictureCache(one_worker, kept_bytes=5)

    assert await pictures.png(picture(trace, "a", 9)) == b"a" * 9

    assert (pictures._drawn.currsize, dict(pictures._drawn)) == (0, {})


async def test_an_error_is_raised_for_everybody_who_waits_and_is_not_kept(one_worker, trace):
    pictures = PictureCache(one_worker)
    broken = picture(trace, "a", draw=pool_jobs.note_and_fail)

    results = await asyncio.gather(
        *(pictures.png(broken) for _ in range(3)), return_exceptions=True
    )
    assert [str(result) for result in results] == ["this cannot be drawn"] * 3
    assert drawn(trace) == ["a"]

    with pytest.raises(ValueError, match="cannot be drawn"):
        await pictures.png(broken)
    assert drawn(trace) == ["a", "a"]
    assert pictures._drawing == {}


async def test_cancelling_one_who_waits_takes_the_picture_from_nobody_else(one_worker, trace):
    pictures = PictureCache(one_worker)
    patient = asyncio.create_task(pictures.png(picture(trace, "a")))
    hasty = asyncio.create_task(pictures.png(picture(trace, "a")))
    await asyncio.sleep(0)

    hasty.cancel()

    assert await patient == b"a"
    assert hasty.cancelled()
    assert drawn(trace) == ["a"]


async def test_drawing_is_cancelled_when_the_bot_closes():
    begun = asyncio.Event()

    class Slow:
        async def run(self, work, *args):
            begun.set()
            await asyncio.Event().wait()

    pictures = PictureCache(Slow())
    asked = asyncio.create_task(pictures.png(Picture("test", pool_jobs.note, ("", "a", 1), "a")))
    await begun.wait()

    await pictures.close()

    with pytest.raises(asyncio.CancelledError):
        await asked
    assert pictures._drawing == {}


class Painter:
    """A process that draws one picture after the other, one second each."""

    def __init__(self):
        self.free = asyncio.Lock()

    async def run(self, work, subject):
        del work, subject
        async with self.free:
            await asyncio.sleep(1.0)
        return b"png"


def test_nobody_waits_for_a_picture_behind_a_long_queue(trace):
    async def main():
        clock, pictures = asyncio.get_running_loop().time, PictureCache(Painter())
        for number in range(30):
            await pictures.png(picture(trace, f"before {number}"))
        for number in range(5):
            pictures.begin(picture(trace, f"ahead {number}"))
        began = clock()
        late = await pictures.within(picture(trace, "late"), 3.0), clock() - began
        await asyncio.sleep(10.0)
        kept = pictures.has(picture(trace, "late"))
        began = clock()
        prompt = await pictures.within(picture(trace, "prompt"), 3.0), clock() - began
        return late, kept, prompt

    with asyncio.Runner(loop_factory=LeapingLoop) as runner:
        late, kept, prompt = runner.run(main())

    assert late == (False, 0.0)
    assert kept  # it was drawn later anyway
    assert prompt == (True, 1.0)
