"""Messages that have to be deleted or edited in a thread that is already archived."""

from datetime import timedelta

import pytest

from sandbox.faults import Fault
from sandbox.guilds import Thread
from sandbox.permissions import Permission
from tests.support.match_threads import begun, delete_ann, thread_messages, threads
from tests.support.tables import labels, resign
from tests.support.waiting import until, written

LEFT = "SELECT 1 FROM places WHERE place = -1 AND leftover IS NOT NULL"
DELETE = {"method": "DELETE", "path": r"^/channels/\d+/messages"}
OPEN = {"method": "PATCH", "path": r"^/channels/\d+$"}
SILENT = 1 << 12


def our_tables(table, thread):
    return [m for m in thread_messages(table, thread) if "### Pico" in m.text]


async def bring_down(table, public):
    """Press "Bring to the bottom" a minute later; returns the answer."""
    table.discord.clock.advance(timedelta(minutes=1))
    menu = (await table.person("Ann").click(public, "Menu")).message
    return await table.person("Ann").click(menu, "Bring to the bottom")


async def with_two_tables(table):
    """An archived thread with two tables: the old one couldn't be deleted after it was reposted."""
    _, old = await begun(table)
    (thread,) = threads(table)
    await table.quiet_now()
    table.discord.faults.add(Fault(**DELETE, status=503, times=None))
    await bring_down(table, old)
    await written(table, LEFT)
    assert len(our_tables(table, thread)) == 2
    table.discord.world.archive_thread(thread)
    table.discord.faults.clear()
    return thread, old


@pytest.mark.parametrize("kept", [False, True], ids=["deleted", "opened for it"])
async def test_an_old_table_is_deleted_even_if_its_thread_was_archived_meanwhile(threaded, kept):
    """Discord's documentation says that deleting works there; people report that it is refused."""
    thread, old = await with_two_tables(threaded)
    threaded.discord.faults.refuse_archived_deletes = kept

    await threaded.settled()

    (new,) = our_tables(threaded, thread)
    assert not threaded.sql(LEFT)
    assert old.deleted
    assert thread.thread.archived
    await threaded.trick("Ann", "Bo")
    await threaded.discord.until(lambda: new.deleted)
    assert len(our_tables(threaded, thread)) == 1
    assert not thread.thread.archived


async def test_an_old_table_is_deleted_even_if_its_thread_is_archived_again_each_time(
    threaded, monkeypatch
):
    monkeypatch.setattr("bot.live.work_queue.RETRY", (0.05,))
    thread, old = await with_two_tables(threaded)
    threaded.discord.faults.refuse_archived_deletes = True
    world, opened = threaded.discord.world, []

    def archive_again(event):
        is_open = event.subject is thread and not thread.thread.archived
        if event.kind == "thread_updated" and is_open and len(opened) < 3:
            opened.append(event)
            world.archive_thread(thread)

    stop = world.events.subscribe(archive_again)

    await threaded.discord.until(lambda: old.deleted)

    stop()
    assert len(opened) == 3
    await threaded.settled()
    assert not threaded.sql(LEFT)


async def test_no_table_is_reposted_while_an_old_one_can_be_neither_deleted_nor_recorded(
    threaded, monkeypatch
):
    monkeypatch.setattr("bot.live.work_queue.RETRY", (0.05,))
    _, old = await begun(threaded)
    (thread,) = threads(threaded)
    await threaded.quiet_now()
    with monkeypatch.context() as unwritten:
        unwritten.setattr(threaded.bot.services.live.slots, "is_noted", lambda slot: False)
        await bring_down(threaded, old)
        await threaded.discord.until(lambda: len(our_tables(threaded, thread)) == 2)
        (second,) = [m for m in our_tables(threaded, thread) if m is not old]

        answer = await bring_down(threaded, second)

        await threaded.discord.until(lambda: answer.followups)
        assert answer.followups[0].text.startswith("I can't repost the table yet: ")
    await threaded.settled()

    assert old.deleted
    assert len(our_tables(threaded, thread)) == 1


async def test_an_old_table_is_deleted_in_a_thread_that_the_bot_can_open_but_not_archive(threaded):
    _, public = await begun(threaded)
    (thread,) = threads(threaded)
    thread.thread.owner = threaded.person("Ann").id
    threaded.discord.faults.refuse_archived_deletes = True
    await threaded.quiet_now()
    threaded.discord.world.archive_thread(thread)

    await threaded.bot.services.delivery.delete(thread.id, public.id)

    assert public.deleted
    assert not thread.thread.archived


async def test_the_bot_gives_up_on_an_old_table_in_a_locked_thread(threaded):
    thread, old = await with_two_tables(threaded)
    threaded.discord.world.archive_thread(thread, locked=True)
    await threaded.settled()

    assert not threaded.sql(LEFT)
    assert not old.deleted
    assert thread.thread.archived


async def test_tables_in_archived_threads_are_edited_to_name_a_former_player_too(threaded):
    _, public = await begun(threaded)
    ann, (thread,) = threaded.person("Ann"), threads(threaded)
    question = await threaded.asked_to_resign("Ann")
    await ann.click(question.message, "Resign")
    await threaded.discord.until(lambda: "Rematch" in labels(public))
    await threaded.quiet_now()
    assert ann.mention in public.text
    threaded.discord.world.archive_thread(thread)

    await delete_ann(threaded)

    await threaded.discord.until(lambda: "former player" in public.text and thread.thread.archived)
    assert ann.mention not in public.text


