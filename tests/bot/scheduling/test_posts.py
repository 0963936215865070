"""Posts by the clock, and when a failed post is retried."""

from contextlib import AsyncExitStack

import discord
import pytest

from bot.messaging.arrivals import Arrived
from bot.messaging.content import MessageContent
from bot.messaging.failures import Failure, UndeliveredError
from bot.puzzles.answers import Puzzles
from bot.puzzles.calendar import begins_at
from bot.scheduling.posts import (
    DIGEST_PATIENCE,
    PUZZLE_PATIENCE,
    DigestKind,
    PuzzleKind,
    ServerPosts,
)
from bot.stats.digests import Digests
from bot.storage.guilds import GuildRecord
from bot.storage.puzzles import AnswerRecord
from tests.support.broken_files import read_only
from tests.support.clock import MINUTE
from tests.support.match_records import ask
from tests.support.matches import ANN, GUILD
from tests.support.presentations import presentations

GUILDS = range(GUILD, GUILD + 6)
MONDAY = 21_004


class Everywhere:
    """A client that is in every server, with all permissions in every channel."""

    unavailable = False
    me = None

    def get_guild(self, number):
        del number
        return self

    def get_channel_or_thread(self, number):
        del number
        return self

    def permissions_for(self, member):
        del member
        return discord.Permissions.all()


class Channels:
    """Stands in for `Delivery`: sending takes `takes` seconds and fails once in `lost` channels."""

    def __init__(self, watch):
        self.watch = watch
        self.takes = 0
        self.lost = set()
        self.tried = []

    async def send(self, channel, content, nonce):
        del nonce
        self.tried.append((channel, int(self.watch())))
        self.content = content
        self.watch.advance(self.takes)
        if channel in self.lost:
            self.lost.discard(channel)
            raise UndeliveredError(Failure.TROUBLE)
        return Arrived(channel, 1000 + len(self.tried), None)

    async def show_mentioned_names(self, there, content):
        """Does nothing."""


class Kind:
    name = "puzzle"
    kept_days = 3
    midnight = float("inf")

    def day(self, now):
        return 7 if now < self.midnight else 8

    def rows(self, transaction):
        return transaction.puzzle_posts

    async def content(self, guild, day):
        del guild, day
        return MessageContent(head="What is right?")


@pytest.fixture
def channels(watch):
    return Channels(watch)


@pytest.fixture
async def posts(storage, channels, watch):
    posts = ServerPosts(Everywhere(), storage, channels, Kind(), now=watch)
    yield posts
    await posts.close()


async def want_posts(storage, guilds):
    """Store that these servers want posts, each in the channel with the server's own number."""
    async with storage.transaction() as writing:
        for guild in guilds:
            await writing.guilds.put_settings(GuildRecord(guild=guild, puzzle_channel=guild))


async def look_and_post(posts):
    moment = await posts.look()
    await posts._posting
    return moment


async def test_a_post_that_may_have_arrived_is_retried_soon_and_the_clock_knows_when(
    storage, database, posts, channels, watch
):
    await want_posts(storage, [GUILD])
    channels.lost = {GUILD}
    told, begun = [], int(watch())
    storage.subscribe(told.append)
    await look_and_post(posts)
    assert begun + 20 in [committed.due_at for committed in told]

    assert await look_and_post(posts) == begun + 20
    watch.advance(20)
    assert await look_and_post(posts) is None

    assert channels.tried == [(GUILD, begun), (GUILD, begun + 20)]
    assert ask(database, "SELECT count(*) FROM puzzle_posts WHERE message = 1002") == [(1,)]


async def test_servers_are_checked_once_a_minute_and_at_once_when_it_matters(
    storage, posts, channels, watch
):
    """With many servers, going through them at every look took longer than the due work itself."""
    await look_and_post(posts)
    await want_posts(storage, [GUILD])

    for _ in range(3):
        watch.advance(MINUTE / 4)
        await look_and_post(posts)
    assert channels.tried == []
    watch.advance(MINUTE / 4)
    await look_and_post(posts)
    assert channels.tried == [(GUILD, int(watch()))]

    await want_posts(storage, [GUILD + 1])
    posts.hurry()
    await look_and_post(posts)
    assert channels.tried[1:] == [(GUILD + 1, int(watch()))]

    posts._kind.midnight = int(watch()) + 1
    watch.advance(1)
    await look_and_post(posts)
    assert channels.tried[2:] == [(each, int(watch())) for each in (GUILD, GUILD + 1)]


