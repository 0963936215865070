"""Commands and clicks from a server that isn't connected here yet: nothing false is said of it.

discord.py has a guild object for them, without channels, threads or roles. They come so over the
endpoint, or in the moment before Discord has told a new session of its servers.
"""

import pytest

from sandbox.guilds import ChannelType, Thread
from tests.support.tables import labels
from tests.support.unconnected import unconnected

AWAY = "I can't reach that server right now. Try again in a minute."


@pytest.fixture
async def games(table):
    """The only channel where matches can begin."""
    channel = table.discord.world.channel("games")
    await table.bot.services.guild_settings.set_channels(table.discord.world.guild.id, [channel.id])
    return channel


async def test_the_channels_for_matches_are_named(table, games):
    ann = table.person("Ann")

    with unconnected(table.bot):
        refused = await table.ask("Ann", "Bo", channel="lobby")
        guide = await ann.slash("help", channel="lobby")

    assert refused.text == f"You can't start matches in this channel. Play in <#{games.id}>."
    assert f"Matches are played in <#{games.id}>." in guide.text


async def test_a_match_can_begin_in_a_private_thread(table):
    world, people = table.discord.world, [table.person(name) for name in ("Ann", "Bo")]
    now = world.clock.now()
    details = Thread(owner=people[0].id, created_at=now, changed_at=now)
    details.members = {one.id: now for one in (*people, world.bot)}
    games = world.channel("games")
    thread = world.add_thread(games, "secret", details, kind=ChannelType.PRIVATE_THREAD)

    with unconnected(table.bot):
        asked = await table.ask("Ann", "Bo", channel=thread)

    assert "Accept" in labels(asked.message)


def preselected(panel, placeholder):
    (menu,) = [part for part in panel.parts() if part.get("placeholder") == placeholder]
    return [int(value["id"]) for value in menu.get("default_values", ())]


async def test_the_settings_are_neither_shown_nor_changed(table, games):
    """The panel would preselect deleted channels, or call existing ones gone."""
    ann, lobby = table.person("Ann"), table.discord.world.channel("lobby")
    panel = (await ann.slash("settings", channel="lobby")).message

    with unconnected(table.bot):
        refused = [
            await ann.slash("settings", channel="lobby"),
            await ann.select(panel, "Threads", "threads on"),
            await ann.select(panel, "Everywhere", [lobby]),
            await ann.select(panel, "No daily puzzle", [lobby]),
        ]
    assert [answer.text for answer in refused] == [AWAY] * 4
    assert table.sql("SELECT threads, puzzle_channel FROM servers") == [(0, None)]

    await ann.select(panel, "Everywhere", [lobby])
    assert preselected(panel, "Everywhere") == [lobby.id]


async def test_nobody_is_told_that_no_matches_are_on(table):
    public = await table.match(channel="games")
    dan = table.person("Dan")
    shown, near = [
        (await dan.slash("watch", channel=channel)).message for channel in ("lobby", "games")
    ]

    with unconnected(table.bot):
        answers = [
            await dan.slash("watch", channel="lobby"),
            await dan.click(shown, "Follow"),
            await dan.click(near, "Follow"),
        ]

    assert [answer.text for answer in answers] == [AWAY] * 3
    assert table.sql("SELECT user FROM watches") == []
    with unconnected(table.bot):
        await dan.click((await dan.click(public, "Menu")).message, "Follow")
    assert table.sql("SELECT user FROM watches") == [(dan.id,)], "at its table it works"


async def test_a_moderator_is_not_told_that_a_permission_is_missing(table):
    match = table.match_of(await table.match("Bo", "Cleo", channel="games"))
    ann = table.person("Ann")

    with unconnected(table.bot):
        elsewhere = await ann.slash("moderate end", channel="lobby", match=match)
        there = await ann.slash("moderate end", channel="games", match=match)

    assert elsewhere.text == AWAY
    assert there.text.startswith(f"End match {match} ")


async def test_no_rematch_begins_where_it_is_unknown_whether_it_can_be_played(table):
    """Its table may be in a thread that is locked by now."""
    ann = table.person("Ann")
    public = await table.match(channel="games")
    await table.finish(public, "Ann", "Bo")
    elsewhere = (await ann.slash("games", channel="lobby")).message

    with unconnected(table.bot):
        answer = await ann.forge(elsewhere, custom_id=public.find_button("Rematch").custom_id)

    assert answer.text == AWAY
    assert table.sql("SELECT count(*) FROM seats WHERE wished") == [(0,)]
