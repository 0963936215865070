"""Outages of a server: it is reported as unavailable, and nobody can reach it."""

import pytest

from sandbox import ImpossibleError


async def test_an_outage_sends_guild_delete_as_unavailable_and_then_guild_create(refusing, connect):
    connection, guild = await connect(), refusing.world.guild
    await connection.hear_until("GUILD_CREATE")

    refusing.world.take_down()
    refusing.world.add_channel("in the dark")
    gone = await connection.hear()
    refusing.world.bring_back()
    back = await connection.hear()

    assert (gone["t"], gone["d"]) == ("GUILD_DELETE", {"id": str(guild.id), "unavailable": True})
    assert (back["t"], back["d"]["unavailable"]) == ("GUILD_CREATE", False)
    assert back["d"]["channels"][-1]["name"] == "in the dark"


@pytest.mark.parametrize("event", ["GUILD_DELETE", "GUILD_CREATE"])
async def test_a_connection_during_an_outage_receives_an_unavailable_server(
    refusing, connect, event
):
    refusing.world.take_down(told_by=event)

    connection = await connect()
    ready, gone = await connection.hear(), await connection.hear()

    away = {"id": str(refusing.world.guild.id), "unavailable": True}
    assert ready["d"]["guilds"] == [away]
    assert (gone["t"], gone["d"]) == (event, away)


async def test_the_bot_can_be_removed_during_an_outage(refusing, connect):
    connection = await connect()
    refusing.world.take_down()
    await connection.hear_until("GUILD_DELETE")

    refusing.world.remove_bot()

    gone = await connection.hear_until("GUILD_DELETE")
    assert gone["d"] == {"id": str(refusing.world.guild.id)}


async def test_a_server_that_adds_the_bot_during_an_outage_is_sent_afterwards(refusing, connection):
    guild = refusing.world.guild
    refusing.world.remove_bot()
    await connection.hear_until("GUILD_DELETE")
    refusing.world.take_down()

    refusing.world.add_bot()
    joined = await connection.hear()
    refusing.world.bring_back()
    back = await connection.hear()

    away = {"id": str(guild.id), "unavailable": True}
    assert (joined["t"], joined["d"]) == ("GUILD_CREATE", away)
    assert (back["t"], back["d"]["unavailable"]) == ("GUILD_CREATE", False)
    assert back["d"]["name"] == guild.name


async def test_nobody_can_reach_a_server_during_an_outage(refusing, rest):
    refusing.world.take_down()

    replies = [
        await rest("POST", f"{rest.games}/messages", {"content": "x"}),
        await rest("GET", f"/guilds/{refusing.world.guild.id}"),
    ]

    assert [reply.status for reply in replies] == [503, 503]
    assert refusing.person("Ann").channels == []
    with pytest.raises(ImpossibleError, match="may not write"):
        await refusing.person("Ann").say("games", "x")


async def test_members_are_not_sent_during_an_outage(refusing, connect):
    connection, guild = await connect(), refusing.world.guild
    await connection.hear_until("GUILD_CREATE")
    refusing.world.take_down()
    await connection.hear()

    ask = {"guild_id": str(guild.id), "user_ids": [str(refusing.person("Bo").id)], "limit": 1}
    await connection.say(8, ask)
    await connection.say(1, None)

    assert (await connection.hear())["op"] == 11