@pytest.mark.sqlite
async def test_a_post_that_cannot_be_marked_as_sent_is_not_sent_repeatedly(
    storage, database, posts, channels, watch
):
    """After some minutes Discord no longer knows the nonce, so it'd be sent again and again."""
    await want_posts(storage, [GUILD])
    begun, arrives = int(watch()), channels.send
    async with AsyncExitStack() as meanwhile:

        async def full_meanwhile(*message):
            await meanwhile.enter_async_context(read_only(storage))
            return await arrives(*message)

        channels.send = full_meanwhile
        for _ in range(5):
            await look_and_post(posts)
            watch.advance(60)
        assert channels.tried == [(GUILD, begun)]
    channels.send = arrives

    await look_and_post(posts)

    assert channels.tried == [(GUILD, begun), (GUILD, begun + 300)]
    assert ask(database, "SELECT count(*) FROM puzzle_posts WHERE message = 1002") == [(1,)]


async def test_a_post_is_retried_in_time_even_while_many_others_wait(
    storage, posts, channels, watch
):
    await want_posts(storage, GUILDS)
    channels.lost, channels.takes = {GUILD}, 15
    begun = int(watch())

    await look_and_post(posts)

    tries = [moment - begun for channel, moment in channels.tried if channel == GUILD]
    assert tries == [0, 45]
    assert sorted(channel for channel, _ in channels.tried) == [GUILD, *GUILDS]
    assert channels.tried[-1][1] - begun > 60


async def test_a_server_reached_after_midnight_gets_only_the_new_days_post(
    storage, database, posts, channels, watch
):
    await want_posts(storage, GUILDS[:2])
    channels.takes = 15
    posts._kind.midnight = int(watch()) + 15

    await look_and_post(posts)
    await look_and_post(posts)

    posted = ask(database, "SELECT day, guild FROM puzzle_posts WHERE message > 0 ORDER BY id")
    assert posted == [(7, GUILD), (8, GUILD), (8, GUILD + 1)]
    assert len(channels.tried) == 3


async def test_a_server_in_an_outage_gets_its_post_when_it_is_back(
    storage, database, posts, channels, watch
):
    await want_posts(storage, [GUILD])
    posts._client.unavailable = True
    posts._client.get_channel_or_thread = lambda number: None
    await look_and_post(posts)
    assert ask(database, "SELECT * FROM puzzle_posts") == []

    del posts._client.get_channel_or_thread
    posts._client.unavailable = False
    watch.advance(MINUTE)
    await look_and_post(posts)

    assert [channel for channel, _ in channels.tried] == [GUILD]


async def test_a_server_that_becomes_unavailable_before_its_turn_gets_its_post_later(
    storage, database, posts, channels, watch
):
    """It can happen while other servers are served first; its channel isn't deleted."""
    await want_posts(storage, GUILDS[:2])
    arrives, away = channels.send, set()
    posts._client.get_guild = lambda number: None if number in away else posts._client

    async def outage_meanwhile(*message):
        away.add(GUILDS[1])
        return await arrives(*message)

    channels.send = outage_meanwhile
    await look_and_post(posts)
    assert ask(database, "SELECT guild FROM puzzle_posts WHERE failure IS NOT NULL") == []

    channels.send = arrives
    away.clear()
    watch.advance(MINUTE)
    await look_and_post(posts)

    assert [channel for channel, _ in channels.tried] == [*GUILDS[:2]]


async def test_an_error_about_one_server_does_not_keep_others_from_their_posts(
    storage, database, posts, channels, watch, monkeypatch
):
    await want_posts(storage, GUILDS[:2])

    malformed = [AttributeError("malformed")]

    def timeout_of(_):
        if malformed:
            raise malformed.pop()

    monkeypatch.setattr("bot.scheduling.posts.timed_out_until", timeout_of)
    await look_and_post(posts)

    assert [channel for channel, _ in channels.tried] == [GUILDS[1]]
    failed = ask(database, "SELECT guild FROM puzzle_posts WHERE failure IS NOT NULL")
    assert failed == [(GUILDS[0],)]


