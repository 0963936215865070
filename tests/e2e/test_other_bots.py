"""A bot doesn't start on a server's database that another bot uses: they'd share the shards."""

import pytest

from tests.support.processes import Process

pytestmark = [pytest.mark.postgresql, pytest.mark.slow]

OTHER = 987_654_321
"""The id of another application than the sandbox's."""


@pytest.fixture
async def process(discord, server_database, tmp_path):
    server_database.empty()
    address = server_database.address.get_secret_value()
    process = Process(discord, address, tmp_path / "bot.log")
    yield process
    await process.clear_away()


def synced(server_database, *applications):
    """Make these the only applications that have used the database."""
    server_database.ask("DELETE FROM synced_commands")
    for application in applications:
        server_database.ask(f"INSERT INTO synced_commands VALUES ({application}, '')")  # noqa: S608


async def test_the_database_of_another_bot_is_a_wrong_setting(process, server_database):
    synced(server_database, OTHER)

    await process.launch()

    assert await process.until_ended() == 2
    assert process.output.splitlines()[-1] == (
        "DATABASE is not valid: postgresql:///facedown belongs to another bot (application "
        "987654321). Give each bot a database of its own. If this one replaces it, run "
        "DELETE FROM synced_commands there, and start it again."
    )
    assert server_database.ask("SELECT application FROM synced_commands") == [(OTHER,)]
    assert server_database.ask("SELECT number FROM shards") == []

    synced(server_database)
    await process.start()


async def test_a_bot_starts_where_it_has_been_before(process, discord, server_database):
    """Its owner may have changed the application while the database was a file."""
    synced(server_database, OTHER, discord.world.bot.id)

    await process.start()
