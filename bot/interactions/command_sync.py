"""The slash commands, sent to Discord when they are not what it already has from us."""

import json
from hashlib import sha256
from typing import Any

import structlog
from discord import app_commands

from bot.storage import Storage

log = structlog.get_logger()


def fingerprint(tree: app_commands.CommandTree[Any]) -> str:
    """A digest of everything Discord would be told of the commands."""
    payload = [command.to_dict(tree) for command in tree.get_commands()]
    payload.sort(key=lambda command: (command["type"], command["name"]))
    return sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()


async def sync(tree: app_commands.CommandTree[Any], storage: Storage, application: int) -> bool:
    """Send the commands, for all servers, if they changed since they were last sent; whether so."""
    present = fingerprint(tree)
    async with storage.reading() as reading:
        if await reading.commands.fingerprint(application) == present:
            return False
    commands = await tree.sync()
    async with storage.transaction() as writing:
        await writing.commands.put_fingerprint(application, present)
    log.info("commands synced", count=len(commands))
    return True
