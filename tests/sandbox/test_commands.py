"""Registering commands: the limits, and what stays the same."""

from datetime import timedelta
from typing import Any

import pytest


def slash(name: str = "play", **fields: Any) -> dict[str, Any]:
    return {"name": name, "description": "Play", **fields}


def option(name: str = "a", kind: int = 3, **fields: Any) -> dict[str, Any]:
    return {"type": kind, "name": name, "description": "d", **fields}


def choices(number: int) -> list[dict[str, str]]:
    return [{"name": str(n), "value": str(n)} for n in range(number)]


def long_options() -> list[dict[str, Any]]:
    """More than 8000 characters, each text within its own limit."""
    long = [{"name": f"{n}".ljust(100, "y"), "value": "z" * 100} for n in range(4)]
    return [option(f"o{n}", description="x" * 100, choices=long) for n in range(10)]


def long_in(locale: str) -> list[dict[str, Any]]:
    """The same length, but only in one other language."""
    long = {"name_localizations": {locale: "y" * 100}}
    return [option(f"o{n}", choices=[{**c, **long} for c in choices(8)]) for n in range(10)]


def many(number: int, kind: int) -> list[dict[str, Any]]:
    description = {"description": "d"} if kind == 1 else {}
    return [{"type": kind, "name": f"n{n}", **description} for n in range(number)]


WRONG: dict[str, tuple[Any, str]] = {
    "no name": ({"description": "d"}, "0.name BASE_TYPE_REQUIRED"),
    "capitals": (slash("Play"), "0.name APPLICATION_COMMAND_INVALID_NAME"),
    "space": (slash("play it"), "0.name APPLICATION_COMMAND_INVALID_NAME"),
    "long name": (slash("x" * 33), "0.name BASE_TYPE_BAD_LENGTH"),
    "no description": ({"name": "a"}, "0.description BASE_TYPE_REQUIRED"),
    "empty description": (slash(description=""), "0.description BASE_TYPE_REQUIRED"),
    "long description": (slash(description="x" * 101), "0.description BASE_TYPE_BAD_LENGTH"),
    "unknown type": (slash(type=9), "0.type BASE_TYPE_CHOICES"),
    "26 options": (
        slash(options=[option(f"o{n}") for n in range(26)]),
        "0.options BASE_TYPE_MAX_LENGTH",
    ),
    "same option": (
        slash(options=[option(), option()]),
        "0.options.1.name APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_IN_USE",
    ),
    "required after optional": (
        slash(options=[option("a"), option("b", required=True)]),
        "0.options.1 APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
    ),
    "26 choices": (
        slash(options=[option(choices=choices(26))]),
        "0.options.0.choices BASE_TYPE_MAX_LENGTH",
    ),
    "same choice": (
        slash(options=[option(choices=choices(1) * 2)]),
        "0.options.0.choices.1.name APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_ALREADY_EXISTS",
    ),
    "long choice": (
        slash(options=[option(choices=[{"name": "a", "value": "x" * 101}])]),
        "0.options.0.choices.0.value BASE_TYPE_MAX_LENGTH",
    ),
    "choice of another type": (
        slash(options=[option(kind=4, choices=[{"name": "a", "value": "x"}])]),
        "0.options.0.choices.0.value NUMBER_TYPE_COERCE",
    ),
    "choices and autocomplete": (
        slash(options=[option(choices=choices(1), autocomplete=True)]),
        "0.options.0.autocomplete APPLICATION_COMMAND_AUTOCOMPLETE_CHOICES_EXCLUSIVE",
    ),
    "autocomplete of a user": (
        slash(options=[option(kind=6, autocomplete=True)]),
        "0.options.0.autocomplete APPLICATION_COMMAND_AUTOCOMPLETE_TYPE_INVALID",
    ),
    "minimum above maximum": (
        slash(options=[option(kind=4, min_value=3, max_value=2)]),
        "0.options.0.min_value NUMBER_TYPE_MAX",
    ),
    "subcommand beside option": (
        slash(options=[option("a", 1), option("b")]),
        "0.options APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
    ),
    "group in group": (
        slash(options=[option("a", 2, options=[option("b", 2)])]),
        "0.options.0.options.0.type BASE_TYPE_CHOICES",
    ),
    "subcommand in a subcommand": (
        slash(options=[option("a", 1, options=[option("b", 1)])]),
        "0.options.0.options.0.type BASE_TYPE_CHOICES",
    ),
    "8001 characters of the longest languages": (
        slash(options=long_in("de")),
        "0 APPLICATION_COMMAND_TOO_LARGE",
    ),
    "deep required order": (
        slash(options=[option("a", 1, options=[option("b"), option("c", required=True)])]),
        "0.options.0.options.1 APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
    ),
    "8001 characters": (slash(options=long_options()), "0 APPLICATION_COMMAND_TOO_LARGE"),
    "menu with description": (
        {"type": 2, "name": "A", "description": "d"},
        "0.description APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION_INVALID",
    ),
    "menu with options": (
        {"type": 3, "name": "A", "options": [option()]},
        "0.options APPLICATION_COMMAND_OPTIONS_NOT_ALLOWED",
    ),
    "unknown locale": (
        slash(name_localizations={"xx": "a"}),
        "0.name_localizations.xx ENUM_TYPE_COERCE",
    ),
    "capitals in a locale": (
        slash(name_localizations={"de": "Spiel"}),
        "0.name_localizations.de APPLICATION_COMMAND_INVALID_NAME",
    ),
    "unknown context": (slash(contexts=[7]), "0.contexts.0 BASE_TYPE_CHOICES"),
    "unknown install": (slash(integration_types=[2]), "0.integration_types.0 BASE_TYPE_CHOICES"),
    "unknown type of channels": (
        slash(options=[option(kind=7, channel_types=[9])]),
        "0.options.0.channel_types.0 BASE_TYPE_CHOICES",
    ),
    "no command": (3, "0 MODEL_TYPE_CONVERT"),
}


