"""Leases on shards and interactions handed over to other processes, on PostgreSQL."""

import asyncio
import math

import pytest

from bot.storage import Storage, postgres
from bot.storage.cluster import HandedInteraction
from tests.support.storages import storage_of
from tests.support.waiting import until

LEASE = 30.0
OVER = -1.0
"""Seconds of a lease that has already ended when it's stored."""


@pytest.fixture
def database(server_database):
    server_database.empty()
    return server_database


@pytest.fixture
def rows(storage):
    """Calls one method of the repository, in its own transaction."""

    async def do(what, *args):
        async with storage.transaction() as writing:
            return await getattr(writing.cluster, what)(*args)

    return do


async def test_the_number_of_shards_follows_discord_unless_shards_are_held(rows):
    found = [await rows("set_up_shards", 4)]
    await rows("claim", "one", 1, LEASE)
    found.append(await rows("set_up_shards", 8))
    await rows("release", "one", [0])
    found.append(await rows("set_up_shards", 8))

    assert found == [4, 4, 8]
    assert set(await rows("claim", "one", 99, LEASE)) == set(range(8))


async def test_no_shard_has_two_holders_however_many_claim_at_once(rows):
    await rows("set_up_shards", 16)

    claimed = await asyncio.gather(*(rows("claim", f"p{n}", 5, LEASE) for n in range(6)))

    numbers = [number for some in claimed for number in some]
    assert len(numbers) == len(set(numbers))
    assert all(len(some) <= 5 for some in claimed)


async def test_only_the_holder_of_a_running_lease_renews_it(rows):
    await rows("set_up_shards", 4)
    await rows("claim", "one", 3, LEASE)

    standing = await rows("renew", "one", LEASE)
    other = await rows("renew", "two", LEASE)

    assert (standing.mine, standing.free, standing.alive) == ({0, 1, 2}, 1, ("one",))
    assert (other.mine, other.alive) == (set(), ("one", "two"))
    assert other.holders == {0: "one", 1: "one", 2: "one"}
    assert set(await rows("claim", "two", 4, LEASE)) == {3}


WAITING = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"


async def change(storage, user):
    async with storage.transaction() as writing:
        await writing.people.preferences(user, changing=True)


async def test_a_lease_is_renewed_while_all_writing_connections_wait_for_a_lock(
    database, monkeypatch
):
    """Otherwise a process whose players wait for a locked match would lose all of its shards."""
    for name in ("lock_timeout", "idle_in_transaction_session_timeout"):
        monkeypatch.setitem(postgres.SETTINGS, name, "0")  # no timeout on a busy machine
    async with Storage.open(database.address) as storage, storage_of(database) as another:
        async with another.transaction() as standing_still:
            await standing_still.people.preferences(7, changing=True)
            waiting = [asyncio.create_task(change(storage, 7)) for _ in range(20)]
            await until(lambda: len(database.ask(WAITING)) >= postgres.CONNECTIONS["write"], 60)

            async with asyncio.timeout(60), storage.coordinating() as writing:
                standing = await writing.cluster.renew("one", LEASE)
        await asyncio.gather(*waiting)

    assert standing.alive == ("one",)


async def test_a_lease_that_has_ended_is_lost_and_free_for_everybody(rows):
    await rows("set_up_shards", 2)
    await rows("claim", "one", 2, OVER)

    lost = await rows("renew", "one", LEASE)
    claimed = await rows("claim", "two", 2, LEASE)

    assert (lost.mine, lost.holders, lost.free) == (set(), {}, 2)
    assert set(claimed) == {0, 1}
    assert (await rows("renew", "one", LEASE)).mine == set()


async def test_renewing_returns_when_the_first_lease_of_another_process_ends(rows):
    await rows("set_up_shards", 3)
    alone = await rows("renew", "one", LEASE)
    await rows("claim", "one", 1, LEASE)
    await rows("claim", "two", 1, 2 * LEASE)
    await rows("claim", "three", 1, OVER)

    ends_in = [(await rows("renew", name, LEASE)).ends_in for name in ("one", "two")]

    assert alone.ends_in == math.inf
    assert ends_in == [pytest.approx(2 * LEASE, abs=5.0), pytest.approx(LEASE, abs=5.0)]


async def test_a_process_that_does_not_renew_is_not_counted(rows):
    await rows("renew", "one", OVER)

    assert (await rows("renew", "two", LEASE)).alive == ("two",)


