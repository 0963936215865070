"""The clock that several processes share: the database's, however wrong a machine's clock is."""

import time

import pytest
from pydantic import SecretStr

from bot import cli
from bot.cluster.leases import Leases
from bot.cluster.server_clock import ServerClock
from bot.config import Settings
from tests.bot.cluster.test_leases import Worker
from tests.support.storages import storage_of

WRONG = 600.0
NOON = 1_000_000.0


@pytest.mark.parametrize("wrong", [WRONG, -WRONG])
def test_a_wrong_clock_is_corrected_once(wrong):
    clock = ServerClock(lambda: NOON + wrong)

    assert clock.compare(NOON, NOON + wrong - 0.2, NOON + wrong + 0.2)
    assert clock() == NOON
    assert not clock.compare(NOON + 0.5, NOON + wrong, NOON + wrong)
    assert clock() == NOON


@pytest.mark.parametrize(("there", "took"), [(0.9, 0.0), (-0.9, 0.0), (WRONG, 1.5), (WRONG, -3.0)])
def test_a_small_difference_or_a_slow_reading_corrects_nothing(there, took):
    clock = ServerClock(lambda: NOON)

    assert not clock.compare(NOON + there, NOON - took, NOON)
    assert clock() == NOON


@pytest.mark.postgresql
@pytest.mark.parametrize("wrong", [WRONG, -WRONG])
async def test_a_process_uses_the_clock_of_the_database(server_database, wrong):
    server_database.empty()
    worker = Worker()
    async with storage_of(server_database) as storage:
        leases = Leases(storage, server_database.address, here=lambda: time.time() + wrong)
        try:
            await leases.start(1, worker)

            assert abs(leases.clock() - time.time()) < 5
            assert worker.moves == 1
        finally:
            await leases.close()


class BuiltError(Exception):
    """Raised where the client would be built."""


@pytest.mark.postgresql
async def test_the_client_is_built_with_the_shared_clock(server_database, monkeypatch):
    seen = []

    def build(*_, now, leases):
        seen.append(now is leases.clock)
        raise BuiltError

    monkeypatch.setattr(cli, "Facedown", build)
    settings = Settings(
        discord_token=SecretStr("none"), database=server_database.address, _env_file=None
    )

    with pytest.raises(BuiltError):
        await cli.run(settings)

    assert seen == [True]
