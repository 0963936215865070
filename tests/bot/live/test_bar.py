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


def test_what_is_forbidden_is_tried_again_after_longer_and_longer_pauses(leap):
    async def tried():
        bar = Bar()
        return [await held(bar, Failure.FORBIDDEN) for _ in range(4)]

    assert leap(tried()) == [60, 300, 1800, 1800]


def test_what_has_arrived_begins_the_pauses_anew(leap):
    async def tried():
        bar = Bar()
        pauses = [await held(bar, Failure.FORBIDDEN) for _ in range(2)]
        bar.arrived()
        return [*pauses, await held(bar, Failure.FORBIDDEN)]

    assert leap(tried()) == [60, 300, 60]


def test_what_is_lifted_goes_on_with_the_pauses(leap):
    """A person who asks for a redraw again and again must not make the bot try so often."""

    async def tried():
        bar = Bar()
        bar.refused(Failure.FORBIDDEN)
        bar.lift()
        return bar.holds, await held(bar, Failure.FORBIDDEN)

    assert leap(tried()) == (False, 300)


def test_it_is_hopeless_only_after_the_last_pause_too(leap):
    async def tried():
        bar, hopeless = Bar(), []
        for _ in range(4):
            bar.refused(Failure.FORBIDDEN)
            hopeless.append(bar.is_hopeless)
        bar.arrived()
        return [*hopeless, bar.is_hopeless]

    assert leap(tried()) == [False, False, False, True, False]


@pytest.mark.parametrize("failure", [Failure.NOWHERE, Failure.CLOSED, Failure.REFUSED])
def test_what_is_gone_or_closed_is_not_tried_again_by_time(leap, failure):
    async def tried():
        return await held(Bar(), failure)

    assert leap(tried()) == DAY


def test_what_passes_holds_up_nothing(leap):
    async def tried():
        return await held(Bar(), Failure.TROUBLE)

    assert leap(tried()) == 0


@pytest.mark.parametrize("happens", [Bar.unblock, Bar.lift, Bar.arrived])
def test_what_was_blocked_is_tried_again_when_it_may_have_changed_or_somebody_wants_it(happens):
    bar = Bar()
    bar.block("over.3")
    assert bar.blocks("over.3")

    happens(bar)

    assert not bar.blocks("over.3")
