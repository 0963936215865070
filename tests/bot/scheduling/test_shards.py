"""Clocks rest in exactly those servers from which no click can reach the bot."""

import asyncio

import pytest
from sqlalchemy import BigInteger, literal, select

from bot.storage.shards import Shards
from tests.support.clock import EVERY_SHARD, HOUR, MINUTE, asleep, pass_time
from tests.support.matches import ANN, BEA, CYD, DAN, GUILD, begun, opened
from tests.support.waiting import until

COUNT = 3
SECOND = GUILD + (1 << 22)
"""A server of shard 1; GUILD is of shard 0. The shard is `(id >> 22) % COUNT`."""

THIRD = GUILD + (2 << 22)


@pytest.fixture
async def live(matches):
    """One live match in a server of each shard, in the order of the shards."""
    return [
        await begun(matches, other, interaction=number, guild=guild, time_control="live")
        for number, (other, guild) in enumerate(((BEA, GUILD), (CYD, SECOND), (DAN, THIRD)))
    ]


@pytest.fixture
async def keeping(live, clocks, storage):
    """The clock of a bot with three connected shards."""
    clock = await clocks(connected=False)
    await connect(clock, storage, 0, 1, 2)
    return clock


async def connect(clock, storage, *shards):
    """Connect these shards, and wait until the clock sleeps again."""
    for shard in shards:
        clock.resume(shard, COUNT)
    await asleep(clock, storage)


async def steps(matches, live):
    return [(await matches.public(match)).step for match in live]


async def due(matches, live):
    return [(await matches.public(match)).due_at for match in live]


async def test_the_clock_rests_for_a_server_whose_shard_is_down(
    matches, live, keeping, watch, storage
):
    keeping.hold(1)

    pass_time(watch, keeping, 2 * MINUTE)
    await asleep(keeping, storage)

    assert await steps(matches, live) == [1, 0, 1]


async def test_only_servers_whose_shard_was_down_get_grace(
    matches, live, keeping, watch, storage, seen
):
    before = await due(matches, live)
    keeping.hold(1)
    pass_time(watch, keeping, 2 * MINUTE - 1)

    await connect(keeping, storage, 1)

    after = await due(matches, live)
    assert after == [before[0], int(watch()) + 2 * MINUTE, before[2]]
    assert await seen.next() == live[1]
    assert seen.matches.empty()


async def test_without_the_shard_of_direct_messages_all_clocks_rest(
    matches, live, keeping, watch, storage
):
    keeping.hold(0)

    pass_time(watch, keeping, 10 * MINUTE)
    await asleep(keeping, storage)
    assert await steps(matches, live) == [0, 0, 0]
    await connect(keeping, storage, 0)

    assert await steps(matches, live) == [0, 0, 0]
    assert await due(matches, live) == [int(watch()) + 2 * MINUTE] * 3


async def test_a_reconnected_shard_waits_for_the_shard_of_direct_messages(
    matches, live, keeping, watch, storage
):
    keeping.hold(0)
    keeping.hold(1)
    watch.advance(10 * MINUTE)

    await connect(keeping, storage, 1)
    pass_time(watch, keeping, 10 * MINUTE)
    await asleep(keeping, storage)

    assert await steps(matches, live) == [0, 0, 0]


@pytest.mark.sqlite  # where writers wait for each other
async def test_a_shard_that_disconnects_while_grace_is_given_keeps_resting(
    matches, live, keeping, watch, storage
):
    keeping.hold(1)
    watch.advance(MINUTE)
    async with storage.transaction():  # giving grace must wait for it
        keeping.resume(1, COUNT)
        await until(lambda: not keeping._woken.is_set(), pause=0)
        keeping.hold(1)
    await asleep(keeping, storage)

    pass_time(watch, keeping, 10 * MINUTE)
    await asleep(keeping, storage)

    assert await steps(matches, live) == [1, 0, 1]


async def test_due_matches_of_a_resting_shard_do_not_keep_the_clock_busy(
    live, keeping, watch, storage, notices
):
    """It looks once when it's woken, not over and over at matches that it must not touch."""
    keeping.hold(1)
    pass_time(watch, keeping, 2 * MINUTE)
    await asleep(keeping, storage)
    while not notices.asked.empty():
        notices.asked.get_nowait()

    for _ in range(50):
        await asyncio.sleep(0)

    # Its next due time is the notices of the turns that have begun.
    assert keeping._asleep_until == int(watch()) + MINUTE
    assert notices.asked.empty()


