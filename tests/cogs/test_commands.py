"""The commands as they are sent to Discord, within its limits."""

import asyncio
import re

import pytest
from discord import AppCommandType

from bot.client import EXTENSIONS, Facedown
from bot.interactions.command_sync import fingerprint
from bot.storage import Storage
from games import GAMES
from tests.support.drawing import Blank
from tests.support.services import bot_of
from tests.support.tables import database

NAME = re.compile(r"[a-z][a-z0-9_-]{0,31}")
SUBCOMMAND, GROUP = 1, 2
PLAIN = {3, 4, 5, 10}
"""The types of options that are a text, a number or a boolean."""

SLASH, MENU = AppCommandType.chat_input, AppCommandType.user
ANYWHERE = {
    *GAMES,
    "games",
    "help",
    "history",
    "learn",
    "preferences",
    "privacy",
    "puzzle",
    "report",
    "stats",
    "verify",
}
"""Commands that people who install the bot for themselves can use in any server, group and DM."""

ALSO_IN_DIRECT_MESSAGES = {"notify"}

PLACES = {
    name: ([0, 1], [0, 1, 2]) if name in ANYWHERE else ([0], [0, 1])
    for name in ANYWHERE | ALSO_IN_DIRECT_MESSAGES
}
"""(integration types, contexts) of the commands that aren't for servers only."""

IN_SERVERS = ([0], [0])


@pytest.fixture
async def bot(tmp_path):
    """The bot with all its cogs, not connected to Discord."""
    async with (
        Storage.open(await database(tmp_path)) as storage,
        bot_of(storage, Blank(), client=Facedown) as bot,
    ):
        await bot.load()
        yield bot


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """The payloads of all commands by type; made once, because that takes a bot with all cogs."""
    folder = tmp_path_factory.mktemp("told")

    async def read():
        file = await database(folder)
        async with Storage.open(file) as storage, bot_of(storage, Blank()) as bot:
            await bot.load()
            return {
                kind: [command.to_dict(bot.tree) for command in bot.tree.get_commands(type=kind)]
                for kind in (SLASH, MENU)
            }

    return asyncio.run(read())


@pytest.fixture
def payloads(told):
    """The payloads of the slash commands, by name."""
    return told[SLASH]


@pytest.fixture
def menus(told):
    """The payloads of the context menu commands for people, by name."""
    return told[MENU]


def described(commands):
    """Every command, group, subcommand and option, as they all have a name and a description."""
    for command in commands:
        yield command
        yield from described(command.get("options", ()))


def leaves(commands):
    """The commands and subcommands that can be used: those without subcommands of their own."""
    for command in commands:
        inner = [o for o in command.get("options", ()) if o["type"] in (SUBCOMMAND, GROUP)]
        yield from leaves(inner) if inner else [command]


def length(command):
    """The length that Discord limits to 8000: names, descriptions and values, nested ones too."""
    own = len(command["name"]) + len(command.get("description", ""))
    choices = sum(len(c["name"]) + len(str(c["value"])) for c in command.get("choices") or ())
    return own + choices + sum(length(option) for option in command.get("options", ()))


def test_every_extension_loads(bot):
    assert set(bot.extensions) == set(EXTENSIONS)


def test_the_list_of_commands_is_complete(payloads):
    assert {command["name"] for command in payloads} == {
        *GAMES,
        "block",
        "games",
        "help",
        "history",
        "leaderboard",
        "learn",
        "moderate",
        "notify",
        "preferences",
        "privacy",
        "puzzle",
        "report",
        "resume",
        "season",
        "settings",
        "stats",
        "unblock",
        "vacation",
        "verify",
        "watch",
    }
    assert sorted(command["name"] for command in leaves(payloads)) == [
        "block",
        "delete",
        *["end"] * 2,
        "export",
        "games",
        "help",
        "history",
        "leaderboard",
        "learn",
        "left",
        "list",
        "notify",
        "order",
        *["play"] * len(GAMES),
        "policy",
        "preferences",
        "puzzle",
        "report",
        "resume",
        *["rules"] * len(GAMES),
        "settings",
        *["start"] * 2,
        "stats",
        "unblock",
        "unseat",
        "verify",
        "visibility",
        "watch",
    ]


async def test_an_extension_can_be_reloaded(bot):
    before = fingerprint(bot.tree)

    for extension in EXTENSIONS:
        await bot.reload_extension(extension)

    assert fingerprint(bot.tree) == before


