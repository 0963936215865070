"""Members that a moderator has timed out: they can read, and do nothing else in that server."""

from datetime import timedelta

import pytest

from sandbox import ImpossibleError
from sandbox.members import Role
from sandbox.permissions import Permission

READING = Permission.VIEW_CHANNEL | Permission.READ_MESSAGE_HISTORY
AN_HOUR = timedelta(hours=1)


@pytest.fixture
def world(refusing):
    return refusing.world


@pytest.fixture
def bo(refusing):
    return refusing.person("Bo")


def test_a_timed_out_member_can_only_view_and_read_until_it_is_over(refusing, world, bo):
    games = world.channel("games")
    before = world.permissions(bo.id, games)

    world.time_out(bo.user, AN_HOUR)

    assert world.permissions(bo.id, games) == READING
    refusing.clock.advance(AN_HOUR)
    assert world.permissions(bo.id, games) == before


def test_a_time_out_can_be_ended(world, bo):
    games = world.channel("games")
    before = world.permissions(bo.id, games)
    world.time_out(bo.user, AN_HOUR)

    world.time_out(bo.user, None)

    assert world.permissions(bo.id, games) == before


def test_the_owner_and_administrators_cannot_be_timed_out(world, bo):
    admins = Role(1, "Admins", int(Permission.ADMINISTRATOR))
    world.guild.roles[admins.id] = admins
    world.guild.members[bo.id].roles.append(admins.id)

    for user in (world.guild.owner, bo.user):
        with pytest.raises(ImpossibleError, match="cannot be timed out"):
            world.time_out(user, AN_HOUR)
    with pytest.raises(ImpossibleError, match="28 days"):
        world.time_out(world.user("Cleo"), timedelta(days=29))


def test_becoming_an_administrator_ends_a_time_out(world, bo):
    world.time_out(bo.user, AN_HOUR)
    admins = Role(1, "Admins", int(Permission.ADMINISTRATOR))
    world.guild.roles[admins.id] = admins

    world.guild.members[bo.id].roles.append(admins.id)

    assert world.can(bo.id, world.channel("games"), Permission.SEND_MESSAGES)


async def test_a_timed_out_person_cannot_write_click_or_use_commands(discord, bot):
    ann, bo = discord.person("Ann"), discord.person("Bo")
    shown = (await ann.slash("show", channel="games", acts="update")).message
    direct = (await bo.slash("say", channel=bo.dm, text="hello")).message
    discord.world.time_out(bo.user, AN_HOUR)

    with pytest.raises(ImpossibleError, match="may not write"):
        await bo.say("games", "x")
    with pytest.raises(ImpossibleError, match="may not use commands"):
        await bo.slash("say", channel="games", text="x")
    with pytest.raises(ImpossibleError, match="Bo is timed out"):
        await bo.click(shown, "Update")
    assert bo.sees(shown)
    assert bo.sees(direct)
    assert (await bo.slash("say", channel=bo.dm, text="x")).text == "x"


async def test_a_timed_out_bot_can_send_no_messages(refusing, rest, world):
    sent = await rest("POST", f"{rest.games}/messages", {"content": "x"})
    world.time_out(world.bot, AN_HOUR)

    refused = await rest("POST", f"{rest.games}/messages", {"content": "y"})
    edited = await rest("PATCH", f"{rest.games}/messages/{sent.body['id']}", {"content": "z"})

    assert (refused.status, refused.code) == (403, 50013)
    assert edited.status == 200
    refusing.clock.advance(AN_HOUR)
    assert (await rest("POST", f"{rest.games}/messages", {"content": "y"})).status == 200


async def test_a_timed_out_bot_can_still_answer_commands(discord, bot):
    """As observed at Discord: slash commands still work, and everybody sees the answers."""
    discord.world.time_out(discord.world.bot, AN_HOUR)

    answer = await discord.person("Ann").slash("say", channel="games", text="hello")

    assert discord.person("Bo").sees(answer.message)


async def test_the_bot_learns_that_it_is_timed_out_without_the_members_intent(
    connection, rest, world, bo
):
    world.time_out(bo.user, AN_HOUR)
    world.time_out(world.bot, AN_HOUR)
    told = await connection.hear()

    assert told["t"] == "GUILD_MEMBER_UPDATE"
    assert told["d"]["user"]["id"] == str(world.bot.id)
    until = world.guild.members[world.bot.id].timed_out_until
    assert told["d"]["communication_disabled_until"] == until.isoformat()
    member = await rest("GET", f"/guilds/{world.guild.id}/members/{bo.id}")
    assert member.body["communication_disabled_until"] is not None
