"""Notices that a match is paused because its channel is lost, for players without a hand."""

from bot.storage import MessageRef
from tests.support.clock import HOUR
from tests.support.match_records import put_message
from tests.support.matches import ANN, BEA, CHANNEL, GUILD, A


async def test_a_player_with_a_hand_in_direct_messages_gets_no_notice(world, pauses):
    match = await world.begun()
    await put_message(world.storage, match, A, MessageRef(channel=3, message=900, shown=""))

    await pauses.pause(match, CHANNEL)
    await world.look()

    assert world.told() == [(BEA, "dm")]


async def test_each_loss_is_announced_once_and_its_notices_are_deleted_with_the_pause(
    world, pauses
):
    match = await world.begun()
    told, gone = [], []
    for channel in (CHANNEL, CHANNEL + 1):
        await pauses.pause(match, channel)
        await world.later()
        await world.later(2 * HOUR)
        told.append(world.told())
        world.post.deleted.clear()
        await pauses.resume(match, GUILD, channel + 1, ANN)
        await world.look()
        gone.append(world.post.deleted[:2])
        await world.later()
        world.forget()

    assert told == [[(ANN, "dm"), (BEA, "dm")]] * 2
    assert gone == [[1000, 1001]] * 2


async def test_a_loss_that_is_over_before_its_notices_are_due_is_not_announced(world, pauses):
    match = await world.begun()
    await pauses.pause(match, CHANNEL)

    await pauses.resume(match, GUILD, CHANNEL + 1, ANN)
    await world.later()

    assert world.told() == []
    assert [waiting for waiting in world.waiting() if waiting[1] == "lost"] == []


async def test_a_loss_that_is_over_is_not_announced_during_an_agreed_pause(
    world, pauses, agreements
):
    match = await world.begun()
    await pauses.pause(match, CHANNEL)
    await pauses.resume(match, GUILD, CHANNEL + 1, ANN)
    await agreements.offer(match, ANN, "pause")
    await agreements.accept(match, BEA, "pause")

    await world.later()

    assert world.told() == []


async def test_a_server_that_removed_the_bot_causes_no_direct_messages(world, pauses):
    """Discord refuses such messages, as it does if somebody has closed their direct messages."""
    await world.begun()

    await pauses.pause_server(GUILD)
    await world.later()

    assert world.told() == []
    assert [waiting for waiting in world.waiting() if waiting[1] == "lost"] == []