async def test_an_unloaded_cog_leaves_no_buttons_and_no_commands(bot):
    for extension in EXTENSIONS:
        await bot.unload_extension(extension)

    assert bot.services.router._routes == {}
    assert bot.tree.get_commands() == []
    assert bot.services.presentations == {}


def test_two_cogs_cannot_register_the_same_act(bot):
    async def handler(interaction, press):
        del interaction, press

    with pytest.raises(ValueError, match="two cogs want the button 'pick'"):
        bot.services.router.add("pick", handler)


def test_names_are_valid_and_unique(payloads):
    for command in described(payloads):
        assert NAME.fullmatch(command["name"])
        names = [option["name"] for option in command.get("options", ())]
        assert len(names) == len(set(names))
    assert len(payloads) == len({command["name"] for command in payloads})


def test_everything_is_described(payloads):
    for command in described(payloads):
        assert 1 <= len(command["description"]) <= 100
        assert command["description"] != "…"  # discord.py's default


def test_no_command_is_longer_than_discord_allows(payloads):
    assert len(payloads) <= 100
    for command in payloads:
        assert length(command) <= 8000
        for part in described([command]):
            assert len(part.get("options", ())) <= 25
            assert len(part.get("choices") or ()) <= 25


def test_a_command_has_at_most_two_words(payloads):
    for command in payloads:
        for inner in command.get("options", ()):
            assert inner["type"] != GROUP


def test_required_options_come_first(payloads):
    for command in leaves(payloads):
        required = [option.get("required", False) for option in command.get("options", ())]
        assert required == sorted(required, reverse=True)


def declared(commands):
    return {c["name"]: (c["integration_types"], c["contexts"]) for c in commands}


def test_every_command_declares_its_installs_and_contexts(payloads, menus):
    """Discord's documents contradict each other about the defaults.

    Commands that need only one person work anywhere: matches against computers, and one's own data.
    """
    for name, places in declared([*payloads, *menus]).items():
        assert places == PLACES.get(name, IN_SERVERS), name
    assert set(PLACES) <= set(declared(payloads))


async def test_every_command_is_registered_with_its_installs_and_contexts(table, payloads, menus):
    (sent,) = table.requests("PUT", "/commands")

    assert declared(sent.json) == declared([*payloads, *menus])


def test_challenge_by_right_click_works_only_in_servers(menus):
    assert [(menu["name"], menu["contexts"]) for menu in menus] == [("Challenge", [0])]


def test_choices_have_short_names(payloads):
    for command in described(payloads):
        for choice in command.get("choices") or ():
            assert 1 <= len(choice["name"]) <= 100
            assert 1 <= len(str(choice["value"])) <= 100


def test_every_optional_option_names_its_default(payloads):
    """So that nobody has to try out what happens without it.

    Exceptions: without `computer` there is none; `season`, `match` and `stock` depend on others.
    """
    silent = {
        (command["name"], option["name"])
        for command in leaves(payloads)
        for option in command.get("options", ())
        if option["type"] in PLAIN and not option.get("required", False)
        if "default" not in option["description"]
    }

    assert {name for _, name in silent} == {"computer", "match", "season", "stock"}


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("leaderboard", [{"name": "game", "type": 3, "value": "pico"}]),
        ("vacation", [{"name": "left", "type": 1, "options": []}]),
    ],
)
async def test_a_server_command_used_in_direct_messages_anyway_gets_a_sentence(
    table, name, options
):
    ann = table.person("Ann")
    data = {"id": "1", "name": name, "type": 1, "options": options}

    answer = await ann._do(2, ann.dm, data)

    assert answer.text == "This command only works in a server that has me."
    assert table.sql("SELECT count(*) FROM matches") == [(0,)]


async def test_a_command_that_no_longer_exists_gets_a_sentence(table):
    ann = table.person("Ann")
    data = {"id": "1", "name": "chess", "type": 1, "options": []}

    answer = await ann._do(2, table.discord.world.channel("games"), data)

    assert answer.text == "This command has changed. Reload Discord and try it again."


async def test_a_command_with_outdated_options_gets_a_sentence(table):
    ann = table.person("Ann")
    data = {"id": "1", "name": "unblock", "type": 1, "options": []}

    answer = await ann._do(2, table.discord.world.channel("games"), data)

    assert answer.text == "This command has changed. Reload Discord and try it again."
