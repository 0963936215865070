"""Somebody deletes their data while edits that name them are under way."""

import asyncio

import pytest

from bot.privacy.erasure import GONE
from tests.support.held import held as held_result
from tests.support.held_calls import HeldCalls
from tests.support.tables import labels
from tests.support.together import begun, hand_of
from tests.support.waiting import until, written


async def delete(table, name):
    """Delete somebody's data; returns the task that edits the messages naming them."""
    erasure, user = table.bot.services.erasure, table.person(name).id
    await erasure.delete(user)
    return asyncio.create_task(erasure.wipe())


@pytest.fixture
async def public(table):
    public = await table.match(pace="slow")
    await table.quiet_now()
    return public


async def leave(table, name, public):
    await table.person(name).forge(public, custom_id="f1:1:0:leave:")


async def test_an_edit_of_the_table_under_way_does_not_name_a_deleted_player(
    table, public, monkeypatch
):
    slot = await table.bot.services.live.slots.table(1)
    held = HeldCalls(monkeypatch, slot, "edit")
    await leave(table, "Bo", public)
    await held.reached()

    wiping = await delete(table, "Ann")
    await until(lambda: wiping.done() or slot.lock._waiters)
    held.let_through()
    await wiping
    await table.settled()

    assert table.person("Ann").mention not in public.text
    assert "a former player" in public.text
    assert table.sql("SELECT * FROM traces") == []


async def test_a_hand_that_has_not_yet_shown_the_end_of_its_match_is_closed(
    table, public, monkeypatch
):
    hand = table.desk("Ann")
    slot = await table.bot.services.live.slots.hand(1, 0)
    held = HeldCalls(monkeypatch, slot, "show")
    await leave(table, "Bo", public)
    await held.reached()

    deleting = asyncio.create_task(delete(table, "Ann"))
    await written(table, "SELECT * FROM traces WHERE kind = 'hand'")
    held.let_through()
    await (await deleting)
    await table.settled()

    assert hand.text.startswith(GONE.head)
    assert hand.buttons == []
    assert table.sql("SELECT * FROM places WHERE place = 0") == []


@pytest.mark.postgresql
async def test_a_message_that_another_process_was_editing_is_edited_once_more(
    together, server, monkeypatch
):
    """That edit arrives after the deletion, which doesn't wait for it."""
    for _ in range(2):
        await together.join()
    public = await begun(together)
    owner, other = together.holder_and_other(public.guild_id)
    (match,) = owner.owned
    hand, live = hand_of(together, "Ann"), owner.bot.services.live
    slot = await live.slots.hand(match, 0)
    held = HeldCalls(monkeypatch, slot, "edit")
    slot.outdate()
    live.note_changed(match)
    await held.reached()

    erasure = other.bot.services.erasure
    await erasure.delete(together.person("Ann").id)
    await erasure.wipe()
    closed = hand.text.startswith(GONE.head)
    held.let_through()
    await held.over()
    undone = not hand.text.startswith(GONE.head)
    server.ask("UPDATE traces SET due_at = 0, until = until - 300")
    await erasure.wipe()

    assert (closed, undone) == (True, True)
    await until(lambda: server.ask("SELECT * FROM traces") == [])  # the owner may take it first
    assert hand.text.startswith(GONE.head)


async def seen_by_bo(table, public):
    """Bo's text before and Bo's hand after Ann, who had asked for something, was deleted."""
    await table.settled()
    await table.told()
    await table.settled()
    before = table.desk("Bo", public).text
    await (await delete(table, "Ann"))
    await table.settled()
    hand = table.desk("Bo", public)
    assert table.person("Ann").mention in before
    assert table.person("Ann").mention not in hand.text
    return before, hand


async def test_nobody_is_asked_to_resume_a_match_for_a_deleted_player(table):
    public = await held_result(table)
    await table.person("Ann").click(public, "Resume match")

    before, hand = await seen_by_bo(table, public)

    assert "wants to resume this match" in before
    assert "resume" not in hand.text
    assert "Resume match" not in labels(hand)


async def test_a_hand_does_not_offer_to_resume_a_match_with_a_deleted_player(table, monkeypatch):
    """Even if nobody had asked for it, and however many matches have ended since."""
    monkeypatch.setattr("bot.privacy.erasure.TABLES", 0)
    public = await held_result(table)

    _, hand = await seen_by_bo(table, public)

    assert "Resume match" not in labels(hand)


@pytest.mark.parametrize("who", ["Ann", "Bo"])
async def test_nobody_waits_for_a_rematch_with_a_deleted_player(table, public, who):
    await leave(table, "Bo", public)
    await table.settled()
    await table.person(who).click(public, "Rematch")

    before, hand = await seen_by_bo(table, public)

    assert "a rematch" in before
    assert ("a rematch" in hand.text) is (who == "Bo")


@pytest.mark.parametrize("who", ["Ann", "Bo"])
async def test_a_challenge_that_ends_before_its_table_is_posted_says_so(table, monkeypatch, who):
    replies = table.bot.services.table_replies
    held = HeldCalls(monkeypatch, replies, "_post")
    asking = asyncio.create_task(table.ask("Ann", "Bo"))
    await held.reached()

    await (await delete(table, who))
    await table.quiet_now()
    held.let_through()
    public = (await asking).message
    await held.over()
    await table.settled()

    assert table.person(who).mention not in public.text
    assert not {"Accept", "Withdraw"} & set(labels(public))


@pytest.mark.parametrize("way", ["at once", "after a crash"])
async def test_nobody_who_left_before_is_named_once_they_are_deleted(table, monkeypatch, way):
    public = await table.match("Ann", "Bo", "Cleo", pace="none")
    await leave(table, "Cleo", public)
    await table.quiet_now()
    shown = (public, *(table.desk(name) for name in ("Ann", "Bo")))
    cleo = table.person("Cleo").mention
    named = [cleo in message.text for message in shown]

    if way == "after a crash":
        live = table.bot.services.live
        await live.slots.flush()
        monkeypatch.setattr(live, "note_changed", lambda match: None)
        monkeypatch.setattr(live.slots, "outdate_all", lambda match: None)
    await (await delete(table, "Cleo"))
    if way == "after a crash":
        await table.restart()

    await table.discord.until(lambda: all("a former player" in message.text for message in shown))
    assert named == [True] * 3
    assert [message.text for message in shown if cleo in message.text] == []
