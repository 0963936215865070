"""Which edit is next, on a clock that jumps to the next event."""

import asyncio

import pytest

from bot.live.edit_turns import OVERDUE_SECONDS, WINDOW_SECONDS, EditTurns
from bot.messaging.request_pace import RequestPace


async def granted(turns, channels, *, takes=0.0):
    """When each of these edits, which take this many seconds, had its turn."""
    clock, when = asyncio.get_running_loop().time, []

    async def edit(channel):
        turn = turns.join(channel, clock())
        assert await turn.granted
        when.append(clock())
        await asyncio.sleep(takes)
        turns.leave(turn)

    await asyncio.gather(*(edit(channel) for channel in channels))
    return when


def test_edits_of_many_channels_keep_the_pace_of_all_requests(leap):
    async def main():
        return await granted(EditTurns(RequestPace()), range(200))

    when = leap(main())

    assert max(sum(t <= other < t + 1.0 for other in when) for t in when) < 40


def test_edits_of_one_channel_are_made_one_after_the_other(leap):
    async def main():
        return await granted(EditTurns(RequestPace()), [7] * 4, takes=1.0)

    assert leap(main()) == [0.0, 1.0, 2.0, 3.0]


def test_an_edit_is_overdue_some_time_after_its_turn_has_come(leap):
    async def main():
        turns, loop = EditTurns(RequestPace(per_second=1 / 3)), asyncio.get_running_loop()
        turns.join(1, 0.0)  # takes the first place in the pace of all requests
        hanging, second = turns.join(2, 0.0), turns.join(2, 0.0)
        await hanging.granted
        began = loop.time()
        await second.granted
        return began, loop.time()

    assert leap(main()) == pytest.approx((3.0, 3.0 + OVERDUE_SECONDS))


def test_leaving_while_waiting_for_the_pace_holds_up_nobody(leap):
    async def main():
        turns = EditTurns(RequestPace())
        turns.join(1, 0.0)
        first, second = turns.join(2, 0.0), turns.join(2, 0.0)
        first.granted.set_result(False)  # another way to edit has become available
        turns.leave(first)
        assert await second.granted
        return asyncio.get_running_loop().time()

    assert leap(main()) == pytest.approx(1 / 38)


def test_being_cancelled_while_waiting_for_the_pace_is_no_error_and_holds_up_nobody(leap):
    async def main():
        loop, errors = asyncio.get_running_loop(), []
        loop.set_exception_handler(lambda _loop, context: errors.append(context))
        turns = EditTurns(RequestPace())
        turns.join(1, 0.0)
        first, second = turns.join(2, 0.0), turns.join(2, 0.0)
        first.granted.cancel()  # as when the task that waits for it is cancelled
        await asyncio.sleep(0)
        turns.leave(first)
        assert await second.granted
        return errors

    assert leap(main()) == []


def test_leaving_uses_up_nothing_of_the_channels_limit(leap):
    async def main():
        turns = EditTurns(RequestPace())
        for _ in range(5):
            turns.join(1, 0.0)  # so that the next waits for the pace of all requests
            turn = turns.join(2, 0.0)
            assert not turn.granted.done()
            turn.granted.set_result(False)
            await asyncio.sleep(0)
            turns.leave(turn)
        began = asyncio.get_running_loop().time()
        assert await turns.join(2, 0.0).granted
        return asyncio.get_running_loop().time() - began

    assert leap(main()) < 1.0


async def let_through(turns, waiting, *, can_be_reposted, takes=0.01):
    """Seconds that each of the tables of one channel waited, and whether it is a repost."""
    clock, seen = asyncio.get_running_loop().time, []

    async def show():
        began = clock()
        turn = turns.join(7, began, can_be_reposted=can_be_reposted)
        await turn.granted
        seen.append((clock() - began, turn.is_repost))
        await asyncio.sleep(takes)
        turns.leave(turn)

    await asyncio.gather(*(show() for _ in range(waiting)))
    return seen


def test_a_channel_gets_as_many_edits_as_discord_allows(leap):
    async def main():
        return await let_through(EditTurns(RequestPace()), 12, can_be_reposted=False)

    waited = [when for when, _ in leap(main())]

    assert [sum(t <= when < t + 5.0 for when in waited) for t in (0.0, 5.0, 10.0)] == [5, 5, 2]


def test_tables_that_are_late_in_a_crowded_channel_are_posted_again(leap):
    async def main():
        return await let_through(EditTurns(RequestPace()), 20, can_be_reposted=True)

    seen = leap(main())

    assert sum(is_repost for _, is_repost in seen) == 5
    assert min(when for when, is_repost in seen if is_repost) == pytest.approx(6.0)


def test_nothing_is_posted_again_if_only_few_wait_for_slow_edits(leap):
    async def main():
        turns = EditTurns(RequestPace())
        return await let_through(turns, 5, can_be_reposted=True, takes=60.0)

    seen = leap(main())

    assert max(when for when, _ in seen) == pytest.approx(4 * OVERDUE_SECONDS)
    assert not any(is_repost for _, is_repost in seen)


def test_a_channel_is_forgotten_once_its_edits_no_longer_count(leap):
    async def main():
        turns = EditTurns(RequestPace())
        await granted(turns, [*range(3), *[7] * 6])
        during = set(turns._lines)
        await asyncio.sleep(WINDOW_SECONDS)
        return during, set(turns._lines)

    during, after = leap(main())

    assert 7 in during
    assert after == set()
