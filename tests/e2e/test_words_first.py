"""What happened is shown in words before it is drawn, if drawing takes long."""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from bot.messaging.content import MessageContent
from bot.messaging.files import PersonalFile
from bot.storage import TABLE
from sandbox import Fault
from tests.support.drawing import Held
from tests.support.services import AT_ONCE
from tests.support.tables import seated
from tests.support.waiting import until


@pytest.fixture
def never_given_up(monkeypatch):
    monkeypatch.setattr("bot.live.waiting.FOLLOWS_WITHIN_SECONDS", 3600.0)


def story(message):
    """What a table says about the last round."""
    return next(line for line in message.text.split("\n") if "Round 1" in line)


@pytest.mark.usefixtures("never_given_up")
async def test_no_reveal_waits_for_the_picture_of_the_previous_one(discord, tmp_path):
    held = Held()
    async with seated(discord, tmp_path, held, pacing=replace(AT_ONCE, words_first=0.0)) as table:
        public = await table.match()
        await table.discord.until(lambda: public.images and table.desk("Ann").images)
        dealt = story(public)
        held.free.clear()

        await table.trick("Ann", "Bo")
        await table.discord.until(lambda: story(public) != dealt)
        first = story(public)
        await table.trick("Ann", "Bo")
        await table.discord.until(lambda: story(public) not in {dealt, first})
        without = [public.images, table.desk("Ann").images, table.desk("Bo").images]
        held.free.set()
        await table.quiet_now()

        assert without == [[], [], []]
        assert "Last trick" in public.images[0].description
        assert table.desk("Ann").images
        assert table.desk("Bo").images


@pytest.mark.usefixtures("never_given_up")
async def test_words_do_not_wait_if_the_queue_for_drawing_is_long(discord, tmp_path):
    held = Held()
    pacing = replace(AT_ONCE, words_first=3600.0)
    async with seated(discord, tmp_path, held, pacing=pacing) as table:
        public = await table.match()
        await table.discord.until(lambda: public.images)
        held.free.clear()
        table.bot.services.delivery.pictures._each = 7200.0  # as after many drawings

        await table.trick("Ann", "Bo")
        await table.discord.until(lambda: not public.images)
        said = story(public)
        held.free.set()
        await table.quiet_now()

        assert "dealt" not in said
        assert "Last trick" in public.images[0].description


@asynccontextmanager
async def in_words(discord, folder):
    """A table without pictures so far, its message, and the pool that holds up pictures."""
    held = Held()
    async with seated(discord, folder, held, pacing=replace(AT_ONCE, words_first=0.0)) as table:
        public = await table.match()
        await table.discord.until(lambda: public.images and table.desk("Ann").images)
        held.free.clear()
        await table.trick("Ann", "Bo")
        slots = [await table.bot.services.live.slots.at(1, place) for place in (TABLE, 0, 1)]
        await until(lambda: all(slot.waiting._future for slot in slots))
        yield table, public, held


async def at_rest(table, *places):
    """Wait until only these slots of the match are behind, and pause before the next attempt."""
    due, now = table.bot.services.live._updater.queue._due, asyncio.get_running_loop().time
    tasks = table.bot.services.live._updater.queue._tasks
    expected = {(1, place) for place in places}
    await until(lambda: {*tasks} == expected and all(due.get(key, 0.0) > now() for key in expected))


@pytest.fixture
def never_tried_again(monkeypatch):
    monkeypatch.setattr("bot.live.work_queue.RETRY", (3600.0,))


@pytest.mark.usefixtures("never_given_up", "never_tried_again")
@pytest.mark.parametrize("is_drawn", [True, False], ids=["drawn", "takes too long"])
async def test_the_bot_stops_waiting_for_a_picture_whose_edit_is_forbidden(
    discord, tmp_path, is_drawn
):
    async with in_words(discord, tmp_path) as (table, public, held):
        faults = (
            Fault(method="PATCH", saying=": your", drop=True, times=None),  # hands stay behind
            Fault(method="PATCH", status=403, code=50013, times=None),
        )
        for fault in faults:
            table.discord.faults.add(fault)

        if is_drawn:
            held.free.set()
        else:
            for slot in table.bot.services.live.slots._matches[1].values():
                slot.waiting._drawn_by = 0.0
                slot.waiting.look_again()
        await at_rest(table, 0, 1)

        assert public.images == []
        table.discord.faults.ordered.clear()
        held.free.set()
        table.bot.services.live.retry_and_update(1)
        await table.quiet_now()
        assert "Last trick" in public.images[0].description


@pytest.mark.usefixtures("never_given_up", "never_tried_again")
async def test_a_picture_whose_edit_fails_is_tried_again_after_a_pause(discord, tmp_path):
    async with in_words(discord, tmp_path) as (table, public, held):
        table.discord.faults.add(Fault(method="PATCH", drop=True, times=None))
        since = len(table.discord.requests)

        held.free.set()
        await at_rest(table, TABLE, 0, 1)

        assert len(table.requests("PATCH", since=since)) == 3
        table.discord.faults.ordered.clear()
        await table.quiet_now()
        assert "Last trick" in public.images[0].description


async def test_all_counted_requests_keep_one_pace_whatever_they_are_for(table):
    """Discord allows 50 a second, and the sandbox refuses the 51st."""
    world, delivery = table.discord.world, table.bot.services.delivery
    channels = [world.add_channel(f"room-{n}") for n in range(14)]
    since = len(table.discord.requests)

    await asyncio.gather(
        *(
            delivery.send(channel.id, MessageContent(head="Hello"), f"{channel.id}.{n}")
            for channel in channels
            for n in range(1)
        ),
        *(
            delivery.send_file(
                channel.id, "Here", PersonalFile("it.txt", b"it"), f"{channel.id}.{n}"
            )
            for channel in channels
            for n in range(1, 5)
        ),
    )

    asked = table.discord.requests[since:]
    assert [r.status for r in asked] == [200] * 70
    assert all(r.counted for r in asked)
