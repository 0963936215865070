"""A host that is lost while connections to it are open: given up, and the next one is found."""

import pytest
from pydantic import SecretStr

from bot.errors import StorageUnavailableError
from bot.storage import postgres
from bot.storage.health import why_unusable
from tests.support.cluster import ServerDatabase
from tests.support.server_proxy import ServerProxy
from tests.support.storages import storage_of

pytestmark = pytest.mark.slow


async def put(storage):
    async with storage.transaction() as writing:
        await writing.commands.put_synced(1, "x")


async def test_a_host_that_falls_silent_does_not_keep_the_bot_from_the_next_one(
    cluster, server_database, tmp_path, monkeypatch
):
    """New connections go to the first host too, and wait in the middle of a transaction."""
    for limit in ("STATEMENT_SECONDS", "CONNECT_SECONDS"):
        monkeypatch.setattr(postgres, limit, 1.0)
    server_database.empty()
    hosts = SecretStr(f"postgresql:///facedown?host={tmp_path},{cluster.folder}&user=owner")
    database = ServerDatabase(hosts, server_database.client)
    async with (
        ServerProxy(cluster.folder, tmp_path).open() as first,
        storage_of(database) as storage,
    ):
        await put(storage)
        first.fall_silent()
        with pytest.raises(StorageUnavailableError):
            await put(storage)

        assert await why_unusable(storage, 60.0) is None
