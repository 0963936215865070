"""/settings in the sandbox: a panel that shows and changes how a server plays."""

import pytest

from sandbox import ImpossibleError
from sandbox.guilds import ChannelType
from sandbox.permissions import Permission
from tests.support.tables import labels
from tests.support.typed_commands import typed

MANAGE_SERVER = 1 << 5
NEEDED = (
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.SEND_MESSAGES_IN_THREADS
)


async def opened(table, name="Ann"):
    """The panel, opened by the owner of the server by default."""
    return (await table.person(name).slash("settings", channel="lobby")).message


async def choose(table, placeholder, values, panel=None):
    panel = panel or await opened(table)
    await table.person("Ann").select(panel, placeholder, values)
    return panel


async def play(table, opponent, game="pico", **options):
    """Let Ann challenge somebody without further options; the message of the challenge."""
    return await table.person("Ann").slash(
        f"{game} play", channel="games", opponent=table.person(opponent), **options
    )


def select(panel, placeholder):
    return next(s for s in panel.selects if s.placeholder == placeholder)


def chosen(panel, placeholder):
    return [o["value"] for o in select(panel, placeholder).options if o.get("default")]


async def test_the_panel_shows_how_a_new_server_plays(table):
    panel = await opened(table)

    assert panel.ephemeral_to == table.person("Ann").id
    assert chosen(panel, "Pace") == ["pace slow"]
    assert chosen(panel, "One tap or private") == ["tap on"]
    assert chosen(panel, "Threads") == ["threads off"]
    assert len(chosen(panel, "None")) == len(select(panel, "None").options) >= 4


async def test_the_panel_says_when_a_change_takes_effect(table):
    """Whether a match gets a thread is decided when it begins."""
    panel = await opened(table)

    assert (
        "Changes apply to new challenges; **Threads** also to open ones, **Time off** (but not "
        "reserve time) also to matches in progress."
    ) in panel.text
    assert "**Time off** players can take; pauses and vacations in progress continue" in panel.text


async def test_only_managers_of_the_server_can_open_the_panel(table):
    with pytest.raises(ImpossibleError, match="Bo is not offered 'settings'"):
        await table.person("Bo").slash("settings", channel="games")


@pytest.mark.parametrize(
    ("placeholder", "value"),
    [("Pace", "pace today"), ("One tap or private", "tap off"), ("Threads", "threads on")],
)
async def test_a_change_is_shown_and_stored_at_once(table, placeholder, value):
    panel = await choose(table, placeholder, value)

    assert chosen(panel, placeholder) == [value]
    assert chosen(await opened(table), placeholder) == [value]


async def test_a_match_has_the_servers_pace_by_default(table):
    await choose(table, "Pace", "pace today")

    await play(table, "Bo")
    await play(table, "Cleo", pace="live")

    assert table.sql("SELECT pace FROM matches") == [("today",), ("live",)]


async def test_a_match_is_played_by_taps_unless_the_server_or_the_challenger_says_otherwise(table):
    await play(table, "Bo")
    await play(table, "Cleo", hand="desk")
    await choose(table, "One tap or private", "tap off")
    await play(table, "Dan")

    assert table.sql("SELECT tap FROM matches") == [(1,), (0,), (0,)]


async def test_changing_another_setting_leaves_the_one_for_taps_at_its_default(table):
    panel = await choose(table, "Pace", "pace today")

    assert chosen(panel, "One tap or private") == ["tap on"]
    assert table.sql("SELECT tap FROM servers") == [(None,)]


async def test_a_game_with_secret_hands_is_never_played_by_taps(table):
    await choose(table, "One tap or private", "tap on")

    await play(table, "Bo", game="spite")

    assert table.sql("SELECT tap FROM matches") == [(0,)]


async def test_matches_can_begin_only_in_the_chosen_channels(table):
    games, lobby = (table.discord.world.channel(name) for name in ("games", "lobby"))
    panel = await choose(table, "Everywhere", [games])

    refused = await table.ask("Ann", "Bo", channel="lobby")
    await table.challenge("Ann", "Bo", channel="games")

    assert select(panel, "Everywhere").kind == 8
    assert refused.text == (f"You can't start matches in this channel. Play in <#{games.id}>.")
    assert refused.message.ephemeral_to == table.person("Ann").id
    assert table.sql("SELECT channel FROM matches") == [(games.id,)]
    assert lobby.id != games.id


async def test_choosing_no_channel_allows_all_of_them_again(table):
    panel = await choose(table, "Everywhere", [table.discord.world.channel("games")])
    await choose(table, "Everywhere", [], panel)

    assert labels(await table.challenge(channel="lobby"))[0] == "Accept"


async def test_a_game_that_is_turned_off_cannot_be_started(table):
    panel = await opened(table)
    others = [value for value in chosen(panel, "None") if value != "pico"]
    await choose(table, "None", others, panel)

    refused = await table.ask("Ann", "Bo")

    assert chosen(panel, "None") == others
    assert typed(refused.text) == (
        "Pico is turned off in this server. A server manager can turn it on with `/settings`."
    )


async def test_all_games_can_be_turned_off_and_one_on_again(table):
    panel = await choose(table, "None", [])
    none = chosen(panel, "None")
    await choose(table, "None", ["pico"], panel)

    assert none == []
    assert chosen(panel, "None") == ["pico"]


async def test_a_person_who_no_longer_manages_the_server_cannot_change_anything(table):
    bo, world = table.person("Bo"), table.discord.world
    role = world.guild.roles[world.guild.id + 1]
    role.permissions |= MANAGE_SERVER
    panel = await opened(table, "Bo")
    role.permissions &= ~MANAGE_SERVER

    answer = await bo.select(panel, "Threads", "threads on")

    assert answer.text == (
        "You need the Manage Server permission to change this. Ask a server manager."
    )
    assert table.sql("SELECT count(*) FROM servers") == [(0,)]


