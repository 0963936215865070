"""Leases of shards: what a process does when it can't renew them in time, and who claims them."""

import asyncio
import math
from contextlib import asynccontextmanager

import pytest
from structlog.testing import capture_logs

from bot.cluster import leases as module
from bot.cluster.leases import Leases
from bot.errors import StorageUnavailableError
from bot.storage import postgres
from bot.telemetry.metrics import REGISTRY
from tests.support.storages import storage_of
from tests.support.waiting import until

pytestmark = pytest.mark.postgresql

GUILDS = (0, 1 << 22)
"""One server of each of two shards; tests have two shards unless they say otherwise."""


class Worker:
    """Connects and disconnects shards instantly, and records its calls."""

    def __init__(self):
        self.connected = set()
        self.heard_of = []
        self.lapsed_ones, self.lost_ones = set(), set()
        self.moves = 0

    async def claimed(self, numbers):
        del numbers

    async def lapsed(self, numbers):
        self.lapsed_ones |= numbers

    async def lost(self, numbers):
        self.lost_ones |= numbers

    def clock_moved(self):
        self.moves += 1

    def heard(self, what, *about):
        self.heard_of.append((what, *about))


@pytest.fixture
async def start(server_database, monkeypatch):
    """Starts the leases of one process.

    Its times are so long that no lease expires on a busy machine, and that it reads the database
    only when it is woken.
    """
    for name, seconds in (("LEASE", 60.0), ("FENCE", 40.0), ("RENEW", 60.0)):
        monkeypatch.setattr(module, f"{name}_SECONDS", seconds)
    server_database.empty()
    started = []
    async with storage_of(server_database) as storage:

        async def start(shards=2):
            started.append(Leases(storage, server_database.address))
            await started[-1].start(shards, Worker())
            return started[-1]

        yield start
        for one in started:
            await one.close()


async def hears(one):
    """Wait until this process receives what other processes send."""
    await until(lambda: one._worker.heard_of)


def counted(one):
    """Return how many shards a process holds, according to its metric."""
    return REGISTRY.get_sample_value("facedown_shards", {"process": one.name})


def end(one, server_database):
    """Make the leases of a process end now, and the fence before their end too."""
    for table, name in (("shards", "holder"), ("processes", "name")):
        server_database.ask(f"UPDATE {table} SET until = 0 WHERE {name} = '{one.name}'")  # noqa: S608
    one._until = asyncio.get_running_loop().time()
    one._tasks.append(asyncio.create_task(one._fence()))  # the other one sleeps longer


async def expire_without_database(server_database, monkeypatch, *processes):
    """Cut processes off from the database until their leases end; returns their real `_look`s.

    All are cut off before the first lease ends, because another process would claim its shards.
    """
    looks = [await without_database(one, monkeypatch) for one in processes]
    for one in processes:
        end(one, server_database)
    for one in processes:
        await until(lambda one=one: one._worker.lapsed_ones)
    return looks


async def without_database(one, monkeypatch):
    """Cut a process off from the database; returns its real `_look`."""
    look, tried = one._look, asyncio.Event()

    async def unreachable():
        tried.set()
        raise StorageUnavailableError("the database server can't be reached")

    monkeypatch.setattr(one, "_look", unreachable)
    one._woken.set()
    await tried.wait()  # no earlier look is under way
    return look


async def test_a_lapsed_shard_counts_as_held_elsewhere_until_it_is_claimed_again(
    start, server_database, monkeypatch
):
    one = await start()
    await hears(one)
    assert one.held == {0, 1}
    assert not any(map(one.has_lapsed, GUILDS))
    (look,) = await expire_without_database(server_database, monkeypatch, one)
    assert one._worker.lapsed_ones == one._lapsed == {0, 1}
    assert not one._worker.lost_ones  # nobody can know who holds them
    assert not one.held
    assert counted(one) == 0
    assert all(map(one.has_lapsed, GUILDS))
    assert one.current_for == 0
    two = await start()
    assert two.held == {0, 1}
    monkeypatch.setattr(one, "_look", look)
    one._woken.set()
    await until(lambda: one.is_current)
    assert one._worker.lost_ones == {0, 1}
    assert one._returns_until <= asyncio.get_running_loop().time()  # it may claim free shards
    two._woken.set()  # it gives one back and notifies the others
    await until(lambda: one.held)

    assert one.held == {1}
    assert counted(one) == counted(two) == 1
    assert [one.has_lapsed(guild) for guild in GUILDS] == [True, False]
    assert 0 < one.current_for < math.inf
    assert two.current_for == math.inf  # its leases have never lapsed


