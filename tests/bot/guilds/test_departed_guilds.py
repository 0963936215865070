"""When the bot leaves a server: its matches are paused, and after 30 days only it is deleted."""

import asyncio
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import pytest

from bot.guilds.lifecycle import GuildLifecycle
from bot.matches.pauses import Pauses
from bot.storage.clocks import VacationRecord
from bot.storage.puzzles import AnswerRecord
from bot.storage.schema import metadata
from tests.bot.storage.test_migrations import fill
from tests.support.held_calls import HeldCalls
from tests.support.match_records import ask, change, dealt, finished
from tests.support.matches import ANN, BEA, CHANNEL, CYD, GUILD, NOW
from tests.support.waiting import until

OTHER = GUILD + 1
DAY = 24 * 60 * 60
LEFT = int(NOW) - 30 * DAY


class Slots:
    def __init__(self):
        self.forgotten = []

    def forget(self, match):
        self.forgotten.append(match)


class Live:
    """Stands in for `Live`: records the matches to redraw."""

    def __init__(self):
        self.slots = Slots()
        self.redrawn = []

    def retry_and_update(self, match):
        self.redrawn.append(match)


def gone(_guild):
    """Return that the bot isn't in the server."""
    return False


class Channels:
    """Channels according to Discord and discord.py; none is in the library's cache."""

    def __init__(self, *, gone=False):
        self._gone = gone
        self.since = None

    async def is_gone(self, _channel):
        return self._gone

    def sees(self, _channel):
        return False

    def may_edit_in(self, _channel):
        return True

    def is_in_outage(self, _guild):
        return False

    def joined_at(self, _guild):
        return self.since


@pytest.fixture
def guild_lifecycle(storage):
    return GuildLifecycle(
        storage,
        Pauses(storage, now=lambda: NOW),
        Live(),
        channels=Channels(),
        now=lambda: NOW,
    )


async def leave(storage, guild=GUILD, at=LEFT):
    async with storage.transaction() as writing:
        await writing.guilds.note_left(guild, at)


def settle(database):
    change(database, "UPDATE matches SET settled = true")


class DyingStorage:
    """A storage whose process dies when it begins transaction number `at`, counted from 0."""

    def __init__(self, storage, at):
        self._storage = storage
        self._left = at

    @asynccontextmanager
    async def transaction(self):
        if not self._left:
            raise RuntimeError("killed")
        self._left -= 1
        async with self._storage.transaction() as writing:
            yield writing


def servers_in(database):
    """Return the servers that occur in any table."""
    tables = [table.name for table in metadata.sorted_tables if "guild" in table.c]
    return {row[0] for name in tables for row in ask(database, f"SELECT guild FROM {name}")}  # noqa: S608


@pytest.mark.parametrize("at", [0, 1])
async def test_matches_of_a_left_server_are_paused_even_after_a_crash(
    guild_lifecycle, storage, database, at
):
    await dealt(storage)
    dying = DyingStorage(storage, at)
    killed = GuildLifecycle(
        dying,
        Pauses(dying, now=lambda: NOW),
        Live(),
        channels=Channels(),
        now=lambda: NOW,
    )
    with pytest.raises(RuntimeError, match="killed"):
        await killed.server_left(GUILD)

    await guild_lifecycle.compare({})

    assert ask(database, "SELECT paused_why FROM matches") == [("lost",)]
    assert ask(database, "SELECT left_at FROM servers") == [(int(NOW),)]


async def test_matches_in_lost_channels_are_paused_a_few_servers_at_a_time(
    storage, database, monkeypatch
):
    monkeypatch.setattr("bot.guilds.lifecycle.ASKED_AT_ONCE", 2)
    for number in range(5):
        await dealt(storage, number, guild=GUILD + number, channel=CHANNEL + number)
    channels = Channels(gone=True)
    guild_lifecycle = GuildLifecycle(
        storage, Pauses(storage, now=lambda: NOW), Live(), channels=channels, now=lambda: NOW
    )

    await guild_lifecycle.compare(dict.fromkeys(range(GUILD, GUILD + 5)))

    assert ask(database, "SELECT paused_why FROM matches") == [("lost",)] * 5