async def test_clocks_rest_until_a_shard_is_first_connected(matches, live, clocks, watch, storage):
    """Hours may pass between login and the gateway connection, in which nobody can choose."""
    clock = await clocks(connected=False)

    pass_time(watch, clock, 10 * MINUTE)
    await asleep(clock, storage)
    await connect(clock, storage, 0)

    assert await steps(matches, live) == [0, 0, 0]
    assert await due(matches, live) == [int(watch()) + 2 * MINUTE] * 3


class OtherProcesses:
    """A share of several processes; the shards in `connected` are connected elsewhere."""

    alone = False
    is_current = True
    processes = 2

    def __init__(self):
        self.connected = set()

    def is_connected_elsewhere(self, shard):
        return shard in self.connected

    def owns(self, guild):
        del guild
        return True


async def test_while_another_process_lacks_the_shard_of_direct_messages_all_clocks_rest(
    matches, live, clocks, watch, storage
):
    """A process may hold that shard without being connected, and then nobody can use a hand."""
    others = OtherProcesses()
    clock = await clocks(connected=False, share=others)
    await connect(clock, storage, 1, 2)

    pass_time(watch, clock, 2 * MINUTE)
    await asleep(clock, storage)
    before = await steps(matches, live)
    others.connected.add(0)
    clock.clock_moved()
    await asleep(clock, storage)

    assert before == [0, 0, 0]
    assert await steps(matches, live) == [0, 1, 1]


async def test_a_shard_is_awake_only_after_its_servers_got_their_grace(
    live, keeping, watch, storage
):
    """Otherwise another process's clock would act on what became due meanwhile."""
    assert keeping.awake == {0, 1, 2}
    keeping.hold(0)
    watch.advance(10 * MINUTE)

    keeping.resume(0, COUNT)
    assert keeping.awake == {1, 2}
    await asleep(keeping, storage)

    assert keeping.awake == {0, 1, 2}


async def test_a_short_disconnection_gives_no_grace(matches, live, keeping, watch, storage):
    before = await due(matches, live)
    pass_time(watch, keeping, 90)
    keeping.hold(0)

    watch.advance(29)
    await connect(keeping, storage, 0)

    assert await due(matches, live) == before


async def test_a_repeated_connection_event_changes_nothing(matches, live, keeping, watch, storage):
    before = await due(matches, live)
    watch.advance(MINUTE + 10)

    await connect(keeping, storage, 0, 1, 2)

    assert await due(matches, live) == before


async def test_connections_that_break_on_waking_up_count_as_down_since_the_standstill(
    matches, live, keeping, watch, storage
):
    """For example a closed laptop: it reconnects before its clock's sleep has ended."""
    watch.advance(HOUR)
    for shard in range(COUNT):
        keeping.hold(shard)

    await connect(keeping, storage, 0, 1, 2)

    assert await steps(matches, live) == [0, 0, 0]
    assert await due(matches, live) == [int(watch()) + 2 * MINUTE] * 3


@pytest.mark.parametrize(("is_current", "grace"), [(True, 2 * MINUTE), (False, 20)])
async def test_a_process_gives_grace_after_a_standstill_if_its_leases_still_run(
    matches, live, clocks, watch, storage, *, is_current, grace
):
    """For example a suspended machine. Without valid leases, others hold the shards by now."""
    others = OtherProcesses()
    clock = await clocks(connected=False, share=others)
    await connect(clock, storage, 0, 1, 2)
    others.is_current = is_current
    watch.advance(100)

    clock.look()
    await asleep(clock, storage)

    assert await due(matches, live) == [int(watch()) + grace] * 3


@pytest.mark.parametrize(("away", "grace"), [(5 * MINUTE, 2 * MINUTE), (10, 20)])
async def test_a_taken_over_shard_gives_grace_for_the_time_without_a_connection(
    matches, live, clocks, watch, storage, *, away, grace
):
    """The duration counts, not the start, because clocks of machines and database may differ."""
    clock = await clocks(connected=False, share=OtherProcesses())
    watch.advance(100)
    await clock.take_over({0: away})

    await connect(clock, storage, 0)

    assert (await due(matches, live))[0] == int(watch()) + grace