async def test_a_process_resumes_shards_whose_leases_have_not_ended(start, monkeypatch):
    """No other process can have held them, so their connections can stay open."""
    one = await start()
    await hears(one)
    claimed, worker = [], one._worker

    async def note(numbers):
        claimed.append(numbers)

    monkeypatch.setattr(worker, "claimed", note)
    one._until = 0.0
    await one._lapse()
    before = (one.held, worker.lapsed_ones)
    one._woken.set()
    await one.become_current()
    await until(lambda: claimed)

    assert before == (set(), {0, 1})
    assert claimed == [{0: 0.0, 1: 0.0}]
    assert (one.held, one._lapsed, worker.lost_ones) == ({0, 1}, set(), set())


async def test_processes_that_come_back_one_by_one_claim_their_former_shards(
    start, server_database, monkeypatch
):
    """If the first one claimed all shards, the others would have to reconnect theirs."""
    one = await start()
    await hears(one)
    two = await start()
    one._woken.set()  # it sees the other one, and lets one shard go
    await until(lambda: one.held == {0} and two.held == {1})
    with monkeypatch.context() as away:
        looks = await expire_without_database(server_database, away, one, two)

    for look in looks:
        await look()

    assert (one.held, two.held) == ({0}, {1})
    assert two._worker.lost_ones == set()


async def test_shards_whose_holder_does_not_come_back_are_claimed_by_others(
    start, server_database, monkeypatch
):
    one = await start()
    await hears(one)
    two = await start()
    one._woken.set()  # it sees the other one, and lets one shard go
    await until(lambda: one.held == {0} and two.held == {1})
    with monkeypatch.context() as away:
        await expire_without_database(server_database, away, one, two)
        one._woken.set()

    await until(lambda: one.held == {0, 1})


async def test_a_process_whose_leases_have_ended_uses_the_current_number_of_shards(
    start, server_database, monkeypatch
):
    """Otherwise a server could belong to two processes or to none."""
    guilds = [number << 22 for number in range(4)]
    one = await start()
    await hears(one)
    with monkeypatch.context() as away:
        (look,) = await expire_without_database(server_database, away, one)
        two = await start(shards=len(guilds))
    await look()
    two._woken.set()  # it gives some back and notifies the others
    await until(lambda: len(one.held) == len(two.held) == 2)

    assert [one.owns(guild) for guild in guilds] == [False, False, True, True]
    assert [two.owns(guild) for guild in guilds] == [True, True, False, False]
    assert [one.has_lapsed(guild) for guild in guilds] == [True, True, False, False]


async def test_a_process_that_is_shutting_down_keeps_its_shards_and_claims_none(start):
    one = await start()
    await hears(one)
    two = await start()
    one._woken.set()  # it sees the other one, and lets one shard go
    await until(lambda: one.held == {0} and two.held == {1})

    one.claim_no_more()
    await two.close()
    await until(lambda: one._standing.free == 1)

    assert one.held == {0}


async def test_shards_given_back_at_shutdown_are_claimed_at_once(start):
    one, two = await start(), await start()
    heard = two._worker.heard_of
    await until(lambda: heard)  # it receives notifications
    await one._look()
    await until(lambda: two.held == {1})
    heard.clear()

    await one.close()

    await until(lambda: two.held == {0, 1})
    assert ("shards",) in heard


async def test_a_free_shard_whose_row_is_locked_is_claimed_after_the_lock(
    start, server_database, monkeypatch
):
    """For example by the process that has given it back; nobody notifies when that lock ends."""
    one = await start()
    look, looked = one._look, asyncio.Event()

    async def noted():
        await look()
        looked.set()

    monkeypatch.setattr(one, "_look", noted)
    await looked.wait()  # no earlier look is under way
    server_database.ask("UPDATE shards SET holder = NULL WHERE number = 1")
    connection = await postgres.connect(server_database.address)
    try:
        async with connection.transaction():
            await connection.execute("SELECT 1 FROM shards WHERE number = 1 FOR UPDATE")
            one._woken.set()
            await until(lambda: one.held == {0})

        await until(lambda: one.held == {0, 1})
    finally:
        await connection.close()


