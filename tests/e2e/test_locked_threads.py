"""Threads that a moderator locks during a match."""

import asyncio

import pytest

from tests.support.match_threads import begun, tables, threads, want_threads
from tests.support.tables import resign
from tests.support.waiting import until, written

DEALT = "The cards are dealt."
"""The table's text before the first choice."""


@pytest.fixture
async def locked(table):
    """The table of a match with taps, in a thread that was locked after the deal."""
    await want_threads(table)
    challenge = await table.challenge(pace="live", hand="tap")
    await table.person("Bo").click(challenge, "Accept")
    (thread,) = await table.discord.until(lambda: threads(table))
    (public,) = await table.discord.until(lambda: tables(table, thread))
    await table.quiet_now()
    thread.thread.locked = True
    return public


async def tap(table, name, public, seat):
    """Tap the first card in a seat's block."""
    mark = f":tap:{seat} "
    button = next(b for b in public.buttons if b.custom_id and mark in b.custom_id)
    return await table.person(name).click(public, button.custom_id)


def refused(table):
    return [r for r in table.discord.requests if r.status == 400]


@pytest.mark.parametrize("code", [160005, 50083])
async def test_a_choice_counts_even_if_the_lock_also_refuses_answers_to_clicks(table, locked, code):
    """Discord doesn't document whether it does. If so, the table isn't edited but the hands are."""
    table.discord.faults.locked_answers = code

    answers = [await tap(table, "Ann", locked, 0), await tap(table, "Bo", locked, 1)]
    await table.quiet_now()
    told, tried = answers[0].text, len(refused(table))
    await table.trick_at({name: await table.hand(name, locked) for name in ("Ann", "Bo")})
    await table.quiet_now()

    assert [answer.failed for answer in answers] == [None, None]
    assert told.startswith("Revealed: ")
    assert table.sql("SELECT step FROM matches") == [(2,)]
    assert DEALT in locked.text
    assert {r.response["code"] for r in refused(table)} == {code, 160005}
    assert len(refused(table)) == tried  # not tried again and again


async def test_a_table_in_a_locked_thread_is_edited_through_clicks_on_it(table, locked):
    """If Discord allows it: answers to clicks need no permission in the channel."""
    await tap(table, "Ann", locked, 0)
    await tap(table, "Bo", locked, 1)

    await table.discord.until(lambda: DEALT not in locked.text)
    await table.quiet_now()

    assert refused(table) == []


async def lock(table, public, *, locked=True):
    """Lock or unlock the thread of a table, and wait until the bot has handled that."""
    heard = table.bot.wait_for("thread_update", timeout=30)
    table.discord.world.lock(public.channel_id, locked=locked)
    await heard
    await until(lambda: not any("_update" in task.get_name() for task in asyncio.all_tasks()))


async def test_a_table_in_a_locked_thread_is_updated_once_the_thread_is_unlocked(
    table, expired_tokens, monkeypatch
):
    """The timer would try it again too, but only after up to half an hour."""
    monkeypatch.setattr("bot.live.bar.PAUSES", (1800.0,))
    await want_threads(table)
    _, public = await begun(table)
    await lock(table, public)
    await table.trick("Ann", "Bo")
    await table.quiet_now()
    stood, tried = public.text, len(refused(table))
    await table.trick("Ann", "Bo")
    await table.quiet_now()
    assert len(refused(table)) == tried > 0

    await lock(table, public, locked=False)

    assert DEALT in stood
    await table.discord.until(lambda: DEALT not in public.text)


@pytest.mark.parametrize("dies", [False, True])
async def test_a_table_shows_how_its_match_ended_once_its_thread_is_unlocked(
    table, expired_tokens, monkeypatch, dies
):
    monkeypatch.setattr("bot.live.bar.Bar.is_hopeless", True)  # as after all retries
    await want_threads(table)
    _, public = await begun(table)
    await lock(table, public)
    await resign(table, "Bo", table.desk("Bo"))
    await written(table, "SELECT settled FROM matches", [(1,)])
    if dies:
        await table.restart()
        await table.bot.wait_until_ready()
        await table.quiet_now()
    assert "seed was" not in public.text

    await lock(table, public, locked=False)

    await table.discord.until(lambda: "seed was" in public.text)


async def test_a_table_in_a_thread_that_stays_locked_is_not_tried_again(
    table, expired_tokens, monkeypatch
):
    monkeypatch.setattr("bot.live.bar.Bar.is_hopeless", True)
    await want_threads(table)
    _, public = await begun(table)
    await lock(table, public)
    await resign(table, "Bo", table.desk("Bo"))
    await written(table, "SELECT settled FROM matches", [(1,)])
    tried = len(refused(table))

    await table.bot.services.guild_lifecycle.permissions_changed(table.discord.world.guild.id)
    await table.quiet_now()

    assert len(refused(table)) == tried > 0


async def test_a_table_in_a_closed_and_locked_thread_is_updated_once_that_is_reopened(
    table, expired_tokens, monkeypatch
):
    """discord.py drops an archived thread, so its reopening isn't reported as an unlocking."""
    monkeypatch.setattr("bot.live.bar.PAUSES", (1800.0,))
    await want_threads(table)
    _, public = await begun(table)
    world, thread = table.discord.world, threads(table)[0]
    world.archive_thread(thread, locked=True)
    await until(lambda: not table.bot.guilds[0].threads)
    await table.trick("Ann", "Bo")
    await table.quiet_now()
    stood, tried = public.text, len(refused(table))

    thread.thread.locked = False
    thread.thread.reopen(world.clock.now())
    world.emit("thread_updated", thread)

    await table.discord.until(lambda: DEALT not in public.text)
    assert DEALT in stood
    assert tried > 0


async def test_a_tap_in_a_closed_and_locked_thread_does_not_look_failed(table, locked):
    """Discord takes no message there, not even a private one; the choice is stored."""
    (thread,) = threads(table)
    table.discord.world.archive_thread(thread, locked=True)
    await until(lambda: not table.bot.guilds[0].threads)

    answer = await tap(table, "Ann", locked, 0)
    await table.handled()

    assert not answer.failed
    assert table.sql("SELECT seat FROM moves") == [(0,)]
