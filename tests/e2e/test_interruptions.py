"""Matches that lose their channel or server are paused, and resumed elsewhere."""

import asyncio
from datetime import timedelta

import pytest

from bot.storage import SHOWN_POSTING
from sandbox.faults import Fault
from sandbox.permissions import Permission
from tests.support.channels import close_to
from tests.support.tables import labels, resign
from tests.support.waiting import written

PAUSED = "⏸️ **Paused**: I lost access to this match's channel."


async def match_without_channel(table, *names, **options):
    """The number of a match whose channel was just deleted."""
    public = await table.match(*names, **options)
    match = table.match_of(public)
    table.discord.world.delete_channel("games")
    await hands_say_paused(table, *(names or ("Ann", "Bo")))
    return match


async def hands_say_paused(table, *names):
    await table.discord.until(lambda: all(PAUSED in table.desk(name).text for name in names))


async def resume(table, name, match, channel="lobby"):
    """The answer to the command: the table."""
    return await table.person(name).slash("resume", channel=channel, match=match)


async def offered(table, name, channel="lobby"):
    choices = await table.person(name).autocomplete("resume", "match", "", channel=channel)
    return [choice["value"] for choice in choices]


async def test_deleting_its_channel_pauses_a_match_and_its_hands_say_so(table):
    match = await match_without_channel(table)

    desk = table.desk("Ann")

    assert table.cards(desk) == []
    assert labels(desk) == ["Go to the server"]
    assert desk.images
    assert "If nobody does by <t:" in desk.text
    assert table.sql("SELECT id FROM matches WHERE paused_at NOT NULL") == [(match,)]


async def test_a_click_on_an_old_hand_of_a_paused_match_is_refused(table):
    public = await table.match()
    desk = await table.hand("Ann", public)
    cards = table.cards(desk)
    table.discord.world.delete_channel("games")
    await hands_say_paused(table, "Ann", "Bo")

    answer = await table.person("Ann").forge(table.desk("Ann"), custom_id=cards[0].custom_id)

    assert answer.text.startswith("This match is paused:")


async def test_a_paused_match_is_resumed_elsewhere_and_played_to_its_end(table):
    match = await match_without_channel(table, variant="pico1")
    assert await offered(table, "Bo") == [match]

    answer = await resume(table, "Bo", match)
    await table.discord.until(lambda: all(table.cards(table.desk(n)) for n in ("Ann", "Bo")))

    public = answer.message
    assert "My hand" in labels(public)
    assert public.pinged == frozenset()
    desk = table.desk("Ann")
    assert any(b.url and b.url.endswith(f"/{public.channel_id}/{public.id}") for b in desk.buttons)
    await table.finish(public, "Ann", "Bo")
    assert await offered(table, "Bo") == []


@pytest.mark.parametrize(
    "fails",
    [{"drop": True}, {"status": 404, "code": 10062, "after": True}],
    ids=["not sent", "not heard of"],
)
async def test_a_resumed_match_has_one_table_even_if_the_answer_fails(table, fails):
    match = await match_without_channel(table)
    await table.quiet_now()

    table.discord.faults.add(Fault(path="/callback$", **fails))
    await resume(table, "Bo", match)
    await table.discord.until(lambda: tables(table, "lobby"))
    await table.discord.until(lambda: all(table.cards(table.desk(n)) for n in ("Ann", "Bo")))
    await table.quiet_now()

    assert not table.discord.faults.ordered
    (public,) = tables(table, "lobby")
    for name in ("Ann", "Bo"):
        urls = [button.url or "" for button in table.desk(name).buttons]
        assert any(url.endswith(f"/{public.channel_id}/{public.id}") for url in urls)


async def test_a_match_in_a_deleted_thread_is_paused(table):
    world = table.discord.world
    world.set_permissions(
        "games", allow=Permission.CREATE_PUBLIC_THREADS | Permission.SEND_MESSAGES_IN_THREADS
    )
    message = await table.person("Ann").say("games", "A place of our own")
    made = await table.bot.http.start_thread_with_message(
        world.channel("games").id,
        message.id,
        name="corner",
        auto_archive_duration=60,
        rate_limit_per_user=None,
    )
    thread = world.channel(int(made["id"]))
    await table.match(channel=thread)

    world.delete_channel(thread)

    await hands_say_paused(table, "Ann", "Bo")


async def test_a_server_that_removes_the_bot_pauses_its_matches_until_the_bot_is_back(table):
    public = await table.match()
    match, world = table.match_of(public), table.discord.world
    world.remove_bot()
    await hands_say_paused(table, "Ann", "Bo")
    left = table.sql("SELECT left_at NOT NULL FROM servers")

    world.add_bot()
    answer = await resume(table, "Ann", match, "games")
    await table.discord.until(lambda: table.cards(table.desk("Bo")))

    assert left == [(1,)]
    assert table.sql("SELECT left_at FROM servers") == [(None,)]
    assert public.deleted
    assert not answer.message.deleted


