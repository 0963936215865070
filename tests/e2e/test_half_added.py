"""A server that has the bot's commands but not the bot: it can answer there, and nothing else."""

import pytest

from bot.messaging.permissions import invite
from tests.support.waiting import until

HALF = "I'm only half added to this server: my commands are here, but I'm not"


@pytest.fixture
async def novels(table):
    """A channel of a server that was added with the scope `applications.commands` only."""
    world, bot = table.discord.world, table.bot
    server = world.add_guild("Book Club", channels=("novels",))
    await until(lambda: bot.get_guild(server.id) is not None)
    world.remove_bot(server, keep_commands=True)
    await until(lambda: bot.get_guild(server.id) is None)
    return world.channel("novels", server)


async def test_no_challenge_is_posted_there_and_the_answer_says_how_to_add_the_bot(table, novels):
    refused = await table.ask("Ann", "Bo", channel=novels)

    assert refused.ephemeral
    assert refused.text.startswith(HALF)
    assert invite(table.discord.world.bot.id) in refused.text
    assert table.sql("SELECT count(*) FROM matches") == [(0,)]


async def test_no_match_against_a_computer_begins_there_either(table, novels):
    ann = table.person("Ann")

    refused = await ann.slash("pico play", channel=novels, computer="easy")

    assert refused.text.startswith(HALF)
    assert table.sql("SELECT count(*) FROM matches") == [(0,)]


async def test_challenges_are_posted_once_the_bot_is_added_too(table):
    world, bot = table.discord.world, table.bot
    world.remove_bot(keep_commands=True)
    await until(lambda: bot.get_guild(world.guild.id) is None)
    refused = await table.ask("Ann", "Bo")

    world.add_bot()
    await until(lambda: bot.get_guild(world.guild.id) is not None)
    asked = await table.ask("Ann", "Bo")

    assert refused.text.startswith(HALF)
    assert f"challenges {table.person('Bo').mention}" in asked.text