@pytest.mark.parametrize("name", WRONG)
async def test_an_invalid_command_registers_nothing(refusing, rest, name):
    command, problem = WRONG[name]

    reply = await rest("PUT", f"{rest.application}/commands", [command])

    assert (reply.status, reply.code) == (400, 50035)
    assert problem in reply.problems
    assert refusing.commands.of(None) == []


async def test_names_are_unique_by_type(rest):
    path = f"{rest.application}/commands"
    different = await rest("PUT", path, [slash("play"), {"type": 2, "name": "play"}])
    same = await rest("PUT", path, [slash("play"), slash("play")])

    assert different.status == 200
    assert same.problems == {"1.name APPLICATION_COMMANDS_DUPLICATE_NAME"}


@pytest.mark.parametrize(("kind", "limit"), [(1, 100), (2, 15), (3, 15)])
async def test_the_number_of_commands_of_each_kind_is_limited(rest, kind, limit):
    path = f"{rest.application}/commands"

    assert (await rest("PUT", path, many(limit, kind))).status == 200
    reply = await rest("PUT", path, many(limit + 1, kind))

    assert (reply.status, reply.code) == (400, 30032)


async def test_at_most_200_commands_can_be_created_a_day(refusing, rest):
    path = f"{rest.application}/commands"
    elsewhere = f"{rest.application}/guilds/{refusing.world.guild.id}/commands"
    assert (await rest("PUT", path, many(100, 1))).status == 200
    renamed = [slash(f"new-{n}") for n in range(100)]
    assert (await rest("PUT", path, renamed)).status == 200

    unchanged = await rest("PUT", path, renamed)
    described = await rest("PUT", path, [slash(c["name"], description="New") for c in renamed])
    added = await rest("POST", path, {"type": 2, "name": "one more"})
    replaced = await rest("PUT", path, [*renamed[1:], slash("one-more")])
    own = await rest("POST", elsewhere, slash("one-more"))

    assert [reply.status for reply in (unchanged, described, own)] == [200, 200, 201]
    assert [(reply.status, reply.code) for reply in (added, replaced)] == [(400, 30034)] * 2
    assert {c["name"] for c in refusing.commands.of(None)} == {c["name"] for c in renamed}
    refusing.clock.advance(timedelta(days=1, seconds=1))
    assert (await rest("POST", path, {"type": 2, "name": "one more"})).status == 201


async def test_an_unchanged_command_keeps_its_id_and_version(rest):
    path = f"{rest.application}/commands"
    first = (await rest("PUT", path, [slash("a"), slash("b")])).body
    second = (await rest("PUT", path, [slash("b", description="New"), slash("a")])).body

    by_name = [{c["name"]: c for c in answer} for answer in (first, second)]
    assert by_name[1]["a"] == by_name[0]["a"]
    assert by_name[1]["b"]["id"] == by_name[0]["b"]["id"]
    assert by_name[1]["b"]["version"] != by_name[0]["b"]["version"]


async def test_returned_commands_can_be_registered_again_without_change(rest):
    path = f"{rest.application}/commands"
    first = (await rest("PUT", path, [slash(options=[option(choices=choices(3))])])).body
    again = [{**c, "default_member_permissions": None} for c in first]

    assert (await rest("PUT", path, again)).body == first
    assert (await rest("GET", path)).body == first


async def test_a_server_can_have_its_own_commands(refusing, rest):
    guild = refusing.world.guild.id
    path = f"{rest.application}/guilds/{guild}/commands"

    await rest("PUT", path, [slash("here")])

    assert [c["guild_id"] for c in (await rest("GET", path)).body] == [str(guild)]
    assert (await rest("GET", f"{rest.application}/commands")).body == []
    offered = refusing.person("Ann").commands("games")
    assert [command["name"] for command in offered] == ["here"]


async def test_single_commands_can_be_added_changed_and_deleted(rest):
    path = f"{rest.application}/commands"
    added = await rest("POST", path, slash("a"))
    replaced = await rest("POST", path, slash("a", description="New"))
    one = f"{path}/{added.body['id']}"
    changed = await rest("PATCH", one, {"name": "b"})

    assert (added.status, replaced.status) == (201, 200)
    assert replaced.body["id"] == added.body["id"]
    assert (changed.body["name"], changed.body["description"]) == ("b", "New")
    assert (await rest("GET", one)).body == changed.body
    assert (await rest("DELETE", one)).status == 204
    assert (await rest("GET", one)).code == 10063


async def test_a_command_cannot_take_the_name_of_another(rest):
    path = f"{rest.application}/commands"
    await rest("POST", path, slash("a"))
    other = await rest("POST", path, slash("b"))

    reply = await rest("PATCH", f"{path}/{other.body['id']}", {"name": "a"})

    assert reply.problems == {"name APPLICATION_COMMANDS_DUPLICATE_NAME"}


async def test_names_can_have_letters_of_other_scripts(rest):
    names = ["spiel-2", "jeu_à_deux", "ゲーム", "игра", "ไทย"]

    reply = await rest("PUT", f"{rest.application}/commands", [slash(name) for name in names])

    assert reply.status == 200
