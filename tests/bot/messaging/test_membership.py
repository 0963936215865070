"""Which members are requested from Discord: not the person who asks, and nobody twice at a time."""

import asyncio
import time
from datetime import UTC, datetime
from types import SimpleNamespace

import discord
import pytest

from bot.messaging.membership import MAX_ROUNDS, Membership, page_of_members

GUILD, HERE = 77, frozenset({1, 2, 3, *range(100, 400)})
BOT = 5000


class Gateway:
    """A server whose members are sent when a test says so."""

    def __init__(self):
        self.asked = []
        self.unavailable = False
        self.answer = asyncio.Event()
        self.error = None
        self.is_cut_off = False
        self.user = SimpleNamespace(id=BOT)
        self.members = [SimpleNamespace(id=user) for user in HERE | {BOT}]

    def get_guild(self, guild):
        return self if guild == GUILD else None

    async def query_members(self, *, user_ids, limit, cache):
        del cache
        *asked, bot = user_ids
        assert (bot, limit) == (BOT, len(user_ids))
        self.asked.append(asked)
        await self.answer.wait()
        if self.error is not None:
            raise self.error
        if self.is_cut_off:
            return []
        return [member for member in self.members if member.id in user_ids]


@pytest.fixture
def gateway():
    return Gateway()


@pytest.fixture
def members(gateway):
    return Membership(gateway, patience=60.0, now=time.time)


async def test_somebody_who_asks_is_a_member_without_a_request(members, gateway):
    """200 people open the same leaderboard, and the request of the first is enough."""
    gateway.answer.set()

    for asker in range(100, 300):
        assert await members.gone(GUILD, {1, 9, asker}, asker=asker) == {9}

    assert [sorted(asked) for asked in gateway.asked] == [[1, 9]]
    assert await members.gone(GUILD, {100, 299}) == frozenset()
    assert len(gateway.asked) == 1


async def test_a_request_under_way_serves_everybody_who_asks(members, gateway):
    asking = [asyncio.create_task(members.gone(GUILD, {1, 2, 9})) for _ in range(50)]
    more = asyncio.create_task(members.gone(GUILD, {2, 3, 8}))
    await asyncio.sleep(0)
    gateway.answer.set()

    assert await asyncio.gather(*asking) == [{9}] * 50
    assert await more == {8}
    assert [sorted(asked) for asked in gateway.asked] == [[1, 2, 9], [3, 8]]


async def test_cancelling_one_who_waits_takes_the_answer_from_nobody_else(members, gateway):
    first = asyncio.create_task(members.gone(GUILD, {1, 9}))
    await asyncio.sleep(0)
    second = asyncio.create_task(members.gone(GUILD, {1, 9}))
    await asyncio.sleep(0)

    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    gateway.answer.set()

    assert await second == {9}
    assert len(gateway.asked) == 1


async def without_shard():
    """The library's error for a server whose shard isn't connected, or no longer."""
    with pytest.raises(KeyError) as found:
        discord.AutoShardedClient(intents=discord.Intents.none())._get_websocket(shard_id=7)
    return found.value


@pytest.mark.parametrize("shard", [True, False])
async def test_after_a_failed_request_members_are_requested_again(members, gateway, shard):
    gateway.error = TimeoutError() if shard else await without_shard()
    gateway.answer.set()
    assert await asyncio.gather(*(members.gone(GUILD, {1}) for _ in range(3))) == [None] * 3
    assert len(gateway.asked) == 1

    gateway.error = None
    assert await members.gone(GUILD, {1}) == frozenset()


async def test_nobody_counts_as_gone_if_the_shard_identifies_again_meanwhile(members, gateway):
    """The library then answers pending requests with what has arrived so far: nothing."""
    gateway.answer.set()
    gateway.is_cut_off = True
    assert await members.gone(GUILD, {1, 9}) is None

    gateway.is_cut_off = False
    assert await members.gone(GUILD, {1, 9}) == {9}


async def test_forgotten_people_are_requested_again(members, gateway):
    gateway.answer.set()
    await members.gone(GUILD, {1, 2, 9})

    members.forget(1)
    members.forget(9)

    assert await members.gone(GUILD, {1, 2, 9}) == {9}
    assert [sorted(asked) for asked in gateway.asked[1:]] == [[1, 9]]


