"""Posts of the daily puzzle: one per server and day, whatever Discord answers."""

from datetime import timedelta

import pytest
from structlog.testing import capture_logs

from bot.storage.posts import NOWHERE
from bot.time_units import DAY_SECONDS
from sandbox import Fault
from sandbox.permissions import Permission
from tests.support.clock import Watch
from tests.support.puzzle_tables import (
    DAY,
    NOON,
    best,
    posted,
    posting,
    posts,
    quiet,
    solve,
)
from tests.support.tables import seated
from tests.support.waiting import answered, written


@pytest.fixture
async def table(discord, tmp_path):
    async with seated(discord, tmp_path, now=Watch(NOON)) as table:
        yield table


async def test_a_bot_that_dies_between_row_and_message_posts_once(table, monkeypatch):
    """Before the request, and again after Discord has carried it out."""
    await posting(table)
    await posted(table)
    table.discord.faults.add(
        Fault(method="POST", path="/messages$", saying="puzzle.", delay=3600.0)
    )
    table.pass_time(DAY_SECONDS)
    await written(table, "SELECT 1 FROM puzzle_posts WHERE message IS NULL")
    await table.stop()
    table.discord.faults.ordered.clear()

    await table.start(now=table.watch)
    second = await posted(table, 2)
    # As if it had died before it stored the message.
    await table.change(f"UPDATE puzzle_posts SET message = NULL WHERE message = {second.id}")  # noqa: S608
    await table.restart(now=table.watch)
    await quiet(table)

    assert posts(table)[-1] == second
    assert len(posts(table)) == 2
    assert table.sql("SELECT count(*) FROM puzzle_posts WHERE message = ?", second.id) == [(1,)]


async def test_a_post_that_discord_cannot_take_now_is_sent_later(table):
    await posting(table)
    await posted(table)
    table.discord.faults.add(
        Fault(method="POST", path="/messages$", saying="puzzle.", status=403, code=20028)
    )
    table.pass_time(DAY_SECONDS)
    await written(table, "SELECT 1 FROM puzzle_posts WHERE message IS NULL AND due_at > ?")
    await quiet(table)
    assert len(posts(table)) == 1

    table.pass_time(300)

    assert "Yesterday's puzzle" in (await posted(table, 2)).text


async def test_a_puzzle_is_posted_once_even_if_discords_answer_was_lost(table):
    await posting(table)
    await posted(table)
    table.discord.faults.add(
        Fault(method="POST", path="/messages$", saying="puzzle.", drop=True, after=True, times=2)
    )
    table.pass_time(DAY_SECONDS)
    table.discord.clock.advance(timedelta(seconds=DAY_SECONDS))
    await written(table, "SELECT 1 FROM puzzle_posts WHERE message IS NULL AND due_at > ?")

    for seconds in (30, 600):  # Discord forgets a nonce after some minutes
        table.pass_time(seconds)
        table.discord.clock.advance(timedelta(seconds=seconds))
        await quiet(table)

    assert len(posts(table)) == 2
    last = posts(table)[-1].id
    assert table.sql("SELECT count(*) FROM puzzle_posts WHERE message = ?", last) == [(1,)]


async def test_a_puzzle_deleted_before_its_posting_was_confirmed_is_posted_again(table):
    """Discord creates no second message with the same nonce, even if the first was deleted."""
    await posting(table)
    await posted(table)
    table.discord.faults.add(
        Fault(method="POST", path="/messages$", saying="puzzle.", drop=True, after=True, times=2)
    )
    table.pass_time(DAY_SECONDS)
    await written(table, "SELECT 1 FROM puzzle_posts WHERE message IS NULL AND due_at > ?")
    lost = posts(table)[-1]
    table.discord.world.delete_message(lost)

    table.pass_time(30)

    again = await posted(table, 2)
    await quiet(table)
    assert again.id != lost.id
    assert again.images
    assert table.sql("SELECT count(*) FROM puzzle_posts WHERE message = ?", again.id) == [(1,)]


async def post_pending(table):
    """The settings panel, while a post is delayed because of trouble at Discord."""
    panel = await posting(table)
    await posted(table)
    trouble = Fault(method="POST", path="/messages$", saying="puzzle.", status=503, times=2)
    table.discord.faults.add(trouble)
    table.pass_time(DAY_SECONDS)
    await written(table, "SELECT 1 FROM puzzle_posts WHERE message IS NULL AND due_at > ?")
    await quiet(table)
    return panel


async def test_a_pending_post_is_dropped_once_posts_are_turned_off(table):
    panel = await post_pending(table)

    await table.person("Ann").select(panel, "No daily puzzle", [])
    table.pass_time(300)
    await quiet(table)

    assert len(posts(table)) == 1
    failures = table.sql("SELECT failure FROM puzzle_posts WHERE message IS NULL")
    assert failures == [(NOWHERE,)]


