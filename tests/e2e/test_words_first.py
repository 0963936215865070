"""What happened is said before it is drawn, where drawing takes its time."""

import asyncio
from dataclasses import replace

import pytest

from bot.messaging.content import MessageContent
from bot.messaging.files import FileDelivery, PersonalFile
from tests.support.services import AT_ONCE
from tests.support.tables import Held, seated


@pytest.fixture
def never_given_up(monkeypatch):
    monkeypatch.setattr("bot.live.waiting.FOLLOWS_WITHIN_SECONDS", 3600.0)


def story(message):
    """What a table says of the last round."""
    return next(line for line in message.text.split("\n") if "Round 1" in line)


@pytest.mark.usefixtures("never_given_up")
async def test_no_reveal_waits_for_the_picture_of_the_one_before(discord, tmp_path):
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
async def test_where_the_line_for_drawing_is_long_no_words_wait_for_it(discord, tmp_path):
    held = Held()
    pacing = replace(AT_ONCE, words_first=3600.0)
    async with seated(discord, tmp_path, held, pacing=pacing) as table:
        public = await table.match()
        await table.discord.until(lambda: public.images)
        held.free.clear()
        table.bot.services.delivery.pictures._each = 7200.0  # as after a crowd of drawings

        await table.trick("Ann", "Bo")
        await table.discord.until(lambda: not public.images)
        said = story(public)
        held.free.set()
        await table.quiet_now()

        assert "dealt" not in said
        assert "Last trick" in public.images[0].description


async def test_all_that_counts_keeps_one_pace_whatever_it_is_for(table):
    """Discord takes 50 a second, and the sandbox refuses the 51st."""
    world, delivery = table.discord.world, table.bot.services.delivery
    files = FileDelivery(table.bot, delivery.pace)
    channels = [world.add_channel(f"room-{n}") for n in range(14)]
    since = len(table.discord.requests)

    await asyncio.gather(
        *(
            delivery.send(channel.id, MessageContent(head="Hello"), f"{channel.id}.{n}")
            for channel in channels
            for n in range(1)
        ),
        *(
            files.send(channel.id, "Here", PersonalFile("it.txt", b"it"), f"{channel.id}.{n}")
            for channel in channels
            for n in range(1, 5)
        ),
    )

    asked = table.discord.requests[since:]
    assert [r.status for r in asked] == [200] * 70
    assert all(r.counted for r in asked)