@pytest.mark.parametrize("what", ["answer", "season", "vacation"])
async def test_a_server_is_marked_as_left_whatever_is_stored_about_it(
    guild_lifecycle, storage, database, what
):
    """It may have removed the bot while the bot wasn't running, and have no match or setting."""
    async with storage.transaction() as writing:
        match what:
            case "answer":
                await writing.puzzles.add(
                    AnswerRecord(
                        day=1, user=ANN, guild=GUILD, choice="9", solved=True, answered_at=LEFT
                    )
                )
            case "season":
                await writing.seasons.start(GUILD, "Spring", LEFT)
            case "vacation":
                vacation = VacationRecord(started_at=LEFT, until=LEFT + DAY)
                await writing.clocks.begin_vacation(ANN, GUILD, vacation)
            case _:
                pytest.fail(f"{what} isn't stored")

    await guild_lifecycle.compare({})

    assert ask(database, "SELECT guild, left_at FROM servers") == [(GUILD, int(NOW))]


async def test_servers_of_other_processes_are_not_marked_as_left(
    guild_lifecycle, storage, database
):
    ours = await dealt(storage)
    await dealt(storage, 2, guild=OTHER)

    await guild_lifecycle.compare({}, lambda guild: guild == GUILD)

    assert ask(database, "SELECT id FROM matches WHERE paused_why = 'lost'") == [(ours,)]
    assert ask(database, "SELECT guild FROM servers WHERE left_at IS NOT NULL") == [(GUILD,)]


async def test_every_row_of_a_forgotten_server_is_deleted_from_every_table(
    guild_lifecycle, storage, database
):
    fill(database)
    settle(database)
    await leave(storage)
    assert all(ask(database, f"SELECT 1 FROM {t.name}") for t in metadata.sorted_tables)  # noqa: S608

    await guild_lifecycle.forget_guilds(gone)

    kept = {
        t.name
        for t in metadata.sorted_tables
        if ask(database, f"SELECT 1 FROM {t.name}")  # noqa: S608
    }
    # Traces are kept: their messages are tried anyway, and the rows deleted when those are gone.
    of_persons = {"people", "blocks", "lessons", "former_people", "former_blocks", "traces"}
    of_processes = {"processes", "shards", "identifies", "handed"}
    assert kept == of_persons | of_processes | {"synced_commands", "puzzle_days"}
    assert sorted(guild_lifecycle._live.slots.forgotten) == [1, 2, 3]


async def test_other_servers_keep_everything_and_ratings_still_match_the_results(
    guild_lifecycle, storage, database, monkeypatch
):
    monkeypatch.setattr("bot.guilds.lifecycle.DELETED_AT_ONCE", 2)
    for n in range(5):
        await finished(storage, 2 * n, (ANN, BEA), (1, 2))
        await finished(storage, 2 * n + 1, (ANN, CYD), (1, 1), guild=OTHER)
    async with storage.transaction() as writing:
        await writing.seasons.start(OTHER, "Spring", 2000)
    settle(database)
    await leave(storage)
    before = ask(database, f"SELECT * FROM ratings WHERE guild = {OTHER}")  # noqa: S608

    await guild_lifecycle.forget_guilds(gone)

    assert servers_in(database) == {OTHER}
    assert ask(database, "SELECT * FROM ratings") == before
    assert ask(database, "SELECT count(*) FROM matches") == [(5,)]
    async with storage.reading() as reading:
        assert (await reading.ratings.audit()).right


@pytest.mark.parametrize(
    ("at", "settled", "gone"),
    [
        (LEFT, True, True),
        (LEFT + 1, True, False),
        (LEFT, False, False),
        (LEFT - DAY, False, True),
    ],
    ids=["30 days", "a second less", "players still to be told", "told or not, a day later"],
)
async def test_a_server_is_forgotten_after_30_days_once_its_matches_are_settled(
    storage, database, at, settled, gone
):
    await dealt(storage)
    change(database, f"UPDATE matches SET settled = {str(settled).lower()}")  # noqa: S608
    await leave(storage, at=at)

    async with storage.reading() as reading:
        found = await reading.guilds.left_before(LEFT, LEFT - DAY)

    assert (found == [GUILD]) is gone


def days_after(days):
    return datetime.fromtimestamp(LEFT + days * DAY, UTC)


