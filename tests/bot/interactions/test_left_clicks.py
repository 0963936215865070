"""Clicks that processes have left for each other before they ended."""

import time

import pytest

from bot.cluster.leases import Leases
from bot.interactions import handover as module
from bot.interactions.handover import Handover
from bot.storage.cluster import HandedInteraction
from tests.support.storages import storage_of


async def nobody(*about):
    """Refuse nothing."""
    del about


@pytest.mark.postgresql
async def test_clicks_that_were_left_too_long_ago_are_not_taken(server_database):
    """Their authors may have been told by now that it didn't work."""
    server_database.empty()
    async with storage_of(server_database) as storage, storage.coordinating() as writing:
        clicks = [HandedInteraction(number, "this", {"id": str(number)}) for number in (1, 2)]
        await writing.cluster.hand_over(clicks[:1])
        await writing.cluster.hand_over(clicks[1:])
        await writing._connection.exec_driver_sql("UPDATE handed SET at = at - 60 WHERE id = 1")
        taken = await writing.cluster.take("this", 30.0)
        back = await writing.cluster.take_back([1, 2])

    assert taken == [{"id": "2"}]
    assert back == {1}


@pytest.mark.postgresql
async def test_clicks_left_by_processes_that_have_ended_are_deleted_by_one_that_is_alone(
    server_database, monkeypatch
):
    """PRIVACY.md promises to keep them for a minute at most, as they have the original payload."""
    server_database.empty()
    count = "SELECT count(*) FROM handed"

    async def left(storage):
        async with storage.coordinating() as writing:
            await writing.cluster.hand_over([HandedInteraction(1, "ended", {"id": "1"})])
        server_database.ask("UPDATE handed SET at = at - ?::float", (module.FORGOTTEN_SECONDS,))

    async with storage_of(server_database) as storage:
        leases = Leases(storage, server_database.address)
        handover = Handover(storage, leases, lambda _: None, refuse=nobody, now=time.time)
        await left(storage)
        await handover.forget()
        assert server_database.ask(count) == [(0,)]

        await left(storage)
        await handover.forget()
        assert server_database.ask(count) == [(1,)]  # it looked just a moment ago

        handover._forgotten_at -= module.FORGOTTEN_SECONDS
        await handover.forget()
        assert server_database.ask(count) == [(0,)]
