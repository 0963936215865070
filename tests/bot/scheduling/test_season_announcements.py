"""Announcements of seasons by the clock, for those that couldn't be sent when they started."""

from types import SimpleNamespace

import discord
import pytest

from bot.errors import StorageUnavailableError
from bot.messaging.arrivals import Arrived
from bot.messaging.failures import Failure, UndeliveredError
from bot.scheduling.season_announcements import PATIENCE, SeasonAnnouncements
from bot.stats.leaderboards import Overview
from bot.stats.seasons import Seasons
from bot.storage.leaderboards import StandingRecord
from bot.storage.pages import PageRecord
from tests.support.clock import DAY, MINUTE
from tests.support.matches import ANN, CHANNEL, GUILD

pytestmark = pytest.mark.slow


class Everywhere:
    """A client that is in every server."""

    unavailable = False

    def get_guild(self, number):
        del number
        return self


class Channels:
    """Stands in for `Delivery`; raises `answers[name]` for the seasons that have one."""

    def __init__(self, watch):
        self.watch = watch
        self.answers = {}
        self.said = []
        self.named = []

    async def send(self, channel, content, nonce):
        del nonce
        self.content = content
        head = content.head.partition("\n")[0].removeprefix("### A new season: ")
        self.said.append((head, int(self.watch())))
        if head in self.answers:
            raise self.answers[head]
        return Arrived(channel, 1000 + len(self.said), None)

    async def show_mentioned_names(self, there, content):
        del content
        self.named.append(there.message)


class NoLeaderboards:
    async def overview(self, *_args, **_named):
        raise StorageUnavailableError("the disk does not work")


@pytest.fixture
def channels(watch):
    return Channels(watch)


@pytest.fixture
def seasons(storage, watch):
    return Seasons(storage, now=watch)


@pytest.fixture
def announcements(storage, channels, watch, seasons):
    return SeasonAnnouncements(
        Everywhere(), storage, channels, seasons, NoLeaderboards(), now=watch
    )


@pytest.fixture
def start(seasons):
    async def start_season(name, guild=GUILD):
        return await seasons.start(guild, name, announce_in=CHANNEL)

    return start_season


async def test_an_announcement_is_retried_soon_and_the_clock_knows_when(
    storage, announcements, channels, watch, start
):
    told, begun = [], int(watch())
    storage.subscribe(told.append)
    channels.answers["Spring"] = UndeliveredError(Failure.TROUBLE)
    await start("Spring")
    assert [committed.due_at for committed in told] == [begun + 20]

    moments = []
    while len(channels.said) < 3:
        moments.append(await announcements.look())
        watch.advance(moments[-1] - watch())

    assert [moment - begun for moment in moments] == [20, 40, 340, 640]
    channels.answers.clear()
    assert await announcements.look() is None
    assert [at - begun for _, at in channels.said] == [20, 40, 340, 640]


async def test_a_season_started_while_the_clock_was_ahead_is_announced_at_once(
    announcements, channels, watch, start
):
    watch.advance(3 * DAY)
    await start("Spring")
    watch.advance(-3 * DAY)

    assert await announcements.look() is None

    assert channels.said == [("Spring", int(watch()))]


async def test_an_announcement_postponed_while_the_clock_was_ahead_is_retried_at_once(
    announcements, channels, watch, start
):
    channels.answers["Spring"] = UndeliveredError(Failure.TROUBLE)
    watch.advance(3 * DAY)
    await start("Spring")
    watch.advance(30)
    await announcements.look()
    watch.advance(-3 * DAY)
    del channels.answers["Spring"]

    assert await announcements.look() is None

    assert channels.said[-1] == ("Spring", int(watch()))


async def test_a_season_that_has_ended_since_is_not_announced(
    announcements, channels, watch, start, seasons
):
    for name in ("Spring", "Summer"):
        await start(name)
    await start("Winter", GUILD + 1)
    watch.advance(20)

    await announcements.look()

    assert [name for name, _ in channels.said] == ["Summer", "Winter"]
    assert await seasons.unannounced() == []


async def test_a_season_that_cannot_be_announced_does_not_delay_others(
    announcements, channels, watch, start, seasons
):
    channels.answers["Spring"] = ValueError("malformed")
    await start("Spring")
    await start("Winter", GUILD + 1)
    watch.advance(20)

    await announcements.look()

    assert [name for name, _ in channels.said] == ["Spring", "Winter"]
    assert await seasons.unannounced() == []


