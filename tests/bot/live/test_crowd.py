"""Clicks and tables go before hands where very much happens at once."""

import asyncio

import pytest

from bot.live.crowd import CROWDED, LOOK_SECONDS, PATIENCE_SECONDS, Crowd
from tests.support.leaping import LeapingLoop


def crowd_of(tables, clicks=0):
    crowd = Crowd(lambda: clicks)
    for match in range(tables):
        crowd.changed(match)
    return crowd


def leaping(main):
    with asyncio.Runner(loop_factory=LeapingLoop) as runner:
        return runner.run(main())


async def waited(crowd, table=None):
    """For how long a hand waits now, or the picture of a table."""
    clock = asyncio.get_running_loop().time
    began = clock()
    await crowd.others_first(table)
    return clock() - began


@pytest.mark.parametrize(
    ("tables", "clicks", "seconds"),
    [
        (0, 0, 0.0),
        (CROWDED, 0, 0.0),
        (CROWDED + 1, 0, PATIENCE_SECONDS),
        (0, CROWDED, 0.0),
        (0, CROWDED + 1, PATIENCE_SECONDS),
        (CROWDED, 1, PATIENCE_SECONDS),
    ],
)
def test_hands_wait_in_a_crowd_only_and_not_for_ever(tables, clicks, seconds):
    async def main():
        return await waited(crowd_of(tables, clicks))

    assert leaping(main) == pytest.approx(seconds)


def test_hands_follow_soon_after_the_tables_have_said_it():
    async def main():
        crowd = crowd_of(CROWDED + 2)
        hand = asyncio.create_task(waited(crowd))
        await asyncio.sleep(0.5)
        crowd.said(0)
        await asyncio.sleep(0.5)
        still = not hand.done()
        crowd.said(1)
        return still, await hand

    still, seconds = leaping(main)

    assert still
    assert 1.0 <= seconds <= 1.0 + LOOK_SECONDS


def test_a_table_that_may_not_be_edited_holds_up_nobody_for_longer():
    async def main():
        crowd = crowd_of(CROWDED + 1)
        await asyncio.sleep(PATIENCE_SECONDS)
        crowd.changed(100)
        return await waited(crowd)

    assert leaping(main) == 0.0


def test_a_table_that_is_to_say_something_else_does_not_wait_with_its_picture():
    async def main():
        crowd = crowd_of(CROWDED + 1)
        picture = asyncio.create_task(waited(crowd, 100))
        hand = asyncio.create_task(waited(crowd))
        await asyncio.sleep(0.25)
        crowd.changed(100)
        return await picture, await waited(crowd, 100), hand.done()

    assert leaping(main) == (0.25, 0.0, False)
