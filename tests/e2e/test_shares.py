"""Sharing a result at the wire: who can, where it is posted, and only once."""

import asyncio

import pytest

from bot.computers import coach
from bot.interactions.error_handler import UNSHARED
from bot.messaging.membership import UNKNOWN, Membership
from games.computers import COMPUTERS
from games.pico import PICO
from sandbox import Fault
from sandbox.permissions import Overwrite, Permission
from tests.support.channels import shared
from tests.support.clock import MINUTE, Watch
from tests.support.drawing import Threads
from tests.support.held_calls import HeldCalls
from tests.support.match_threads import begun, threads, want_threads
from tests.support.tables import labels, seated
from tests.support.thinking import Lowest
from tests.support.unconnected import unconnected

BOTH = ("Ann", "Bo")


@pytest.fixture
async def table(discord, tmp_path, monkeypatch):
    monkeypatch.setitem(COMPUTERS, "pico", Lowest(PICO))
    async with seated(discord, tmp_path, Threads(), now=Watch()) as table:
        yield table


@pytest.fixture
async def ended(table):
    """The table of a match that Ann has resigned after a trick in which Bo played high."""
    public = await table.match(*BOTH)
    await table.play("Ann", 0)
    await table.play("Bo", -1)
    await table.discord.until(lambda: table.step(table.desk("Bo")) == 1)
    await table.person("Ann").forge(public, custom_id=f"f1:{table.match_of(public)}:1:leave:")
    await table.over(public, *BOTH)
    return public


async def share(table, name, message):
    return (await (await table.person(name).click(message, "Share")).settled()).message


def history(table, *, allowed):
    read = Permission.READ_MESSAGE_HISTORY
    table.discord.world.set_permissions("games", **{"allow" if allowed else "deny": read})


async def test_a_result_is_posted_once_per_player_and_notifies_nobody(table, ended):
    first = await share(table, "Bo", ended)
    again = await share(table, "Bo", table.desk("Bo", ended))
    other = await share(table, "Ann", table.desk("Ann", ended))

    by_bo, by_ann = shared(table)
    assert {by_bo.channel_id, by_ann.channel_id} == {ended.channel_id}
    assert first.ephemeral_to == table.person("Bo").id
    assert first.text.startswith(f"Shared in <#{ended.channel_id}>.")
    assert again.text.startswith("You've already shared this in ")
    assert first.buttons[0].url == again.buttons[0].url
    assert first.buttons[0].url.endswith(f"/{by_bo.channel_id}/{by_bo.id}")
    assert other.buttons[0].url.endswith(f"/{by_ann.id}")
    assert (by_bo.pinged, by_ann.pinged) == (frozenset(), frozenset())
    bo, ann = (table.person(name).mention for name in ("Bo", "Ann"))
    assert f"**{bo} wins**: {ann} resigned." in by_bo.text
    assert f"Shared by {bo}" in by_bo.text
    assert f"Shared by {ann}" in by_ann.text
    assert labels(by_bo) == ["Replay", "Table"]
    assert (len(by_bo.images), len(by_ann.images)) == (1, 1)


async def test_a_post_that_a_moderator_has_deleted_can_be_shared_again(table, ended):
    history(table, allowed=True)
    await share(table, "Bo", ended)
    await share(table, "Ann", ended)
    by_bo, by_ann = shared(table)
    table.discord.world.delete_message(by_bo)
    table.watch.advance(MINUTE)

    second = await share(table, "Bo", ended)
    third = await share(table, "Bo", table.desk("Bo", ended))

    kept, new = shared(table)
    assert kept is by_ann
    assert second.text.startswith("Shared in ")
    assert third.text.startswith("You've already shared this in ")
    assert third.buttons[0].url == second.buttons[0].url
    assert second.buttons[0].url.endswith(f"/{new.id}")


@pytest.mark.parametrize("why", ["history", "trouble"])
async def test_a_post_that_may_still_exist_is_not_posted_again(table, ended, why):
    history(table, allowed=why == "trouble")
    await share(table, "Bo", ended)
    (post,) = shared(table)
    table.discord.world.delete_message(post)
    if why == "trouble":
        table.discord.faults.add(Fault(method="GET", path=f"/messages/{post.id}$", status=503))

    answer = await share(table, "Bo", ended)

    assert answer.text.startswith("You've already shared this in ")
    assert shared(table) == []


async def test_only_the_sharers_own_choice_is_named(table, ended):
    """Bo's only choice was not the lowest card, and Ann's was."""
    ((played,),) = table.sql(
        "SELECT move FROM moves JOIN seats USING (match, seat) WHERE seats.user = ?",
        table.person("Bo").id,
    )

    await share(table, "Bo", ended)
    await share(table, "Ann", ended)

    by_bo, by_ann = shared(table)
    bo = table.person("Bo").mention
    assert f"**Turning point**, round 1, trick 1 (step 1): {bo} chose `{played}`; " in by_bo.text
    assert "12% better, says the coach." in by_bo.text
    assert f" chose {played}; " in by_bo.images[0].description
    assert "Turning point" not in by_ann.text + by_ann.images[0].description


