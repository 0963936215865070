"""The weekly digest at the wire: off by default, on Mondays, once, and never empty."""

import pytest

from bot.puzzles.calendar import begins_at
from bot.time_units import DAY_SECONDS
from sandbox import Fault
from sandbox.permissions import Permission
from tests.support.clock import Watch
from tests.support.tables import seated

MONDAY = 21_004
WEDNESDAY = begins_at(MONDAY + 2) + DAY_SECONDS // 2


@pytest.fixture
async def table(discord, tmp_path):
    async with seated(discord, tmp_path, now=Watch(WEDNESDAY)) as table:
        yield table


async def panel(table):
    asked = table.person("Ann").slash("settings", channel="lobby")
    return (await (await asked).settled()).message


async def wanted(table, *channels):
    """Let Ann choose the channels for digests; none turns them off."""
    places = [table.discord.world.channel(name) for name in channels]
    await table.person("Ann").select(await panel(table), "No digest", places)
    await quiet(table)


def posts(table):
    return [m for m in table.person("Dan").see("games") if "The week here" in m.text]


async def quiet(table):
    """Wait until everything that is due has been posted."""
    digests = table.bot.services.digest_posts
    if digests._posting is not None:  # it may have begun before time was advanced
        await digests._posting
    await digests.look()
    await digests._posting


async def permit(table, **overwrite):
    heard = table.bot.wait_for("guild_channel_update", timeout=30)
    table.discord.world.set_permissions("games", **overwrite)
    await heard


async def passed(table, days):
    table.pass_time(days * DAY_SECONDS)
    await quiet(table)


async def played(table, *names):
    """Play a match that the first player wins because the second resigns."""
    public = await table.match(*names)
    number = table.match_of(public)
    await table.person(names[1]).forge(public, custom_id=f"f1:{number}:0:leave:")
    await table.over(public, *names)


async def test_a_digest_is_posted_on_monday_with_the_week_and_notifies_nobody(table):
    await wanted(table, "games")
    await played(table, "Ann", "Bo")
    await played(table, "Ann", "Cleo")
    await played(table, "Ann", "Bo")
    assert posts(table) == []

    await passed(table, 4)
    assert posts(table) == []  # Sunday
    await passed(table, 1)

    (digest,) = posts(table)
    ann = table.person("Ann").mention
    assert "🎲 **3 matches**, 3 players: Pico **3**." in digest.text
    assert f"🔥 **Wins in a row**: {ann} **3**" in digest.text
    assert "puzzle" not in digest.text
    assert digest.pinged == frozenset()
    await passed(table, 2)
    assert posts(table) == [digest]


async def test_no_digest_is_posted_of_an_empty_week_or_if_nobody_wants_it(table):
    await wanted(table, "games")
    await passed(table, 7)
    assert posts(table) == []
    assert table.sql("SELECT message FROM digest_posts") == [(0,), (0,)]

    await wanted(table)
    await played(table, "Ann", "Bo")
    await passed(table, 7)

    assert posts(table) == []
    assert table.sql("SELECT count(*) FROM digest_posts") == [(2,)]


async def test_a_bot_that_dies_while_posting_posts_once_and_one_that_was_away_posts_later(table):
    await wanted(table, "games")
    await played(table, "Ann", "Bo")
    table.discord.faults.add(
        Fault(method="POST", path="/messages$", saying="digest.", delay=3600.0, after=True)
    )
    table.pass_time(5 * DAY_SECONDS)
    await table.discord.until(lambda: posts(table))
    await table.stop()
    table.discord.faults.ordered.clear()

    await table.start(now=table.watch)
    await quiet(table)
    assert len(posts(table)) == 1
    await played(table, "Ann", "Bo")
    await table.stop()
    table.watch.advance(8 * DAY_SECONDS)
    await table.start(now=table.watch)
    await quiet(table)

    assert len(posts(table)) == 2
    assert "🎲 **1 match**" in posts(table)[-1].text


async def test_people_who_are_hidden_deleted_or_gone_are_not_named(table, monkeypatch):
    await wanted(table, "games")
    for name in ("Ann", "Cleo", "Dan"):
        await played(table, name, "Bo")
    monkeypatch.setattr("bot.stats.digests.SHORTEST_STREAK", 1)
    services = table.bot.services
    await services.visibility.hide(table.person("Ann").id, hidden=True)
    await services.erasure.delete(table.person("Cleo").id)
    table.discord.world.guild.members.pop(table.person("Dan").id)

    await passed(table, 5)

    channel = [m for m in table.person("Ann").see("games") if "The week here" in m.text]
    (digest,) = channel
    assert "<@" not in digest.text
    assert "🎲 **3 matches**, 4 players" in digest.text


async def test_the_settings_say_what_keeps_the_digest_from_being_posted(table):
    await wanted(table, "games")
    await played(table, "Ann", "Bo")
    games = table.discord.world.channel("games")
    await permit(table, deny=Permission.ATTACH_FILES)
    await passed(table, 5)
    shown = await panel(table)
    assert f"In <#{games.id}> I need Attach Files: I can't post digests" in shown.text
    await permit(table, allow=Permission.ATTACH_FILES)
    shown = await panel(table)
    assert "I couldn't post the last digest" in shown.text

    await table.person("Ann").select(shown, "No digest", [games])
    await quiet(table)

    assert len(posts(table)) == 1


@pytest.mark.parametrize("placeholder", ["No digest", "No daily puzzle"])
async def test_choosing_a_channel_is_not_mistaken_for_a_moved_clock(
    table, monkeypatch, placeholder
):
    """Otherwise nobody would get back the time in which this machine was suspended just before."""
    moved = []
    monkeypatch.setattr(table.bot.services.deadlines, "clock_moved", lambda: moved.append(True))

    places = [table.discord.world.channel("games")]
    answer = await table.person("Ann").select(await panel(table), placeholder, places)
    await table.settled()

    assert not answer.failed
    assert moved == []


async def test_a_pending_digest_is_dropped_when_digests_are_turned_off(table):
    await wanted(table, "games")
    await played(table, "Ann", "Bo")
    table.discord.faults.add(
        Fault(method="POST", path="/messages$", saying="digest.", status=503, times=2)
    )
    await passed(table, 5)
    assert len(table.sql("SELECT 1 FROM digest_posts WHERE message IS NULL")) == 1

    await wanted(table)
    table.pass_time(300)
    await quiet(table)

    assert posts(table) == []


async def test_a_pending_digest_is_posted_if_the_channel_is_cleared_and_chosen_again(table):
    await wanted(table, "games")
    await played(table, "Ann", "Bo")
    table.discord.faults.add(
        Fault(method="POST", path="/messages$", saying="digest.", status=503, times=2)
    )
    await passed(table, 5)
    assert posts(table) == []

    await wanted(table)
    table.pass_time(300)
    await quiet(table)
    await wanted(table, "games")
    assert len(posts(table)) == 1
    await wanted(table)
    await wanted(table, "games")

    assert len(posts(table)) == 1


async def test_a_failed_digest_is_posted_if_the_channel_is_cleared_and_chosen_again(table):
    """Discord's menu sends nothing if the channel that is already selected is picked again."""
    await wanted(table, "games")
    await played(table, "Ann", "Bo")
    await permit(table, deny=Permission.ATTACH_FILES)
    await passed(table, 5)
    await permit(table, allow=Permission.ATTACH_FILES)
    assert "To get this one too, choose the channel again." in (await panel(table)).text

    await wanted(table)
    assert posts(table) == []
    await wanted(table, "games")

    assert len(posts(table)) == 1