async def test_the_leftover_of_a_moved_table_is_deleted_when_its_match_is_resumed(
    table, monkeypatch
):
    monkeypatch.setattr("bot.live.work_queue.RETRY", (3600.0,))
    first = await table.match()
    await table.quiet_now()
    table.discord.clock.advance(timedelta(minutes=1))
    table.discord.faults.add(Fault(method="DELETE", path=str(first.id), status=503, times=None))
    menu = (await table.person("Ann").click(first, "Menu")).message
    await table.person("Ann").click(menu, "Bring to the bottom")
    await table.handled()
    table.discord.world.remove_bot()
    await hands_say_paused(table, "Ann", "Bo")
    stood = tables(table)

    table.discord.world.add_bot()
    table.discord.faults.ordered.clear()
    answer = await resume(table, "Ann", 1, "games")
    await table.handled()

    assert len(stood) == 2
    assert tables(table) == [answer.message]


@pytest.mark.parametrize("channel", ["games", "lobby"])
@pytest.mark.parametrize("restarted", [False, True])
async def test_an_old_table_that_could_not_be_deleted_is_deleted_after_its_match_is_resumed(
    table, channel, restarted
):
    old = await table.match(pace="slow")
    table.discord.world.remove_bot()
    await hands_say_paused(table, "Ann", "Bo")
    table.discord.world.add_bot()
    table.discord.faults.add(Fault(method="DELETE", path=str(old.id), status=503))

    answer = await resume(table, "Ann", 1, channel)
    await table.quiet_now()
    stood = not old.deleted
    if restarted:
        await table.restart()
        await table.repaired()
    table.pass_time(60)
    await table.discord.until(lambda: old.deleted)
    await written(table, "SELECT * FROM traces", [])
    await table.quiet_now()

    assert stood
    assert tables(table, "games", "lobby") == [answer.message]


def tables(table, *channels):
    """The tables in #games, or in these channels."""
    world = table.discord.world
    messages = [m for c in channels or ("games",) for m in world.history[world.channel(c).id]]
    return [m for m in messages if not (m.deleted or m.ephemeral_to) and "### Pico" in m.text]


@pytest.mark.parametrize("channel", ["games", "lobby"])
@pytest.mark.parametrize("dies", ["before", "after", "deleting"])
async def test_a_resumed_match_has_one_table_even_if_the_bot_dies_at_that_moment(
    table, channel, dies
):
    """Before its answer reaches Discord or afterwards, or while the old table is deleted."""
    old = await table.match()
    await table.quiet_now()
    table.discord.world.remove_bot()
    await hands_say_paused(table, "Ann", "Bo")
    table.discord.world.add_bot()
    await table.discord.until(lambda: PAUSED in old.text)
    await table.quiet_now()
    which = {"method": "POST", "path": "/callback"}
    if dies == "deleting":
        which = {"method": "DELETE", "path": str(old.id)}
    fault = Fault(**which, delay=3600.0, after=dies != "before")
    table.discord.faults.add(fault)

    asked = asyncio.create_task(resume(table, "Ann", 1, channel))
    if dies == "before":
        query = "SELECT shown FROM places WHERE place = -1"
        await written(table, query, [(SHOWN_POSTING,)])
    elif dies == "after":
        await table.discord.until(lambda: any("Round 1" in m.text for m in tables(table, channel)))
    else:
        await table.discord.until(lambda: old.deleted)
    await table.die()
    await table.start()
    await table.repaired()
    await table.quiet_now()
    asked.cancel()

    (new,) = tables(table, "games", "lobby")
    assert new.channel_id == table.discord.world.channel(channel).id
    assert table.sql("SELECT message FROM places WHERE place = -1") == [(new.id,)]
    await table.finish(new, "Ann", "Bo")


async def test_a_server_that_does_not_return_is_forgotten_and_its_players_are_told(table):
    await table.match()
    desk = table.desk("Ann")
    table.discord.world.remove_bot()
    await hands_say_paused(table, "Ann", "Bo")
    await written(table, "SELECT 1 FROM servers WHERE left_at NOT NULL")

    table.pass_time(timedelta(days=30).total_seconds())
    await table.discord.until(lambda: "it was paused for 30 days" in desk.text)
    await table.told()
    await table.quiet_now()
    await written(table, "SELECT 1 FROM matches WHERE NOT settled", [])
    await table.bot.services.guild_lifecycle.forget_guilds(lambda _: False)

    assert table.sql("SELECT * FROM servers") == []
    assert table.sql("SELECT * FROM matches") == []
    answer = await table.person("Ann").forge(desk, custom_id="f1:1:0:pick:9")
    assert answer.text == (
        "This match no longer exists, so its buttons don't work. "
        "Start a new one with a `play` command."
    )


