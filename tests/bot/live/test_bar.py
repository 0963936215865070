"""How long a slot is left alone after Discord has refused an edit of it."""

import asyncio

import pytest

from bot.live.bar import Bar
from bot.messaging.failures import Failure

DAY = 86_400


async def held(bar, failure):
    """Seconds for which nothing is tried after this failure, at most a day."""
    bar.refused(failure)
    seconds = 0
    while bar.holds and seconds < DAY:
        await asyncio.sleep(10)
        seconds += 10
    return seconds


def test_a_forbidden_edit_is_tried_again_after_growing_pauses(leap):
    async def tried():
        bar = Bar()
        return [await held(bar, Failure.FORBIDDEN) for _ in range(4)]

    assert leap(tried()) == [60, 300, 1800, 1800]


def test_a_success_resets_the_pauses(leap):
    async def tried():
        bar = Bar()
        pauses = [await held(bar, Failure.FORBIDDEN) for _ in range(2)]
        bar.arrived()
        return [*pauses, await held(bar, Failure.FORBIDDEN)]

    assert leap(tried()) == [60, 300, 60]


def test_lifting_the_bar_does_not_reset_the_pauses(leap):
    """A person who asks for a redraw again and again must not make the bot try so often."""

    async def tried():
        bar = Bar()
        bar.refused(Failure.FORBIDDEN)
        bar.lift()
        return bar.holds, await held(bar, Failure.FORBIDDEN)

    assert leap(tried()) == (False, 300)


def test_a_bar_is_hopeless_only_after_the_last_pause(leap):
    async def tried():
        bar, hopeless = Bar(), []
        for _ in range(4):
            bar.refused(Failure.FORBIDDEN)
            hopeless.append(bar.is_hopeless)
        bar.arrived()
        return [*hopeless, bar.is_hopeless]

    assert leap(tried()) == [False, False, False, True, False]


@pytest.mark.parametrize("failure", [Failure.NOWHERE, Failure.CLOSED, Failure.REFUSED])
def test_a_message_that_is_gone_or_closed_is_not_tried_again_by_the_timer(leap, failure):
    async def tried():
        return await held(Bar(), failure)

    assert leap(tried()) == DAY


def test_temporary_trouble_causes_no_pause(leap):
    async def tried():
        return await held(Bar(), Failure.TROUBLE)

    assert leap(tried()) == 0


@pytest.mark.parametrize("happens", [Bar.unblock, Bar.lift, Bar.arrived])
def test_blocked_content_is_tried_again_when_it_may_have_changed_or_somebody_wants_it(happens):
    bar = Bar()
    bar.block("over.3")
    assert bar.blocks("over.3")

    happens(bar)

    assert not bar.blocks("over.3")
