"""The bot with its database on a PostgreSQL server: played, restarted, and disconnected from it."""

import asyncio

import pytest

from bot.interactions.error_handler import UNSAVED
from tests.support.tables import Table


@pytest.fixture
async def table(discord, server_database):
    server_database.empty()
    discord.clock.freeze()
    table = Table(discord, server_database.address)
    try:
        await table.start()
        yield table
    finally:
        await table.stop()


async def test_a_match_survives_restarts_of_the_bot_and_of_the_server(
    table, cluster, server_database
):
    """What was acknowledged counts, and what couldn't be saved was reported as not saved."""
    await table.match()
    await table.quiet_now()  # a hand that is being edited can't be the answer to a click
    saved = await table.play("Ann")
    await table.restart()

    await asyncio.to_thread(cluster.stop)
    refused = await table.play("Bo")
    await asyncio.to_thread(cluster.start)
    await table.trick("Bo")

    assert saved.kind == 7  # the hand itself is the answer
    assert refused.text == UNSAVED
    assert server_database.ask("SELECT step FROM matches") == [(1,)]
    assert server_database.ask("SELECT step, seat FROM moves ORDER BY seat") == [(0, 0), (0, 1)]
    assert table.letters("Ann")
