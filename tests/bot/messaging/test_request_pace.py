"""The pace of counted requests, on a clock that jumps to the next event."""

import asyncio

import pytest

from bot.messaging.request_pace import RequestPace


async def gone_out(pace, sinces):
    """When each of these, all of which wait at once, was let through."""
    clock, out = asyncio.get_running_loop().time, {}

    async def go(number, since):
        await pace.turn(since)
        out[number] = clock()

    await asyncio.gather(*(go(number, since) for number, since in enumerate(sinces)))
    return out


@pytest.mark.parametrize("quiet", [0.0, 60.0], ids=["at once", "after a quiet minute"])
def test_fewer_than_40_requests_are_made_in_any_second(leap, quiet):
    async def main():
        pace = RequestPace()
        await pace.turn()
        await asyncio.sleep(quiet)
        return sorted((await gone_out(pace, [None] * 200)).values())

    out = leap(main())

    assert max(sum(t <= other < t + 1.0 for other in out) for t in out) < 40
    assert out[-1] - out[0] < 200 / 37


def test_the_request_that_has_waited_longest_goes_first(leap):
    out = leap(gone_out(RequestPace(), [3.0, 1.0, 2.0, 4.0]))

    assert sorted(out, key=out.get) == [0, 1, 2, 3]  # the first found nobody waiting


def test_each_of_several_processes_takes_its_share(leap):
    async def main():
        return await gone_out(RequestPace(processes=lambda: 3), [None] * 40)

    assert max(leap(main()).values()) == pytest.approx(39 * 3 / 38)


def test_a_cancelled_request_takes_no_turn(leap):
    async def main():
        pace = RequestPace()
        await pace.turn()
        waiting = [asyncio.create_task(pace.turn()) for _ in range(100)]
        await asyncio.sleep(0)
        for task in waiting:
            task.cancel()
        began = asyncio.get_running_loop().time()
        await pace.turn()
        return asyncio.get_running_loop().time() - began

    assert leap(main()) < 0.1