async def test_a_post_that_could_not_be_stored_as_sent_is_not_sent_again(
    announcements, channels, watch, start, seasons, monkeypatch
):
    started = await start("Spring")

    async def fail(season):
        raise StorageUnavailableError("the disk does not work")

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(seasons, "note_announced", fail)
        await announcements.note_announced(started.season)
    watch.advance(600)

    await announcements.look()

    assert channels.said == []
    assert await seasons.unannounced() == []


async def test_an_announcement_waits_during_an_outage_of_its_server(
    announcements, channels, watch, start, seasons, monkeypatch
):
    await start("Spring")
    watch.advance(20)
    with monkeypatch.context() as outage:
        outage.setattr(Everywhere, "unavailable", True)
        await announcements.look()
    assert channels.said == []
    assert await seasons.unannounced() != []

    await announcements.look()

    assert channels.said == [("Spring", int(watch()))]


async def test_nothing_is_announced_while_the_database_is_not_writable(
    storage, announcements, channels, watch, start, monkeypatch
):
    """The post couldn't be stored as sent, so it'd be sent again after a restart."""
    await start("Spring")
    watch.advance(20)

    async def fail():
        raise StorageUnavailableError("the disk is full")

    monkeypatch.setattr(storage, "must_write", fail)
    with pytest.raises(StorageUnavailableError):
        await announcements.look()

    assert channels.said == []


async def test_an_announcement_resolves_the_names_of_the_people_it_mentions(
    announcements, channels, watch, start
):
    await start("Spring")
    watch.advance(20)

    await announcements.look()

    assert channels.named == [1001]


class LeaderboardOfAnn:
    """Ann is first in one game; whether they have left the server is known if it's `complete`."""

    complete = False

    async def overview(self, _guild, query, *_args, **_named):
        first = StandingRecord(
            user=ANN, place=1, rating=1500, established=True, won=1, drawn=0, lost=0
        )
        return Overview(
            query=query,
            lines={"prize": PageRecord(lines=(first,), first=0, count=1, total=1)},
            title="Spring",
            since=None,
            seasons=(),
            complete=self.complete,
        )


@pytest.fixture
async def standings(announcements, start, monkeypatch):
    """The leaderboard of the season that has just been followed by another one."""
    await start("Spring")
    standings = LeaderboardOfAnn()
    monkeypatch.setattr(announcements, "_leaderboards", standings)
    return standings


async def test_an_announcement_waits_until_the_members_it_names_are_known(
    announcements, channels, watch, start, standings
):
    """A season can't be started again, so who came first would be left out for good."""
    click = SimpleNamespace(
        channel_id=CHANNEL,
        channel=None,
        guild_id=GUILD,
        guild=None,
        client=announcements._client,
        is_guild_integration=lambda: False,
        app_permissions=discord.Permissions.all(),
    )
    await announcements.announce(click, await start("Summer"))
    watch.advance(20)
    for _ in range(4):
        due_at = await announcements.look()
        assert due_at <= watch() + 30
        watch.now = due_at
    assert channels.said == []

    standings.complete = True
    assert await announcements.look() is None

    assert channels.said == [("Summer", int(due_at))]
    assert f"<@{ANN}>" in channels.content.head


async def test_an_announcement_that_waited_and_may_have_arrived_is_retried_soon(
    announcements, channels, watch, start, standings
):
    """Waiting for names is no try: Discord still knows the nonce."""
    await start("Summer")
    for _ in range(4):
        watch.advance(30)
        await announcements.look()
    standings.complete = True
    channels.answers["Summer"] = UndeliveredError(Failure.TROUBLE)
    watch.advance(30)
    begun = int(watch())

    assert await announcements.look() == begun + 20
    assert channels.said == [("Summer", begun)]


@pytest.mark.usefixtures("standings")
async def test_an_announcement_that_waited_too_long_names_nobody(
    announcements, channels, watch, start
):
    await start("Summer")
    watch.advance(PATIENCE.total_seconds() - MINUTE)
    await announcements.look()
    assert channels.said == []
    watch.advance(MINUTE)

    assert await announcements.look() is None

    assert channels.said == [("Summer", int(watch()))]
    assert "<@" not in channels.content.head