async def match_ended_in_archived_thread_of_ann(table):
    """Ann's archived thread, which the bot never joined, and its table of an ended match."""
    world, ann = table.discord.world, table.person("Ann")
    heard = table.bot.wait_for("guild_channel_update", timeout=30)
    world.set_permissions("games", allow=Permission.SEND_MESSAGES_IN_THREADS)
    await heard
    now = world.clock.now()
    details = Thread(owner=ann.id, created_at=now, changed_at=now, members={ann.id: now})
    thread = world.add_thread(world.channel("games"), "corner", details)
    await until(lambda: table.bot.get_channel(thread.id))
    public = await table.match("Ann", "Bo", channel=thread)
    await resign(table, "Bo", public)
    await table.quiet_now()
    world.archive_thread(thread)
    return thread, public


def record_messages(table, thread):
    """A list that collects every message sent in the thread from now on, even if deleted later."""
    written = []

    def note(event):
        if event.kind == "message_created" and event.channel == thread.id:
            written.append(event.subject)

    table.discord.world.events.subscribe(note)
    return written


@pytest.mark.parametrize("code", [50001, 50013])
async def test_tables_in_threads_that_the_bot_cannot_edit_name_a_former_player_too(table, code):
    """A silent message opens them, which needs no membership; it is deleted afterwards."""
    thread, public = await match_ended_in_archived_thread_of_ann(table)
    before = thread_messages(table, thread)
    written = record_messages(table, thread)
    if code == 50001:
        table.discord.faults.add(Fault(**OPEN, status=403, code=code))

    await delete_ann(table)

    await table.discord.until(lambda: "former player" in public.text)
    await table.settled()
    assert table.person("Ann").mention not in public.text
    assert table.sql("SELECT count(*) FROM traces") == [(0,)]
    assert thread_messages(table, thread) == before
    (opener,) = written
    assert opener.text == "-# Opening this thread to update an old message in it."
    assert opener.flags & SILENT
    assert opener.deleted


async def test_the_message_that_opens_a_thread_is_deleted_even_if_the_answer_to_it_was_lost(table):
    thread, public = await match_ended_in_archived_thread_of_ann(table)
    written = record_messages(table, thread)
    lost = Fault(method="POST", path="/messages$", saying="Opening", status=503, after=True)
    table.discord.faults.add(lost)

    await delete_ann(table)

    await table.discord.until(lambda: "former player" in public.text)
    await table.settled()
    assert [opener.deleted for opener in written] == [True]


async def test_a_thread_is_opened_by_a_message_even_if_that_cannot_be_deleted(table):
    thread, public = await match_ended_in_archived_thread_of_ann(table)
    written = record_messages(table, thread)
    table.discord.faults.add(Fault(**DELETE, status=403, code=50013))

    await delete_ann(table)

    await table.discord.until(lambda: "former player" in public.text)
    await table.settled()
    assert [opener.deleted for opener in written] == [False]
    assert table.sql("SELECT count(*) FROM traces") == [(0,)]


@pytest.mark.parametrize("archived", [True, False])
async def test_a_match_is_paused_if_the_parent_channel_of_its_thread_is_deleted(threaded, archived):
    await begun(threaded)
    (thread,) = threads(threaded)
    await threaded.quiet_now()
    if archived:
        threaded.discord.world.archive_thread(thread)

    threaded.discord.world.delete_channel(thread.parent_id)

    await threaded.discord.until(
        lambda: all("**Paused**" in threaded.desk(name).text for name in ("Ann", "Bo"))
    )


async def test_a_match_in_an_archived_thread_continues_if_another_channel_is_deleted(threaded):
    await begun(threaded)
    (thread,) = threads(threaded)
    await threaded.quiet_now()
    threaded.discord.world.archive_thread(thread)

    threaded.discord.world.delete_channel("lobby")
    await threaded.discord.until(
        lambda: any(r.path == f"/channels/{thread.id}" for r in threaded.discord.requests)
    )

    await threaded.settled()
    assert threaded.sql("SELECT paused_at FROM matches") == [(None,)]


async def test_a_click_that_would_edit_a_message_in_an_archived_thread_is_told_why_it_cannot(
    threaded,
):
    await begun(threaded)
    (thread,) = threads(threaded)
    ann = threaded.person("Ann")
    board = (await ann.slash("leaderboard", channel=thread)).message
    await threaded.handled()
    threaded.discord.world.archive_thread(thread)

    answer = await ann.select(board, "Game", board.find_select("Game").options[1]["value"])

    assert answer.ephemeral
    assert answer.text == (
        "This thread is archived, so I can't change this message. Send a message in the thread, "
        "then try again."
    )


@pytest.mark.parametrize("there", [True, False], ids=["in the channel", "elsewhere"])
async def test_a_rematch_from_direct_messages_begins_in_an_archived_thread_if_its_channel_allows(
    threaded, there
):
    """Discord doesn't tell the bot about archived threads, and so not which channel they are in."""
    world = threaded.discord.world
    _, public = await begun(threaded)
    await resign(threaded, "Bo", public)
    (thread,) = threads(threaded)
    world.archive_thread(thread)
    await until(lambda: threaded.bot.get_channel(thread.id) is None)
    place = thread.parent_id if there else world.channel("lobby").id
    await threaded.bot.services.guild_settings.set_channels(world.guild.id, [place])

    answers = [
        await threaded.person(name).click(threaded.desk(name), "Rematch") for name in ("Ann", "Bo")
    ]
    await threaded.settled()

    refused = [f"You can't start matches in <#{thread.id}>." in answer.text for answer in answers]
    assert refused == [not there] * 2
    assert threaded.sql("SELECT count(*) FROM matches") == [(1 + there,)]
