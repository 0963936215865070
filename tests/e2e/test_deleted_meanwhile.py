"""Somebody has everything deleted while something of theirs is on its way."""

import asyncio

import pytest

from bot.privacy.erasure import GONE
from tests.support.waiting import until


class Held:
    """Calls of a method, the first of which waits until it is let through."""

    def __init__(self, call):
        self._call = call
        self.reached, self.free = asyncio.Event(), asyncio.Event()

    async def __call__(self, *args, **named):
        if not self.reached.is_set():
            self.reached.set()
            await self.free.wait()
        return await self._call(*args, **named)


async def delete(table, name):
    """Somebody has everything deleted; they are not told before all of it is done."""
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


async def test_an_edit_of_the_table_that_is_on_its_way_names_nobody_who_was_deleted(
    table, public, monkeypatch
):
    slot = await table.bot.services.live.slots.table(1)
    held = Held(slot.edit)
    monkeypatch.setattr(slot, "edit", held)
    await leave(table, "Bo", public)
    await held.reached.wait()

    wiping = await delete(table, "Ann")
    await until(lambda: wiping.done() or slot.lock._waiters)
    held.free.set()
    await wiping
    await table.settled()

    assert table.person("Ann").mention not in public.text
    assert "a former player" in public.text
    assert table.sql("SELECT * FROM traces") == []


async def test_a_hand_that_has_not_seen_the_end_of_its_match_is_closed(table, public, monkeypatch):
    hand = table.desk("Ann")
    slot = await table.bot.services.live.slots.hand(1, 0)
    held = Held(slot.show)
    monkeypatch.setattr(slot, "show", held)
    await leave(table, "Bo", public)
    await held.reached.wait()

    deleting = asyncio.create_task(delete(table, "Ann"))
    await until(lambda: table.sql("SELECT * FROM traces WHERE kind = 'hand'"))
    held.free.set()
    await (await deleting)
    await table.settled()

    assert hand.text.startswith(GONE.head)
    assert hand.buttons == []
    assert table.sql("SELECT * FROM places WHERE place = 0") == []