async def test_a_notification_during_a_look_causes_another_look(start, monkeypatch):
    one = await start()
    await hears(one)
    looks, again = [], asyncio.Event()

    async def look():
        looks.append(one.name)
        if len(looks) == 1:
            one._hear("shards")
        else:
            again.set()

    monkeypatch.setattr(one, "_look", look)
    one._hear("shards")

    async with asyncio.timeout(20):
        await again.wait()


async def test_an_expected_end_of_a_lease_is_not_polled_while_the_database_is_away(
    start, monkeypatch
):
    """While the database server is away, nobody knows whether the other process has renewed."""
    one = await start()
    await hears(one)
    clock, looked_at = asyncio.get_running_loop().time, []

    async def look():
        looked_at.append(clock())
        if len(looked_at) > 1:
            raise StorageUnavailableError("the database server can't be reached")
        one._next_in = 0.0  # the other process's lease ends now

    monkeypatch.setattr(one, "_look", look)
    monkeypatch.setattr(module, "RENEW_SECONDS", 0.3)
    one._woken.set()
    await until(lambda: len(looked_at) > 2)

    assert looked_at[2] - looked_at[1] >= 0.3 - 0.01  # timers can fire that much early


async def test_waiting_for_a_connection_does_not_shorten_a_lease(start, monkeypatch):
    """Connecting takes long while a standby takes over; the lease counts from after that."""
    one = await start()
    await hears(one)
    clock, sharing, connected_at = asyncio.get_running_loop().time, one._storage.coordinating, []

    @asynccontextmanager
    async def slowly():
        async with sharing() as writing:
            connected_at.append(clock())
            yield writing

    monkeypatch.setattr(one._storage, "coordinating", slowly)
    await one._look()

    assert one._until >= connected_at[0] + module.FENCE_SECONDS


async def test_a_shard_that_another_process_claimed_has_lapsed_here(start, server_database):
    """A process that was suspended may see the new holder before it sees that its lease ended."""
    one = await start()
    server_database.ask("UPDATE shards SET holder = 'another' WHERE number = 0")

    await one._look()

    assert one.held == {1}
    assert [one.has_lapsed(guild) for guild in GUILDS] == [True, False]


async def test_others_know_whether_the_holder_of_a_shard_is_connected_to_it(start):
    one = await start()
    await hears(one)
    two = await start()
    one._woken.set()
    await until(lambda: one.held == {0} and two.held == {1})

    async def looked():
        await one._look()
        await two._look()
        return [process.is_connected_elsewhere(0) for process in (one, two)]

    known = [await looked()]
    for connected in ({0}, set()):
        one._worker.connected = connected
        known.append(await looked())

    assert known == [[False, False], [False, True], [False, False]]


async def test_a_process_that_joins_others_logs_that_more_shards_are_advised(start):
    """The number changes only while no process holds shards, so never with rolling restarts."""
    await start(2)
    with capture_logs() as logs:
        joined = await start(3)

    said = [entry for entry in logs if entry["event"] == "more shards advised"]
    assert joined.count == 2
    assert [(entry["have"], entry["advised"]) for entry in said] == [(2, 3)]


@pytest.mark.parametrize("shards", [1, 3, 4])
async def test_a_process_is_short_until_it_holds_its_fair_part_of_the_shards(start, shards):
    """A standby, which is to hold none, never is."""
    running = [await start(shards)]
    await hears(running[0])
    for fair in ({1: [0, 1], 3: [1, 2], 4: [2, 2]}, {1: [0, 0, 1], 3: [1] * 3, 4: [1, 1, 2]}):
        joined = await start(shards)
        assert joined.is_short is (joined._fair(joined._standing) > 0)

        for one in [*running, joined]:
            await one._look()
        running.append(joined)
        await joined._look()

        assert sorted(len(one.held) for one in running) == fair[shards]
        assert not any(one.is_short for one in running)