async def test_a_server_that_removed_the_bot_while_it_was_away_is_noticed_when_it_is_ready(table):
    await table.match()
    world = table.discord.world
    other = world.add_guild("Elsewhere")
    await table.stop()
    world.remove_bot(world.guild)

    await table.start()

    await hands_say_paused(table, "Ann", "Bo")
    guilds = table.sql("SELECT guild FROM servers WHERE left_at NOT NULL")
    assert guilds == [(world.guild.id,)]
    assert other.id != world.guild.id


async def test_a_server_that_still_has_the_bot_after_a_restart_counts_as_kept(table):
    await table.match()

    await table.restart()
    await table.quiet_now()

    assert table.sql("SELECT * FROM servers") == []
    await table.trick("Ann", "Bo")


async def test_only_its_players_can_resume_a_match(table):
    match = await match_without_channel(table)

    answer = await resume(table, "Cleo", match)

    assert answer.text == "Only its players can resume this match."
    assert await offered(table, "Cleo") == []


async def test_a_match_can_be_resumed_only_where_the_bot_can_post(table):
    match = await match_without_channel(table)
    table.discord.world.set_permissions("lobby", deny=1 << 15)

    answer = await resume(table, "Ann", match)

    assert "I need Attach Files here." in answer.text
    assert table.sql("SELECT paused_at NOT NULL FROM matches") == [(1,)]


async def test_a_match_can_be_resumed_only_where_the_server_allows_matches(table):
    match = await match_without_channel(table)
    world = table.discord.world
    corner = world.add_channel("corner")
    await table.bot.services.guild_settings.set_channels(world.guild.id, [corner.id])

    answer = await resume(table, "Ann", match)

    assert answer.text == f"You can't start matches in this channel. Play in <#{corner.id}>."


async def test_a_match_can_be_resumed_only_where_its_remaining_players_can_read(table):
    match = await match_without_channel(table)
    await close_to(table, "lobby", "Bo")

    refused = await resume(table, "Ann", match)
    paused = table.sql("SELECT paused_at NOT NULL FROM matches")
    await resume(table, "Bo", match, channel=table.discord.world.add_channel("corner"))

    assert refused.text == (
        f"{table.person('Bo').mention} can't read this channel, so they'd never know. Resume the "
        "match in a channel they can read."
    )
    assert refused.ephemeral
    assert paused == [(1,)]
    assert table.sql("SELECT paused_at NOT NULL FROM matches") == [(0,)]


async def test_a_player_who_left_the_server_need_not_be_able_to_read_the_new_channel(table):
    match = await match_without_channel(table)
    await close_to(table, "lobby", "Bo", "Cleo")
    table.discord.world.remove_member(table.person("Bo").user)

    await resume(table, "Ann", match)

    assert table.sql("SELECT paused_at NOT NULL FROM matches") == [(0,)]


async def test_a_paused_match_survives_a_restart_and_can_be_resumed(table):
    match = await match_without_channel(table)
    await table.restart()

    await resume(table, "Ann", match)

    await table.discord.until(lambda: table.cards(table.desk("Bo")))


async def test_a_paused_match_can_be_ended_by_a_moderator(table):
    match = await match_without_channel(table, "Bo", "Cleo")

    asked = await table.person("Ann").slash("moderate end", channel="lobby", match=match)
    await table.person("Ann").click(asked.message, "End the match")

    await table.discord.until(lambda: "by a moderator" in table.desk("Bo").text)


async def test_no_message_is_edited_only_to_remove_the_link_to_a_rematch_without_a_table(
    table, monkeypatch
):
    monkeypatch.setattr("bot.live.work_queue.RETRY", (3600.0,))  # each attempt is made below
    public = await table.match()
    await resign(table, "Bo", public)
    ended = {name: table.desk(name) for name in ("Ann", "Bo")}
    await table.person("Bo").click(ended["Bo"], "Rematch")
    table.discord.world.delete_channel("games")
    await table.person("Ann").click(ended["Ann"], "Rematch")
    await hands_say_paused(table, "Ann", "Bo")
    await table.discord.until(
        lambda: all("rematch has started" in message.text for message in ended.values())
    )
    showing, since = table.bot.services.live._updater, len(table.discord.requests)

    tried = [await showing._show((1, place)) for place in (0, 1)]

    assert tried == [False, False]
    edited = [str(request.json) for request in table.requests("PATCH", since=since)]
    # The hands of the rematch, which was just paused, may be edited meanwhile.
    assert [text for text in edited if "rematch has started" in text] == []
    await resume(table, "Ann", 2)
    await table.handled()
    assert [await showing._show((1, place)) for place in (0, 1)] == [True, True]
    assert all("Go to the rematch" in labels(message) for message in ended.values())
