"""The settings of servers: stored, changed one at a time, and obeyed."""

import asyncio
from dataclasses import replace

import pytest

from bot.errors import ButtonError
from bot.settings.guilds import GuildSettings
from bot.storage import TABLE, MessageRef
from bot.storage.guilds import GuildRecord
from tests.support.match_records import ask, change, dealt, finished, put_message
from tests.support.matches import ANN, BEA, GUILD
from tests.support.storages import storage_of
from tests.support.waiting import until

OTHER = GUILD + 1


@pytest.fixture
def servers(storage):
    return GuildSettings(storage)


async def test_a_server_that_has_chosen_nothing_allows_everything(servers):
    assert await servers.of(GUILD) == GuildRecord(
        guild=GUILD,
        time_control=None,
        tap=None,
        threads=False,
        games_off=frozenset(),
        channels=frozenset(),
    )


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        ("pace live", {"time_control": "live"}),
        ("pace today", {"time_control": "today"}),
        ("pace slow", {"time_control": "slow"}),
        ("pace relaxed", {"time_control": "relaxed"}),
        ("pace none", {"time_control": "none"}),
        ("tap on", {"tap": True}),
        ("tap off", {"tap": False}),
        ("threads on", {"threads": True}),
        ("threads off", {"threads": False}),
    ],
)
async def test_each_setting_is_changed_by_itself_and_stored(servers, what, expected):
    changed = await servers.change(GUILD, what)

    assert changed == GuildRecord(guild=GUILD, **expected)
    assert await servers.of(GUILD) == changed
    assert await servers.of(OTHER) == GuildRecord(guild=OTHER)


async def test_changing_one_setting_leaves_the_others_unchanged(servers):
    await servers.set_channels(GUILD, [5, 4])
    await servers.switch(GUILD, on=["pico"], off=["duel"])
    await servers.change(GUILD, "threads on")

    assert await servers.change(GUILD, "pace live") == GuildRecord(
        guild=GUILD,
        time_control="live",
        threads=True,
        games_off=frozenset({"duel"}),
        channels=frozenset({4, 5}),
    )


async def test_an_unknown_setting_is_refused(servers):
    with pytest.raises(ButtonError, match=r"That setting doesn't exist\. Use `/settings` again\."):
        await servers.change(GUILD, "pace hasty")


async def test_chosen_channels_replace_earlier_ones_and_none_means_everywhere(servers):
    await servers.set_channels(GUILD, [4, 5])
    await servers.set_channels(OTHER, [9])
    await servers.set_channels(GUILD, [6])
    only = await servers.of(GUILD)
    await servers.set_channels(GUILD, [])

    assert only.channels == {6}
    assert (await servers.of(GUILD)).channels == set()
    assert (await servers.of(OTHER)).channels == {9}


async def test_switching_some_games_leaves_the_others_unchanged(servers):
    await servers.switch(GUILD, on=[], off=["duel", "pico", "spite"])

    changed = await servers.switch(GUILD, on=["duel"], off=["pico"])

    assert changed.games_off == {"pico", "spite"}


async def test_a_server_is_known_by_settings_or_matches_until_the_bot_leaves(servers, storage):
    await dealt(storage)
    await servers.change(OTHER, "threads on")
    async with storage.reading() as reading:
        before = await reading.guilds.known()
    async with storage.transaction() as writing:
        await writing.guilds.note_left(GUILD, 1234)
        await writing.guilds.note_left(OTHER, 1234)

    async with storage.reading() as reading:
        after = await reading.guilds.known()

    assert (before, after) == ({GUILD, OTHER}, set())


async def test_the_time_of_leaving_is_stored_and_joining_again_clears_it(
    servers, storage, database
):
    await servers.change(GUILD, "threads on")
    async with storage.transaction() as writing:
        await writing.guilds.note_left(GUILD, 1234)
        await writing.guilds.note_left(OTHER, 1235)
    left = ask(database, "SELECT guild, left_at, threads FROM servers ORDER BY guild")

    async with storage.transaction() as writing:
        await writing.guilds.note_joined([GUILD])

    assert left == [(GUILD, 1234, 1), (OTHER, 1235, 0)]
    assert ask(database, "SELECT guild, left_at FROM servers ORDER BY guild") == [
        (GUILD, None),
        (OTHER, 1235),
    ]


async def test_a_server_chooses_which_time_off_can_be_taken(servers):
    allowed = await servers.allow(GUILD, ["pause", "vacation"])

    assert allowed.settings.time_off_barred == {"reserve", "resume", "take_back"}
    assert await servers.of(GUILD) == allowed.settings


async def test_held_results_are_edited_when_resuming_is_allowed_or_disallowed(
    servers, storage, database
):
    """That they must be edited is stored in the same transaction, so that a crash can't lose it."""
    held = await finished(storage, 1, (ANN, BEA), (1, 2))
    other = await finished(storage, 2, (ANN, BEA), (1, 2))
    for match in (held, other):
        await put_message(storage, match, TABLE, MessageRef(channel=7, message=match, shown="over"))
    change(database, f"UPDATE matches SET counts_at = 5 WHERE id = {held}")  # noqa: S608 - a number

    barred = await servers.allow(GUILD, ["pause"])
    once = ask(database, "SELECT match, shown FROM places ORDER BY match")
    again = await servers.allow(GUILD, ["vacation"])
    allowed = await servers.allow(GUILD, ["resume"])

    assert once == [(held, ""), (other, "over")]
    assert [found.matches_to_edit for found in (barred, again, allowed)] == [[held], (), [held]]


WAITING = "SELECT 1 FROM pg_locks WHERE NOT granted"


@pytest.mark.slow
@pytest.mark.parametrize(
    "choose",
    [
        lambda servers: servers.post_puzzles(GUILD, 5),
        lambda servers: servers.post_digests(GUILD, 5, 7),
    ],
    ids=["puzzles", "digests"],
)
async def test_choosing_a_channel_for_posts_overwrites_no_concurrent_change(
    server_database, choose
):
    """Choosing a channel waits for the lock of another change to the same settings."""
    server_database.empty()
    async with storage_of(server_database) as storage:
        servers = GuildSettings(storage)
        async with storage.transaction() as writing:
            before = await writing.guilds.settings(GUILD, changing=True)
            choosing = asyncio.create_task(choose(servers))
            await until(lambda: choosing.done() or server_database.ask(WAITING))
            await writing.guilds.put_settings(replace(before, threads=True))

        chosen = await choosing

        assert chosen.threads
        assert 5 in {chosen.puzzle_channel, chosen.digest_channel}
        assert await servers.of(GUILD) == chosen