async def test_simultaneous_clicks_post_once_for_somebody_who_prefers_words(table, ended):
    """Others still see the picture."""
    await table.bot.services.preferences.change(table.person("Bo").id, "pictures off")

    answers = await asyncio.gather(*(table.person("Bo").click(ended, "Share") for _ in range(3)))
    await asyncio.gather(*(answer.settled() for answer in answers))

    assert [len(post.images) for post in shared(table)] == [1]
    assert table.sql("SELECT count(*) FROM shares") == [(1,)]


@pytest.mark.parametrize("where", [{"path": "/callback"}, {"saying": "share."}])
async def test_somebody_who_cannot_be_shown_that_it_is_posted_is_not_told_so(table, ended, where):
    table.discord.faults.add(Fault(method="POST", drop=True, times=2, **where))

    answer = await share(table, "Bo", ended)

    assert answer.text == UNSHARED
    assert shared(table) == []
    assert (await share(table, "Bo", ended)).text.startswith("Shared in ")
    assert len(shared(table)) == 1


async def test_a_post_is_not_mistaken_for_the_deleted_table(table, ended):
    """After a restart, the bot looks for a table that it may have sent without confirmation."""
    table.discord.world.set_permissions("games", allow=Permission.READ_MESSAGE_HISTORY)
    await share(table, "Bo", ended)
    (post,) = shared(table)
    table.watch.advance(MINUTE)
    await table.restart()
    table.discord.world.delete_message(ended)

    await table.person("Ann").click(table.desk("Ann"), "Rematch")
    await table.settled()

    assert shared(table) == [post]
    (again,) = [m for m in table.person("Dan").see("games") if "wants a rematch" in m.text]
    assert labels(again)[0] == "Rematch"


async def test_somebody_who_cannot_write_in_the_channel_cannot_share_there(table, ended):
    hand = table.desk("Bo", ended)
    games = table.discord.world.channel("games")
    silenced = Overwrite(id=table.person("Bo").id, type=1, deny=int(Permission.SEND_MESSAGES))
    games.overwrites = [*games.overwrites, silenced]
    heard = table.bot.wait_for("guild_channel_update", timeout=30)
    table.discord.world.emit("channel_updated", games)
    await heard

    at_table = await table.person("Bo").click(ended, "Share")
    at_hand = await (await table.person("Bo").click(hand, "Share")).settled()
    heard = table.bot.wait_for("guild_channel_update", timeout=30)
    table.discord.world.set_permissions("games", deny=Permission.ATTACH_FILES)
    await heard
    without_files = await table.person("Ann").click(ended, "Share")
    stranger = await table.person("Dan").click(ended, "Share")

    sentence = (
        f"You can't send messages in <#{games.id}>, so I can't post "
        f"for you there. Ask a moderator to let you."
    )
    assert (at_table.text, at_hand.text) == (sentence, sentence)
    assert without_files.text == (
        f"I can't post in <#{games.id}>: I need Attach Files there. Ask a moderator to allow that."
    )
    assert stranger.text == "Only players can share a result. Share one of your own matches."
    assert table.sql("SELECT count(*) FROM shares") == [(0,)]


async def test_somebody_who_has_left_the_server_cannot_share_there(table, ended):
    hand = table.desk("Bo", ended)
    table.discord.world.guild.members.pop(table.person("Bo").id)

    answer = await (await table.person("Bo").click(hand, "Share")).settled()

    assert answer.text == "You're not in this match's server anymore, so you can't share it there."
    assert shared(table) == []


async def test_a_bot_that_dies_while_posting_posts_once(table, ended):
    table.discord.faults.add(
        Fault(method="POST", path="/messages$", saying="share.", delay=3600.0, after=True)
    )
    await table.person("Bo").click(ended, "Share")
    await table.discord.until(lambda: shared(table))
    await table.die()
    table.discord.faults.ordered.clear()

    await table.start(now=table.watch)
    told = await share(table, "Bo", ended)

    (post,) = shared(table)
    assert told.buttons[0].url.endswith(f"/{post.id}")


async def test_neither_uncertain_nor_private_facts_are_shared(table, ended, monkeypatch):
    """The coach had no time, and Ann hides her rating."""
    monkeypatch.setattr(coach, "MAX_STUDY_SECONDS", -1.0)
    await table.bot.services.visibility.hide(table.person("Ann").id, hidden=True)

    await share(table, "Bo", ended)

    (post,) = shared(table)
    assert "Turning point" not in post.text + post.images[0].description
    (told,) = [line for line in post.text.splitlines() if "Ratings" in line]
    assert table.person("Bo").mention in told
    assert table.person("Ann").mention not in told
    assert post.images[0].description.count("→") == 1


async def test_posts_of_a_deleted_player_are_deleted_whenever_the_bot_dies(table, ended):
    await share(table, "Bo", ended)
    await share(table, "Ann", ended)

    await table.bot.services.erasure.delete(table.person("Bo").id)
    await table.restart()
    await table.discord.until(lambda: len(shared(table)) == 1)

    (kept,) = shared(table)
    assert f"Shared by {table.person('Ann').mention}" in kept.text
    assert table.sql("SELECT user FROM shares") == [(table.person("Ann").id,)]