@pytest.mark.parametrize(
    ("denied", "named"),
    [
        (Permission.SEND_MESSAGES, None),
        (Permission.SEND_MESSAGES_IN_THREADS, "Send Messages in Threads"),
    ],
    ids=["begin posts", "write in posts"],
)
async def test_the_panel_names_the_permissions_that_posts_in_a_forum_need(table, denied, named):
    heard = table.bot.wait_for("guild_channel_create", timeout=30)
    forum = table.discord.world.add_channel("ideas", kind=ChannelType.FORUM)
    await heard
    heard = table.bot.wait_for("guild_channel_update", timeout=30)
    table.discord.world.set_permissions(
        forum, allow=Permission.SEND_MESSAGES_IN_THREADS & ~denied, deny=denied
    )
    await heard

    panel = await choose(table, "Everywhere", [forum])

    needs = [f"⚠️ In <#{forum.id}> I need {named}: nobody can play there until then."]
    warned = [line for line in panel.text.splitlines() if "⚠️" in line]
    assert warned == (needs if named else [])


async def test_the_panel_names_the_permissions_that_the_bot_lacks_in_a_chosen_channel(table):
    games = table.discord.world.channel("games")
    table.discord.world.set_permissions("games", deny=Permission.ATTACH_FILES)

    panel = await choose(table, "Everywhere", [games])

    assert f"In <#{games.id}> I need Attach Files: nobody can play there until then." in panel.text
    assert "nobody can play there" not in (await choose(table, "Everywhere", [], panel)).text


async def test_warnings_about_the_most_channels_that_can_be_chosen_fit_the_panel(table):
    """The most that can be chosen; Discord accepts 4000 characters."""
    world = table.discord.world
    channels = [world.add_channel(f"corner-{i}") for i in range(25)]
    for channel in channels:
        world.set_permissions(channel, deny=NEEDED)
    panel = await choose(table, "Threads", "threads on")
    for kind in ("No daily puzzle", "No digest"):
        await choose(table, kind, channels[:1], panel)

    await choose(table, "Everywhere", channels, panel)

    assert panel.text.count("nobody can play there until then") == 10
    assert "⚠️ I need permissions in 15 more of the chosen channels." in panel.text
    for channel in channels[:14]:
        world.set_permissions(channel)
    await choose(table, "Everywhere", channels, panel)
    assert panel.text.count("nobody can play there until then") == 10
    assert "⚠️ I need permissions in 1 more of the chosen channels." in panel.text


async def test_a_deleted_channel_is_no_longer_named(table):
    world = table.discord.world
    corner, games = world.add_channel("corner"), world.channel("games")
    await choose(table, "Everywhere", [corner, games])
    world.delete_channel("corner")

    refused = await table.ask("Ann", "Bo", channel="lobby")
    panel = await opened(table)

    assert refused.text.endswith(f"Play in <#{games.id}>.")
    (channels,) = [part for part in panel.parts() if part.get("placeholder") == "Everywhere"]
    assert [value["id"] for value in channels["default_values"]] == [str(games.id)]


async def test_if_all_chosen_channels_are_deleted_managers_are_told(table):
    world = table.discord.world
    await choose(table, "Everywhere", [world.add_channel("corner")])
    world.delete_channel("corner")

    refused = await table.ask("Ann", "Bo")
    panel = await opened(table)

    assert typed(refused.text) == (
        "All channels for matches are gone. A server manager can choose others with `/settings`."
    )
    assert "All the chosen channels are gone" in panel.text


async def test_a_deleted_channel_for_posts_does_not_prevent_choosing_another(table):
    world = table.discord.world
    heard = table.bot.wait_for("guild_channel_delete", timeout=30)
    corner = world.add_channel("corner")
    for menu in ("No daily puzzle", "No digest"):
        await choose(table, menu, [corner])
    world.delete_channel("corner")
    await heard

    panel = await opened(table)
    await choose(table, "No daily puzzle", [world.channel("games")], panel)

    assert "The puzzle channel is gone." not in panel.text
    assert "The digest channel is gone. Choose another one." in panel.text
    menus = [
        part
        for part in panel.parts()
        if part.get("placeholder") in {"No daily puzzle", "No digest"}
    ]
    assert [menu.get("default_values") for menu in menus] == [
        [{"id": str(world.channel("games").id), "type": "channel"}],
        None,
    ]


async def test_time_off_can_be_turned_off_and_on_by_one_menu(table):
    panel = await opened(table)
    every = ["pause", "vacation", "reserve", "resume", "take_back"]

    assert chosen(panel, "No time off") == every
    await choose(table, "No time off", ["vacation"], panel)

    assert chosen(panel, "No time off") == ["vacation"]
    refused = await play(table, "Bo", pace="slow_reserve")
    assert typed(refused.text) == (
        "Reserve time is turned off in this server. Pick another pace. "
        "A server manager can change that with `/settings`."
    )


async def test_without_reserves_no_pace_with_a_reserve_is_shown_or_offered(table):
    panel = await choose(table, "Pace", "pace slow_reserve")
    every = chosen(panel, "No time off")

    await choose(table, "No time off", ["vacation"], panel)
    without = chosen(panel, "Pace"), [o["value"] for o in select(panel, "Pace").options]
    await choose(table, "No time off", every, panel)

    assert without[0] == ["pace slow"]
    assert not [value for value in without[1] if "reserve" in value]
    assert chosen(panel, "Pace") == ["pace slow_reserve"], "it is remembered"
