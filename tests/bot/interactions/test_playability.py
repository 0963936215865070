"""Where a match can be played, or played again."""

from types import SimpleNamespace

import pytest

from bot.errors import NotAllowedHereError
from bot.interactions.playability import Playability
from bot.settings.guilds import GuildSettings
from tests.support.matches import GUILD


@pytest.fixture
def servers(storage):
    return GuildSettings(storage)


async def test_a_thread_is_allowed_if_its_parent_channel_is(servers, storage):
    await servers.set_channels(GUILD, [5])
    parents = {50: 5, 60: 6}
    guild = SimpleNamespace(
        channels=[5, 6],
        get_channel=lambda number: number,
        get_channel_or_thread=lambda number: SimpleNamespace(parent_id=parents[number]),
    )
    client = SimpleNamespace(get_guild=lambda number: guild if number == GUILD else None)
    click = SimpleNamespace(client=client, channel_id=6)

    async def asked(thread):
        raise LookupError(thread)  # both threads are in the library's cache

    playability = Playability(storage, servers, SimpleNamespace(parent_of=asked))

    async def again(thread):
        match = SimpleNamespace(guild=GUILD, channel=thread, game="pico")
        await playability.must_be_allowed_again(click, match)

    await again(50)
    with pytest.raises(NotAllowedHereError, match=r"Play in <#5>\."):
        await again(60)


async def test_an_archived_thread_is_allowed_if_discord_says_that_its_parent_is(servers, storage):
    await servers.set_channels(GUILD, [5])
    guild = SimpleNamespace(
        channels=[5, 6], get_channel=lambda number: number, get_channel_or_thread=lambda _: None
    )
    click = SimpleNamespace(client=SimpleNamespace(get_guild=lambda _: guild), channel_id=6)

    async def parent_of(thread):
        return {50: 5, 60: 6}[thread]

    playability = Playability(storage, servers, SimpleNamespace(parent_of=parent_of))

    async def again(thread):
        match = SimpleNamespace(guild=GUILD, channel=thread, game="pico")
        await playability.must_be_allowed_again(click, match)

    await again(5)
    await again(50)
    with pytest.raises(NotAllowedHereError, match=r"Play in <#5>\."):
        await again(60)