async def test_a_player_deleted_during_the_coachs_analysis_is_in_no_post(table, ended, monkeypatch):
    """Ann had also hidden her results, which isn't known about a former player."""
    services, ann = table.bot.services, table.person("Ann")
    await services.visibility.hide(ann.id, hidden=True)
    looking = HeldCalls(monkeypatch, services.archive, "course")
    sharing = asyncio.create_task(share(table, "Bo", ended))
    await looking.reached()
    await services.erasure.delete(ann.id)
    looking.let_through()
    await sharing

    (post,) = shared(table)
    assert ann.mention not in post.text
    assert "a former player resigned" in post.text
    (ratings,) = [line for line in post.text.splitlines() if "Ratings" in line]
    assert (ratings.count("→"), post.images[0].description.count("→")) == (1, 1)


@pytest.fixture
async def in_thread(table):
    """The table of a match that Bo has won in its own thread."""
    await want_threads(table)
    _, public = await begun(table)
    await table.person("Ann").forge(public, custom_id=f"f1:{table.match_of(public)}:0:leave:")
    await table.settled()
    return public


@pytest.mark.parametrize("where", ["table", "hand", "hand, archived"])
async def test_a_result_shared_in_the_thread_of_its_match_is_posted_in_the_channel(
    table, in_thread, where
):
    (thread,) = threads(table)
    message = in_thread if where == "table" else table.desk("Bo", in_thread)
    if where == "hand, archived":
        table.discord.world.archive_thread(thread)

    told = await share(table, "Bo", message)
    again = await share(table, "Bo", table.desk("Bo", in_thread))

    (post,) = shared(table)
    games = table.discord.world.channel("games")
    assert told.text.startswith(f"Shared in <#{games.id}>.")
    assert again.text.startswith(f"You've already shared this in <#{games.id}>.")
    assert shared(table, thread) == []
    replay = (await (await table.person("Dan").click(post, "Replay")).settled()).message
    assert "Pico" in replay.text


async def test_a_result_stays_in_its_thread_if_it_cannot_be_posted_in_the_channel(table, in_thread):
    (thread,) = threads(table)
    heard = table.bot.wait_for("guild_channel_update", timeout=30)
    table.discord.world.set_permissions("games", deny=Permission.SEND_MESSAGES)
    await heard

    told = await share(table, "Bo", in_thread)

    assert told.text.startswith(f"Shared in <#{thread.id}>.")
    assert (shared(table), len(shared(table, thread))) == ([], 1)


async def test_a_result_is_not_posted_in_its_thread_because_discord_was_slow(
    table, in_thread, monkeypatch
):
    """Only the first question who they are isn't answered in time."""
    (thread,) = threads(table)
    query, asked = Membership._query, []

    async def slow_at_first(self, server, batches):
        asked.append(batches)
        return None if len(asked) == 1 else await query(self, server, batches)

    monkeypatch.setattr(Membership, "_query", slow_at_first)

    told = await share(table, "Bo", table.desk("Bo", in_thread))
    then = await share(table, "Bo", table.desk("Bo", in_thread))

    assert told.text == UNKNOWN
    assert then.text.startswith("Shared in")
    assert (len(shared(table)), shared(table, thread)) == (1, [])


async def test_a_result_is_not_posted_while_discord_does_not_say_where_its_thread_is(
    table, in_thread
):
    """It is posted only once, so it would never get into the channel."""
    (thread,) = threads(table)
    table.discord.world.archive_thread(thread)
    table.discord.faults.add(
        Fault(method="GET", path=f"/channels/{thread.id}$", drop=True, times=None)
    )

    refused = await share(table, "Bo", table.desk("Bo", in_thread))
    table.discord.faults.ordered.clear()
    told = await share(table, "Bo", table.desk("Bo", in_thread))

    assert refused.text == UNSHARED
    assert told.text.startswith(f"Shared in <#{table.discord.world.channel('games').id}>.")
    assert (len(shared(table)), shared(table, thread)) == (1, [])


async def test_a_result_is_not_posted_in_its_thread_while_its_server_is_not_connected(
    table, in_thread
):
    """Whether it can be posted in the channel isn't known yet, and it is posted only once."""
    (thread,) = threads(table)

    with unconnected(table.bot):
        refused = await share(table, "Bo", in_thread)
    told = await share(table, "Bo", in_thread)

    assert refused.text == "I can't reach that server right now. Try again in a minute."
    assert told.text.startswith(f"Shared in <#{table.discord.world.channel('games').id}>.")
    assert (len(shared(table)), shared(table, thread)) == (1, [])


async def test_a_result_stays_in_a_thread_that_somebody_else_created(table):
    await want_threads(table)
    _, first = await begun(table)
    (thread,) = threads(table)
    thread.thread.owner = table.person("Cleo").id
    table.bot.get_channel(thread.id).owner_id = table.person("Cleo").id
    await table.person("Ann").forge(first, custom_id=f"f1:{table.match_of(first)}:0:leave:")
    await table.settled()

    await share(table, "Bo", first)

    assert (shared(table), len(shared(table, thread))) == ([], 1)