async def test_a_server_whose_members_lack_the_bot_itself_gets_its_post(
    storage, posts, channels, watch, monkeypatch
):
    """Discord has yet to say which permissions the bot has there."""
    await want_posts(storage, [GUILD])

    def permissions_for(member):
        return discord.Permissions.all() if member.id else None

    monkeypatch.setattr(posts._client, "permissions_for", permissions_for, raising=False)
    await look_and_post(posts)

    assert channels.tried == [(GUILD, int(watch()))]


class Members:
    """Stands in for the list of members; doesn't answer while it's `silent`."""

    silent = True

    async def gone(self, guild, users):
        del guild, users
        return None if self.silent else frozenset()


@pytest.fixture
def members():
    return Members()


DIGEST = ("digest", DIGEST_PATIENCE, f"Most solved: <@{ANN}> **2**", "2 answers, 2 right.")
PUZZLE = ("puzzle", PUZZLE_PATIENCE, f"Streaks: <@{ANN}>", "1 streak continues.")


@pytest.fixture
async def naming(request, storage, channels, watch, members):
    """Posts of this kind on `MONDAY` for one server, where Ann solved the last two puzzles."""
    watch.now = begins_at(MONDAY)
    settings = GuildRecord(guild=GUILD, puzzle_channel=GUILD, digest_channel=GUILD)
    async with storage.transaction() as writing:
        await writing.guilds.put_settings(settings)
        for day in (MONDAY - 2, MONDAY - 1):
            solved = AnswerRecord(
                day=day, user=ANN, guild=GUILD, choice="9", solved=True, answered_at=1
            )
            await writing.puzzles.add(solved)
    kinds = {
        "digest": DigestKind(Digests(storage, members, now=watch), now=watch),
        "puzzle": PuzzleKind(presentations(), Puzzles(storage, members, now=watch), now=watch),
    }
    posts = ServerPosts(Everywhere(), storage, channels, kinds[request.param], now=watch)
    yield posts
    await posts.close()


@pytest.mark.parametrize(
    ("naming", "named"),
    [(kind, named) for kind, _, named, _ in (DIGEST, PUZZLE)],
    indirect=["naming"],
)
async def test_a_post_waits_until_the_members_it_names_are_known(
    naming, named, channels, watch, members
):
    """However often it has waited, it's posted within a minute of when they are known."""
    for _ in range(4):
        await look_and_post(naming)
        watch.advance(MINUTE)
    assert channels.tried == []

    members.silent = False
    await look_and_post(naming)

    assert channels.tried == [(GUILD, int(watch()))]
    assert named in channels.content.head


@pytest.mark.parametrize("naming", ["digest", "puzzle"], indirect=True)
async def test_a_post_that_waited_and_may_have_arrived_is_retried_while_its_nonce_is_known(
    naming, channels, watch, members
):
    """Waiting for names is no try."""
    for _ in range(4):
        await look_and_post(naming)
        watch.advance(MINUTE)
    members.silent, channels.lost = False, {GUILD}

    await look_and_post(naming)
    begun = int(watch())
    watch.advance(20)
    await look_and_post(naming)

    assert channels.tried == [(GUILD, begun), (GUILD, begun + 20)]


@pytest.mark.parametrize(
    ("naming", "patience", "unnamed"),
    [(kind, patience, unnamed) for kind, patience, _, unnamed in (DIGEST, PUZZLE)],
    indirect=["naming"],
)
async def test_a_post_that_waited_too_long_names_nobody(naming, patience, unnamed, channels, watch):
    await look_and_post(naming)
    watch.advance(patience.total_seconds() - 1)
    await look_and_post(naming)
    assert channels.tried == []
    watch.advance(MINUTE)

    await look_and_post(naming)

    assert len(channels.tried) == 1
    assert unnamed in channels.content.head
    assert "<@" not in channels.content.head
