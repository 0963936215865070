"""Sends the slash commands to Discord if it doesn't already have them from us."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from hashlib import sha256
from typing import Any, Final

import aiohttp
import discord
import structlog
from discord import app_commands

from bot.errors import StorageUnavailableError
from bot.storage import Storage

log = structlog.get_logger()

Json = Mapping[str, Any]
Shape = tuple[int, str, tuple["Shape", ...]]
SLASH: Final = discord.AppCommandType.chat_input.value
KINDS: Final = frozenset(kind.value for kind in discord.AppCommandType)
"""Command types that discord.py knows. The entry point of an Activity has another, and is kept."""

SENT_BACK: Final = (
    *("id", "type", "name", "name_localizations", "description", "description_localizations"),
    *("default_member_permissions", "contexts", "integration_types", "handler"),
)
"""Fields of such a command that Discord accepts, in the form in which it returned them."""

SYNC_SECONDS: Final = 20.0
"""Seconds within which Discord must accept the commands: a rate limit may last hours, and
discord.py would wait for its end."""


MALFORMED: Final = 50035
HINT: Final = "in the Developer Portal, turn on Guild Install and User Install, then start again"
"""What an owner can do if Discord calls the commands malformed: no document says what it answers
for an install type that is turned off, and tests check the rest of the form."""


def fingerprint(tree: app_commands.CommandTree[Any]) -> str:
    """SHA-256 of everything that Discord would be sent about the commands, in hexadecimal."""
    payload = [command.to_dict(tree) for command in tree.get_commands()]
    payload.sort(key=lambda command: (command["type"], command["name"]))
    return sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()


def _ids(commands: Iterable[Json]) -> dict[str, int]:
    """Ids of slash commands by name; subcommands share the id of their command."""
    return {command["name"]: int(command["id"]) for command in commands if command["type"] == SLASH}


def _shape(command: Json) -> Shape:
    """A command's type, name and options, those of subcommands too, for comparison.

    Not all of its fields: those that we left out come back filled in by Discord.
    """
    options = command.get("options") or ()
    return int(command.get("type", 1)), command["name"], tuple(map(_shape, options))


@asynccontextmanager
async def _in_time(client: discord.Client) -> AsyncIterator[None]:
    """TimeoutError if this takes too long; the client can be used after that.

    At a global rate limit, discord.py lets all requests wait until the one that met it ends their
    wait, which it can't do once it's cancelled.
    """
    try:
        async with asyncio.timeout(SYNC_SECONDS):
            yield
    except TimeoutError:
        client.http._global_over.set()  # noqa: SLF001 - it has no public way
        raise


async def _are_registered(
    tree: app_commands.CommandTree[Any], application: int, ids: Mapping[str, int]
) -> bool:
    """Whether Discord still has the commands as declared, with these ids.

    Others with the same token can change them: a bot of another version that is tried with its own
    database, or a script that deletes them. If Discord can't be asked, they count as unchanged.
    """
    try:
        async with _in_time(tree.client):
            every: Any = await tree.client.http.get_global_commands(application)
    except (discord.HTTPException, OSError, aiohttp.ClientError) as error:
        log.warning("commands not looked at", why=type(error).__name__)
        return True
    registered = [command for command in every if command["type"] in KINDS]
    declared = {_shape(command.to_dict(tree)) for command in tree.get_commands()}
    return {_shape(command) for command in registered} == declared and _ids(registered) == ids


async def _send(tree: app_commands.CommandTree[Any], application: int) -> list[Json]:
    """Replace all commands at Discord; returns those it has then.

    The entry point of an Activity is sent back: Discord accepts no commands without it (50240).
    """
    http: Any = tree.client.http
    every: Any = await http.get_global_commands(application)
    kept = [command for command in every if command["type"] not in KINDS]
    sent: list[Any] = [command.to_dict(tree) for command in tree.get_commands()]
    sent += [{name: c[name] for name in SENT_BACK if c.get(name) is not None} for c in kept]
    taken: list[Json] = await http.bulk_upsert_global_commands(application, payload=sent)
    return taken


async def sync(tree: app_commands.CommandTree[Any], storage: Storage, application: int) -> None:
    """Send the global commands, unless Discord has them from us.

    If Discord doesn't accept them, those it has remain, and the next start tries again.
    """
    present = fingerprint(tree)
    async with storage.reading() as reading:
        before = await reading.commands.fingerprint(application)
        ids = await reading.commands.ids(application)
    if before == present:
        if await _are_registered(tree, application, ids):
            return
        log.warning("commands changed at Discord")
    try:
        async with _in_time(tree.client):
            commands = await _send(tree, application)
        async with storage.transaction() as writing:
            await writing.commands.put_synced(application, present, _ids(commands))
    except discord.HTTPException as error:  # its text has a line for each option that is wrong
        hint = {"hint": HINT} if error.code == MALFORMED else {}
        log.warning("commands not synced", status=error.status, code=error.code, **hint)
    except (OSError, aiohttp.ClientError) as error:
        log.warning("commands not synced", why=type(error).__name__)
    except StorageUnavailableError as error:
        log.warning("commands synced, which is not noted", why=str(error))
    else:
        log.info("commands synced", count=len(commands))
