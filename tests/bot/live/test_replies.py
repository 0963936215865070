"""Answers to choices made by taps on the table, and with the message of a solo match."""

import asyncio
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from bot.live.replies import Replies
from tests.support.matches import ANN, A, challenge, dealt
from tests.support.notice_world import low


def tap(number):
    return SimpleNamespace(
        id=number, token=number, created_at=datetime.now(UTC), extras={}, message=None
    )


async def test_two_quick_taps_leave_one_receipt(live, channels, matches, match):
    turns = [
        await matches.submit(match, 0, ANN, move) for move in (low(A), str(dealt().hands[A][1]))
    ]
    replies = Replies(live, None, channels, None)
    await live.slots.hand(match, A)

    await asyncio.gather(
        *(replies.answer_tap(turn, ANN, tap(i)) for i, turn in enumerate(turns, 1))
    )

    assert channels.answers == [(1, "receipt"), (2, "receipt"), (1, "deleted")]


async def test_the_same_tap_twice_leaves_one_receipt(live, channels, matches, match):
    turns = [await matches.submit(match, 0, ANN, low(A)) for _ in range(2)]
    replies = Replies(live, None, channels, None)
    await live.slots.hand(match, A)

    await asyncio.gather(
        *(replies.answer_tap(turn, ANN, tap(i)) for i, turn in enumerate(turns, 1))
    )

    assert channels.answers == [(1, "receipt"), (2, "receipt"), (1, "deleted")]


def outdating(hand, send):
    """Sends something, during which the hand becomes outdated."""

    async def outdate(*args, **kwargs):
        hand.outdate()
        return await send(*args, **kwargs)

    return outdate


@pytest.mark.parametrize("as_guest", [False, True], ids=["inbox", "guest"])
async def test_a_solo_message_that_became_outdated_while_it_was_sent_is_behind(
    live, channels, matches, monkeypatch, as_guest
):
    solo = {"guild": None, "channel": None, "time_control": "none", "rated": False}
    computer = {"opponents": (), "wanted": 2, "computers": ("easy",)}
    snapshot = (await matches.open(challenge(**solo, **computer))).snapshot_of(ANN)
    hand = await live.slots.hand(snapshot.match, A)
    for name in ("answer", "answer_privately"):
        monkeypatch.setattr(channels, name, outdating(hand, getattr(channels, name)))
    place = SimpleNamespace(private_channel=as_guest)
    command = SimpleNamespace(**vars(tap(1)), guild_id=None, channel_id=5, context=place)

    await Replies(live, None, channels, None).show_here(snapshot, command)

    assert hand.is_behind(snapshot)