async def test_challenges_of_a_resting_server_do_not_expire(matches, clocks, watch, storage):
    """Nobody could have accepted it."""
    match = await opened(matches, guild=SECOND)
    clock = await clocks(connected=False)
    await connect(clock, storage, 0, 1, 2)
    clock.hold(1)

    pass_time(watch, clock, 4 * 24 * HOUR)
    await asleep(clock, storage)

    assert (await matches.public(match)).status == "open"


async def test_no_notices_are_sent_where_clocks_rest(matches, watch, storage):
    await begun(matches, guild=SECOND)
    watch.advance(MINUTE)

    async with storage.reading() as reading:
        due = [
            {(notice.event, notice.user) for notice in await reading.notices.due(watch(), shards)}
            for shards in (EVERY_SHARD, Shards(frozenset({0, 2}), 3), Shards(frozenset({1}), 3))
        ]

    assert due[0] == due[2] >= {("turn", ANN), ("turn", BEA)}
    assert due[1] == set()


async def test_notices_of_another_process_do_not_wake_the_clock(matches, watch, storage):
    """Otherwise each process would run a round for every notice of all the others."""
    await begun(matches, guild=SECOND)
    mine, others = Shards(frozenset({1}), COUNT), Shards(frozenset({0, 2}), COUNT)

    async with storage.reading() as reading:
        assert await reading.notices.next_due(watch(), mine) > watch()
        assert await reading.notices.next_due(watch(), others) is None


@pytest.mark.parametrize("guild", [None, GUILD, SECOND])
@pytest.mark.parametrize("away", [frozenset(), frozenset({SECOND})])
async def test_shards_are_computed_the_same_in_python_and_in_sql(storage, guild, away):
    for number in range(COUNT):
        shards = Shards(frozenset({number}), COUNT, away)
        async with storage.reading() as reading:
            query = select(shards.has(literal(guild, BigInteger)))
            found = (await reading.matches._connection.execute(query)).scalar_one()

        assert shards.has_guild(guild) == bool(found)


async def test_the_clock_rests_for_a_server_in_an_outage(matches, live, keeping, watch, storage):
    keeping.hold_server(SECOND)
    pass_time(watch, keeping, 2 * MINUTE)
    await asleep(keeping, storage)

    assert await steps(matches, live) == [1, 0, 1]


async def test_only_servers_that_were_in_an_outage_get_grace(
    matches, live, keeping, watch, storage, seen
):
    keeping.hold_server(SECOND)
    before = await due(matches, live)
    pass_time(watch, keeping, 2 * MINUTE - 1)

    keeping.server_back(SECOND)
    await asleep(keeping, storage)

    assert await due(matches, live) == [before[0], int(watch()) + 2 * MINUTE, before[2]]
    assert await seen.next() == live[1]
    assert seen.matches.empty()


async def test_a_short_outage_gives_no_grace(matches, live, keeping, watch, storage):
    keeping.hold_server(SECOND)
    watch.advance(29)

    keeping.server_back(SECOND)
    await asleep(keeping, storage)
    pass_time(watch, keeping, 2 * MINUTE)
    await asleep(keeping, storage)

    assert await steps(matches, live) == [1, 1, 1]


async def test_clocks_rest_if_a_second_outage_follows_at_once(
    matches, live, keeping, watch, storage
):
    keeping.hold_server(SECOND)
    watch.advance(MINUTE)
    keeping.server_back(SECOND)
    keeping.hold_server(SECOND)

    pass_time(watch, keeping, 10 * MINUTE)
    await asleep(keeping, storage)

    assert await steps(matches, live) == [1, 0, 1]


async def test_thousands_of_servers_can_be_in_an_outage(matches, live, keeping, watch, storage):
    """A statement can have at most 32,766 parameters."""
    keeping.hold_server(SECOND)
    many = range(SECOND + 1, SECOND + 40_000)
    for guild in many:
        keeping.hold_server(guild)
    pass_time(watch, keeping, 2 * MINUTE)
    await asleep(keeping, storage)
    assert await steps(matches, live) == [1, 0, 1]

    for guild in (*many, SECOND):
        keeping.server_back(guild)
    await asleep(keeping, storage)

    assert (await due(matches, live))[1] == int(watch()) + 2 * MINUTE
