"""How a notice is sent while Discord has trouble."""

import pytest

from bot.messaging.failures import Failure
from tests.support.clock import DAY, MINUTE
from tests.support.matches import ANN, BEA, opened

SOON = 20
"""Seconds until the next attempt."""


@pytest.fixture
async def expired(world):
    """A challenge by Ann that expired; her notice hasn't been sent yet."""
    match = await opened(world.matches)
    await world.table(match)
    await world.settings.choose(BEA, "challenged", "none")
    world.watch.advance(3 * DAY)
    await world.timeouts.act(match)
    world.watch.advance(2 * MINUTE)


async def test_one_error_does_not_turn_a_direct_message_into_a_public_mention(world, expired):
    world.post.inbox_failures[ANN] = Failure.TROUBLE
    await world.look()
    assert world.told() == [], "it may have arrived"

    world.post.inbox_failures.clear()
    await world.later(SOON)

    assert world.told() == [(ANN, "dm")]


async def test_a_player_who_cannot_be_reached_for_a_while_is_mentioned_in_the_channel(
    world, expired
):
    """By then Discord no longer knows the nonce, so a direct message could arrive twice."""
    world.post.inbox_failures[ANN] = Failure.TROUBLE
    await world.look()
    await world.later(SOON)
    assert world.told() == []

    await world.later(SOON)

    assert world.told() == [(ANN, "channel")]


@pytest.mark.parametrize("failure", [Failure.HURRIED, Failure.DISABLED, Failure.STOPPED])
async def test_a_mention_is_sent_at_once_if_no_direct_message_can_have_arrived(
    world, expired, failure
):
    world.post.inbox_failures[ANN] = failure

    await world.look()

    assert world.told() == [(ANN, "channel")]