async def test_a_released_shard_can_be_claimed_at_once(rows, database):
    await rows("set_up_shards", 2)
    ((divided,), _) = database.ask("SELECT until FROM shards")
    await rows("claim", "one", 2, LEASE)
    await rows("renew", "one", LEASE, {0, 1})
    await rows("release", "one", [0])
    await rows("leave", "one")

    claimed = await rows("claim", "two", 2, LEASE)
    ((until,),) = database.ask("SELECT until FROM shards WHERE number = 0")

    assert set(claimed) == {0}
    assert 0 <= claimed[0] < until - LEASE - divided  # the seconds since it was released
    standing = await rows("renew", "two", LEASE)
    assert (standing.holders, standing.alive) == ({0: "two", 1: "one"}, ("two",))


async def test_renewing_returns_the_shards_to_which_others_are_connected(rows):
    await rows("set_up_shards", 3)
    await rows("claim", "one", 2, LEASE)
    await rows("claim", "two", 1, LEASE)
    await rows("renew", "one", LEASE, {1})
    await rows("renew", "two", LEASE, {2})

    first = await rows("renew", "one", LEASE, {1})
    second = await rows("renew", "two", LEASE)
    third = await rows("renew", "one", OVER, {1})
    fourth = await rows("renew", "two", LEASE)

    assert (first.elsewhere, second.elsewhere) == ({2}, {1})  # nobody is connected to shard 0
    assert (third.elsewhere, fourth.elsewhere) == (set(), set())


async def test_claiming_a_shard_returns_how_long_nobody_was_connected_to_it(rows, database):
    """That can be longer than nobody has held it, and it continues until somebody connects."""
    await rows("set_up_shards", 1)
    await rows("claim", "one", 1, LEASE)
    await rows("renew", "one", LEASE, {0})
    await rows("renew", "one", LEASE)
    await rows("release", "one", [0])
    ((since, free_since),) = database.ask("SELECT away_since, until FROM shards")

    claimed = await rows("claim", "two", 1, LEASE)

    ((until,),) = database.ask("SELECT until FROM shards")
    assert free_since - since < claimed[0] <= until - LEASE - since
    assert (await rows("renew", "three", LEASE)).elsewhere == set()
    await rows("release", "two", [0])
    assert (await rows("claim", "three", 1, LEASE))[0] > claimed[0]


async def test_the_first_shards_were_given_up_when_a_bot_on_a_file_was_last_there(rows, database):
    """After a move from a file, on which a bot records only the hours in which it's reachable."""
    ((now,),) = database.ask("SELECT extract(epoch FROM clock_timestamp())::int / 3600")
    last, ahead = now - 10, now + 48  # the file's machine had its clock ahead for a while
    for hour in (last - 24, last, ahead):
        database.ask(f"INSERT INTO puzzle_days VALUES ({hour // 24}, 1, {hour})")  # noqa: S608

    await rows("set_up_shards", 2)

    assert database.ask("SELECT until FROM shards") == [((last + 1) * 3600,)] * 2
    assert min((await rows("claim", "one", 2, LEASE)).values()) >= 9 * 3600


async def test_the_first_shards_of_a_new_database_were_given_up_just_now(rows, database):
    ((before,),) = database.ask("SELECT extract(epoch FROM clock_timestamp())::float")
    await rows("set_up_shards", 2)

    given_up = [until for (until,) in database.ask("SELECT until FROM shards ORDER BY until")]

    ((after,),) = database.ask("SELECT extract(epoch FROM clock_timestamp())::float")
    assert before <= given_up[0] <= given_up[1] <= after


async def test_shards_of_one_bucket_identify_one_at_a_time(rows):
    waits = await asyncio.gather(*(rows("identify_in", 0, 50.0) for _ in range(4)))
    other = await rows("identify_in", 1, 50.0)

    assert other <= 0
    assert [round(wait / 50) for wait in sorted(waits)] == [0, 1, 2, 3]


async def test_an_interaction_is_taken_by_only_one_process(rows):
    left = [HandedInteraction(identity, "one", {"id": str(identity)}) for identity in range(20)]
    for bundle in (left[10:], left[:10]):
        await rows("hand_over", bundle)
    await rows(
        "hand_over", [HandedInteraction(identity, "two", {"id": "again"}) for identity in range(20)]
    )
    bundles = [range(5), range(5, 20), range(15, 20)]

    took, *back = await asyncio.gather(
        rows("take", "one", 60.0), *(rows("take_back", bundle) for bundle in bundles)
    )

    taken = [int(payload["id"]) for payload in took]
    assert sorted([*taken, *(identity for some in back for identity in some)]) == list(range(20))
    assert await rows("take", "two", 60.0) == []


async def test_interactions_that_nobody_takes_are_deleted(rows):
    await rows("hand_over", [HandedInteraction(1, "one", {"id": "1"})])

    await rows("forget_left", 60.0)
    kept = await rows("take_back", [1])
    await rows("hand_over", [HandedInteraction(1, "one", {"id": "1"})])
    await rows("forget_left", -1.0)

    assert kept == {1}
    assert await rows("take", "one", 60.0) == []
