"""Answers to choices made by taps on the table."""

import asyncio
from datetime import UTC, datetime
from types import SimpleNamespace

from bot.live.replies import Replies
from tests.support.matches import ANN, A, dealt
from tests.support.notice_world import low


def tap(number):
    return SimpleNamespace(
        id=number, token=number, created_at=datetime.now(UTC), extras={}, message=None
    )


async def test_two_quick_taps_leave_one_receipt(live, channels, matches, match):
    turns = [
        await matches.submit(match, 0, ANN, move) for move in (low(A), str(dealt().hands[A][1]))
    ]
    replies = Replies(live, None, None, channels, None)
    await live.slots.hand(match, A)

    await asyncio.gather(*(replies.tapped(turn, ANN, tap(i)) for i, turn in enumerate(turns, 1)))

    assert channels.answers == [(1, "receipt"), (2, "receipt"), (1, "deleted")]


async def test_the_same_tap_twice_leaves_one_receipt(live, channels, matches, match):
    turns = [await matches.submit(match, 0, ANN, low(A)) for _ in range(2)]
    replies = Replies(live, None, None, channels, None)
    await live.slots.hand(match, A)

    await asyncio.gather(*(replies.tapped(turn, ANN, tap(i)) for i, turn in enumerate(turns, 1)))

    assert channels.answers == [(1, "receipt"), (2, "receipt"), (1, "deleted")]
