"""The slash commands, sent to Discord when they are not what it already has from us."""

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
"""The kinds that the library knows. What starts an Activity is another, and stays as it is."""

SENT_BACK: Final = (
    *("id", "type", "name", "name_localizations", "description", "description_localizations"),
    *("default_member_permissions", "contexts", "integration_types", "handler"),
)
"""What Discord takes of such a command, in the form in which it told it."""

SYNC_SECONDS: Final = 20.0
"""In which Discord must take the commands: a rate limit may last for hours, and the library would
wait for its end."""


MALFORMED: Final = 50035
HINT: Final = "in the Developer Portal, turn on Guild Install and User Install, then start again"
"""What an owner can do about a form that Discord does not take: what it says of commands for an
install that is turned off, no document tells, and tests see to the rest of the form."""


def fingerprint(tree: app_commands.CommandTree[Any]) -> str:
    """A digest of everything Discord would be told of the commands."""
    payload = [command.to_dict(tree) for command in tree.get_commands()]
    payload.sort(key=lambda command: (command["type"], command["name"]))
    return sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()


def _ids(commands: Iterable[Json]) -> dict[str, int]:
    """The ids of slash commands by name; subcommands have that of their command."""
    return {command["name"]: int(command["id"]) for command in commands if command["type"] == SLASH}


def _shape(command: Json) -> Shape:
    """A command as it is told from others: kind, name and options, those of subcommands too.

    Not all that it says: what was left to Discord comes back filled in.
    """
    options = command.get("options") or ()
    return int(command.get("type", 1)), command["name"], tuple(map(_shape, options))


@asynccontextmanager
async def _in_time(client: discord.Client) -> AsyncIterator[None]:
    """TimeoutError where this takes too long, after which the client can go on.

    At a limit for everything, the library lets all requests wait for the one that met it; that one
    tells them when it is over, which it can't once it is given up.
    """
    try:
        async with asyncio.timeout(SYNC_SECONDS):
            yield
    except TimeoutError:
        client.http._global_over.set()  # noqa: SLF001 - it has no public way
        raise


async def _stand(
    tree: app_commands.CommandTree[Any], application: int, ids: Mapping[str, int]
) -> bool:
    """Whether Discord still has the commands as it took them, by these ids.

    Others can change them by the same token: a bot of another version, tried with a database of its
    own, or a script that deletes them. Where Discord can't be asked, they count as they were.
    """
    try:
        async with _in_time(tree.client):
            every: Any = await tree.client.http.get_global_commands(application)
    except (discord.HTTPException, OSError, aiohttp.ClientError) as error:
        log.warning("commands not looked at", why=type(error).__name__)
        return True
    found = [command for command in every if command["type"] in KINDS]
    declared = {_shape(command.to_dict(tree)) for command in tree.get_commands()}
    return {_shape(command) for command in found} == declared and _ids(found) == ids


async def _send(tree: app_commands.CommandTree[Any], application: int) -> list[Json]:
    """Replace all commands at Discord; those it has then.

    What starts an Activity is sent back: Discord takes no commands without it (50240).
    """
    http: Any = tree.client.http
    every: Any = await http.get_global_commands(application)
    kept = [command for command in every if command["type"] not in KINDS]
    sent: list[Any] = [command.to_dict(tree) for command in tree.get_commands()]
    sent += [{name: c[name] for name in SENT_BACK if c.get(name) is not None} for c in kept]
    taken: list[Json] = await http.bulk_upsert_global_commands(application, payload=sent)
    return taken


async def sync(tree: app_commands.CommandTree[Any], storage: Storage, application: int) -> None:
    """Send the commands, for all servers, if Discord has not got them from us.

    Where Discord does not take them, those it has go on working, and the next start tries again.
    """
    present = fingerprint(tree)
    async with storage.reading() as reading:
        before = await reading.commands.fingerprint(application)
        ids = await reading.commands.ids(application)
    if before == present:
        if await _stand(tree, application, ids):
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