@pytest.mark.parametrize(
    ("since", "keeps"),
    [
        (days_after(29), True),
        (days_after(30), False),
        (days_after(-100), False),
        (None, False),
    ],
    ids=["in time", "too late", "unknown for how long", "unknown"],
)
async def test_a_server_that_returns_in_time_keeps_everything_and_later_starts_over(
    guild_lifecycle, storage, database, since, keeps
):
    """Even if the bot wasn't running when it returned, because Discord knows when it joined."""
    await finished(storage, 1, (ANN, BEA), (1, 2))
    await leave(storage)

    await guild_lifecycle.compare({GUILD: since})

    assert (ask(database, "SELECT count(*) FROM ratings") == [(2,)]) is keeps
    assert ask(database, "SELECT left_at FROM servers") == [(None,)] * keeps


async def test_a_server_that_returns_at_once_keeps_everything(guild_lifecycle, storage, database):
    await finished(storage, 1, (ANN, BEA), (1, 2))
    await leave(storage, at=int(NOW) - 5)

    await guild_lifecycle.server_joined(GUILD, None)
    await guild_lifecycle.forget_guilds(gone)

    assert ask(database, "SELECT count(*) FROM results") == [(2,)]
    assert ask(database, "SELECT left_at FROM servers") == [(None,)]


async def test_a_server_that_returns_just_before_it_is_forgotten_is_kept(
    guild_lifecycle, storage, database
):
    await finished(storage, 1, (ANN, BEA), (1, 2))
    settle(database)

    await guild_lifecycle._forget(GUILD)

    assert ask(database, "SELECT count(*) FROM results") == [(2,)]


@pytest.mark.parametrize(("is_in", "kept"), [(True, 2), (None, 2), (False, 0)])
async def test_only_servers_that_the_bot_is_not_in_are_forgotten(
    guild_lifecycle, storage, database, is_in, kept
):
    """Its return may not have been stored, or only another process may know of it."""
    await finished(storage, 1, (ANN, BEA), (1, 2))
    settle(database)
    await leave(storage)

    await guild_lifecycle.forget_guilds(lambda _: is_in)

    assert ask(database, "SELECT count(*) FROM results") == [(kept,)]
    async with storage.reading() as reading:
        assert (GUILD in await reading.guilds.left()) is (is_in is None)


@pytest.mark.parametrize(("days", "kept"), [(29, 2), (30, 0), (-100, 2)])
async def test_a_server_that_returned_too_late_is_forgotten_before_the_comparison_too(
    guild_lifecycle, storage, database, days, kept
):
    """The clock may look between READY and the comparison, which then finds nothing to do."""
    await finished(storage, 1, (ANN, BEA), (1, 2))
    settle(database)
    await leave(storage)
    guild_lifecycle._channels.since = days_after(days)

    await guild_lifecycle.forget_guilds(lambda _: True)

    assert ask(database, "SELECT count(*) FROM results") == [(kept,)]
    async with storage.reading() as reading:
        assert await reading.guilds.left() == {}


@pytest.mark.parametrize("paused", ["paused_at = NULL", "paused_at = 1, paused_why = 'agreed'"])
async def test_a_thread_deleted_with_its_channel_is_lost_to_running_and_paused_matches(
    storage, database, paused
):
    match = await dealt(storage)
    change(database, f"UPDATE matches SET {paused}")  # noqa: S608 - our own words
    live = Live()
    lifecycle = GuildLifecycle(
        storage,
        Pauses(storage, now=lambda: NOW),
        live,
        channels=Channels(gone=True),
        now=lambda: NOW,
    )

    for _ in range(2):
        await lifecycle.channel_with_threads_gone(CHANNEL + 1, GUILD)

    assert ask(database, "SELECT paused_why FROM matches") == [("lost",)]
    assert live.redrawn == [match], "and only once"


async def test_a_server_that_returns_before_its_leaving_is_stored_is_not_marked_as_left(
    guild_lifecycle, storage, monkeypatch
):
    leaving = HeldCalls(monkeypatch, guild_lifecycle._pauses, "pause_server")
    left = asyncio.create_task(guild_lifecycle.server_left(GUILD))
    await leaving.reached()
    joined = asyncio.create_task(guild_lifecycle.server_joined(GUILD, None))
    await until(lambda: joined.done() or guild_lifecycle._orders[GUILD]._waiters)

    leaving.let_through()
    await asyncio.gather(left, joined)

    async with storage.reading() as reading:
        assert await reading.guilds.left() == {}