async def test_people_forgotten_during_a_request_are_not_remembered(members, gateway):
    asking = asyncio.create_task(members.gone(GUILD, {1, 2}))
    await asyncio.sleep(0)
    members.forget(1)
    gateway.answer.set()

    assert await asking == frozenset()
    await members.gone(GUILD, {1, 2})
    assert gateway.asked[1:] == [[1]]


# Pages without people who have left the server, so that others move up


def first_of(users):
    """A page of one person: the first of these who isn't gone."""

    async def read(gone):
        return [user for user in users if user not in gone][:1]

    return read


async def test_a_page_names_somebody_who_moves_up_once_they_are_known_to_be_a_member(
    members, gateway
):
    gateway.answer.set()

    page = await page_of_members(members, GUILD, 1, first_of([8, 9, 2]), list)

    assert page == ([2], True)
    assert gateway.asked == [[8], [9], [2]]


async def test_a_page_after_too_many_who_have_left_says_that_it_is_not_certain(members, gateway):
    gateway.answer.set()
    left = range(1000, 1000 + MAX_ROUNDS)

    page = await page_of_members(members, GUILD, 1, first_of([*left, 2]), list)

    assert page == ([2], False)
    assert gateway.asked == [[user] for user in left]


async def test_a_page_with_somebody_unchecked_who_moved_up_says_that_it_is_not_certain(
    members, gateway
):
    """Discord answered only the request before that."""
    gateway.answer.set()
    users = [8, 9, 2]

    async def read(gone):
        gateway.error = TimeoutError() if gone else None
        return [user for user in users if user not in gone][:1]

    assert await page_of_members(members, GUILD, 1, read, list) == ([9], False)


@pytest.fixture
def silent():
    """A member who is timed out."""
    return SimpleNamespace(
        id=1,
        timed_out_until=datetime.fromtimestamp(1_000_020, tz=UTC),
        is_timed_out=lambda: True,
        guild_permissions=SimpleNamespace(administrator=False),
    )


@pytest.fixture
def asked(gateway, silent):
    """The requested ids, answered with that member and the bot."""
    gateway.members = [silent, SimpleNamespace(id=BOT, is_timed_out=lambda: False)]
    gateway.answer.set()
    return gateway.asked


async def test_a_timeout_is_not_believed_beyond_its_end(gateway, silent, asked):
    """Its end is remembered for a minute, and it may end within that minute."""
    clock = [1_000_000.0]
    members = Membership(gateway, now=lambda: clock[0])
    ends = silent.timed_out_until

    told = [await members.timed_out_until(GUILD, 1)]
    clock[0] += 19
    told.append(await members.timed_out_until(GUILD, 1))
    clock[0] += 1
    told.append(await members.timed_out_until(GUILD, 1))

    assert told == [ends, ends, None]
    assert asked == [[1]]


@pytest.mark.parametrize("passes", [60, -3600], ids=["a minute passes", "the clock is set back"])
async def test_whether_somebody_is_timed_out_is_requested_again_once(
    gateway, silent, asked, passes
):
    clock = [1_000_000.0]
    members = Membership(gateway, now=lambda: clock[0])
    await members.timed_out_until(GUILD, 1)
    silent.is_timed_out = lambda: False

    clock[0] += passes

    assert await members.timed_out_until(GUILD, 1) is None
    assert await members.timed_out_until(GUILD, 1) is None
    assert asked == [[1], [1]]


@pytest.fixture
def open_channel(gateway):
    """A channel that everybody can read; the user with id 2 manages its threads."""

    def rights(one):
        manages = getattr(one, "id", None) == 2
        return discord.Permissions(
            view_channel=True, read_message_history=True, manage_threads=manages
        )

    server = SimpleNamespace(me=object(), default_role=object())
    found = SimpleNamespace(id=5, guild=server, overwrites={}, permissions_for=rights)
    gateway.get_channel_or_thread = {found.id: found}.get
    return found.id


async def test_in_a_channel_that_everybody_can_read_only_thread_managers_are_requested(
    members, gateway, open_channel
):
    gateway.answer.set()

    reads = await members.can_read(GUILD, 1, {open_channel})
    asked = list(gateway.asked)
    manage = [
        await members.can_read(GUILD, user, {open_channel}, managing={open_channel})
        for user in (1, 2)
    ]

    assert (reads, asked) == (True, [])
    assert (manage, gateway.asked) == ([False, True], [[1], [2]])