async def test_a_pending_post_is_sent_once_to_the_channel_chosen_meanwhile(table):
    panel = await post_pending(table)

    lobby = table.discord.world.channel("lobby")
    await table.person("Ann").select(panel, "No daily puzzle", [lobby])
    await table.discord.until(lambda: posts(table, "lobby"))
    table.pass_time(300)
    await quiet(table)

    assert (len(posts(table)), len(posts(table, "lobby"))) == (1, 1)


async def test_a_post_whose_turn_comes_after_posts_were_turned_off_is_not_sent(table, monkeypatch):
    """If many servers get one at midnight, the last waits for all others."""
    await posting(table)
    await posted(table)
    service, settings = table.bot.services.puzzle_posts, table.bot.services.guild_settings
    claimed = service._claimed

    async def long_ago():
        posts = await claimed()
        await settings.post_puzzles(table.discord.world.guild.id, None)
        return posts

    monkeypatch.setattr(service, "_claimed", long_ago)
    table.pass_time(DAY_SECONDS)
    await quiet(table)

    assert len(posts(table)) == 1


async def test_a_post_claimed_for_a_channel_that_was_just_replaced_goes_to_the_new_one(table):
    await posting(table)
    await posted(table)
    services, world = table.bot.services, table.discord.world
    guild, games = world.guild.id, world.channel("games").id
    await services.guild_settings.post_puzzles(guild, world.channel("lobby").id)
    async with services.storage.transaction() as writing:
        await writing.puzzle_posts.claim(DAY + 1, {guild: games}, NOON)

    table.pass_time(DAY_SECONDS)
    await quiet(table)

    assert (len(posts(table)), len(posts(table, "lobby"))) == (1, 1)


async def test_the_settings_say_which_permission_is_missing_without_requests_to_discord(table):
    panel = await posting(table)
    await posted(table)
    table.discord.world.set_permissions("games", deny=Permission.ATTACH_FILES)
    since = len(table.discord.requests)

    table.pass_time(DAY_SECONDS)
    await written(table, "SELECT 1 FROM puzzle_posts WHERE failure IS NOT NULL")
    await quiet(table)

    games = table.discord.world.channel("games")
    assert table.requests("POST", f"/channels/{games.id}/messages", since) == []
    panel = await answered(table.person("Ann").slash("settings", channel="lobby"))
    assert f"In <#{games.id}> I need Attach Files: I can't post puzzles" in panel.text
    table.discord.world.set_permissions("games", allow=Permission.ATTACH_FILES)
    panel = await answered(table.person("Ann").slash("settings", channel="lobby"))
    assert "I couldn't post the last puzzle" in panel.text
    await table.person("Ann").select(panel, "No daily puzzle", [games])
    assert "Daily puzzle" in (await posted(table, 2)).text


async def test_the_settings_say_that_a_puzzle_was_kept_back_by_a_timeout(table):
    world = table.discord.world
    await posting(table)
    await posted(table)
    world.time_out(world.bot, timedelta(days=1))
    since = len(table.discord.requests)

    table.pass_time(DAY_SECONDS)
    await written(table, "SELECT 1 FROM puzzle_posts WHERE failure IS NOT NULL")
    await quiet(table)

    games = world.channel("games")
    assert table.requests("POST", f"/channels/{games.id}/messages", since) == []
    world.time_out(world.bot, None)
    panel = await answered(table.person("Ann").slash("settings", channel="lobby"))
    sentence = f"I couldn't post the last puzzle in {games.mention}: a moderator had timed me out."
    assert sentence in panel.text


async def test_the_settings_say_that_the_channel_is_gone_and_it_is_not_tried_again(table):
    corner = table.discord.world.add_channel("corner")
    await posting(table, "corner")
    await table.discord.until(lambda: posts(table, "corner"))
    await quiet(table)
    table.discord.world.delete_channel("corner")
    since = len(table.discord.requests)

    for _ in range(2):
        table.pass_time(DAY_SECONDS)
        await quiet(table)

    assert table.requests(path=str(corner.id), since=since) == []
    panel = await answered(table.person("Ann").slash("settings", channel="lobby"))
    assert "The puzzle channel is gone." in panel.text


async def test_a_server_that_removed_the_bot_gets_no_post_until_it_adds_it_again(table):
    world = table.discord.world
    await posting(table)
    await posted(table)
    await solve(table, "Bo", best())
    world.remove_bot()
    await written(table, "SELECT guild FROM servers WHERE left_at IS NOT NULL")
    since = len(table.discord.requests)

    with capture_logs() as logged:
        table.pass_time(DAY_SECONDS)
        await quiet(table)
    asked = table.requests("POST", since=since)
    world.add_bot()
    await written(table, "SELECT guild FROM servers WHERE left_at IS NULL")
    table.pass_time(DAY_SECONDS)
    await posted(table, 2)

    assert asked == []
    assert [line for line in logged if line["log_level"] == "error"] == []
    assert table.sql("SELECT count(*) FROM puzzle_answers") == [(1,)]


async def test_a_server_that_turns_puzzles_off_gets_none(table):
    panel = await posting(table)
    await posted(table)
    await table.person("Ann").select(panel, "No daily puzzle", [])

    table.pass_time(DAY_SECONDS)
    await quiet(table)

    assert len(posts(table)) == 1
