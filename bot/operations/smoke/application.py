"""Checks what Discord says of the application, its commands and its permissions."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import discord
from discord.http import Route

from bot.client import Facedown
from bot.config import Settings
from bot.messaging.permissions import missing
from bot.messaging.picture_cache import PictureCache
from bot.messaging.process_pool import ProcessPool
from bot.operations.smoke.lines import Checks, DiffersError, NotTriedError
from bot.operations.smoke.requests import Json
from bot.operations.smoke.trial import Trial
from bot.services import Processes
from bot.storage import Storage
from bot.text import counted, listed

checks = Checks()


async def declared_commands(settings: Settings) -> list[Json]:
    """All commands as this version would register them."""
    with TemporaryDirectory() as folder:
        async with (
            Storage.open(Path(folder) / "smoke.sqlite3") as storage,
            Facedown(settings, storage, Processes(pictures=PictureCache(ProcessPool(1)))) as bot,
        ):
            await bot.load()
            return [command.to_dict(bot.tree) for command in bot.tree.get_commands()]


@checks.add("GET /gateway/bot", "a number of shards, and a session start left")
async def gateway(trial: Trial) -> str:
    answer = await trial.ask(trial.http.request(Route("GET", "/gateway/bot")))
    if not answer.ok:
        raise DiffersError(str(answer))
    limit = answer.body["session_start_limit"]
    shards = counted(answer.body["shards"], "shard", "shards")
    seen = f"{shards}; {limit['remaining']} of {limit['total']} starts left"
    seen += f", {limit['max_concurrency']} at once"
    if answer.body["shards"] < 1 or limit["remaining"] < 1 or limit["max_concurrency"] < 1:
        raise DiffersError(seen)
    return seen


@checks.add(
    "Who can install the bot", "servers, with the bot itself, and people as an app of their own"
)
async def installs(trial: Trial) -> str:
    answer = await trial.ask(trial.http.request(Route("GET", "/applications/@me")))
    if not answer.ok:
        raise DiffersError(str(answer))
    offered = answer.body.get("integration_types_config") or {}
    lacking = [who for kind, who in (("0", "servers"), ("1", "people")) if kind not in offered]
    if lacking:
        raise DiffersError(f"not {listed(lacking)}: see Installation in the Developer Portal")
    link = offered["0"].get("oauth2_install_params")  # None without a link by Discord
    if link is not None and "bot" not in link["scopes"]:
        raise DiffersError(
            "servers get the commands without the bot: add the scope `bot` to Guild Install under "
            "Installation in the Developer Portal"
        )
    return "both"


@checks.add("What the bot may do in this channel", "all that a match in a thread needs")
async def permissions(trial: Trial) -> str:
    guild = (await trial.ask(trial.client.fetch_guild(trial.guild))).value
    if guild is None:
        raise DiffersError("the server is not shown")
    channel = (await trial.ask(guild.fetch_channel(trial.channel))).value
    member = (await trial.ask(guild.fetch_member(trial.me))).value
    if channel is None or member is None:
        raise DiffersError("the channel, or the bot's own membership, is not shown")
    granted: discord.Permissions = channel.permissions_for(member)
    lacking = missing(granted, threads=True)
    if lacking:
        raise DiffersError(f"lacks {listed(lacking)}")
    return f"all of it ({granted.value})"


@checks.add("Commands that are registered", "installs, contexts, rights and options as declared")
async def commands(trial: Trial) -> str:
    answer = await trial.ask(trial.http.get_global_commands(trial.application))
    if not answer.ok:
        raise DiffersError(str(answer))
    if not answer.body:
        raise NotTriedError("none are registered yet; start the bot once")
    declared = await declared_commands(trial.settings)
    registered = {(command["type"], command["name"]): command for command in answer.body}
    differences = [
        difference
        for command in declared
        for difference in _differences(
            command, registered.pop((command["type"], command["name"]), None)
        )
    ]
    differences += [f"{name} is not of this version" for _, name in registered]
    if differences:
        raise DiffersError("; ".join(differences))
    return f"{counted(len(declared), 'command', 'commands')}, all as declared"


def _differences(declared: Json, registered: Json | None) -> Iterator[str]:
    """How a registered command differs from its declaration; fields left to Discord don't count."""
    name = declared["name"]
    if registered is None:
        yield f"{name} is missing"
        return
    for field in ("contexts", "integration_types"):
        wanted, actual = declared.get(field), registered.get(field)
        if wanted is not None and sorted(wanted) != sorted(actual or ()):
            yield f"{name}: {field} {actual}, declared {wanted}"
    rights = registered.get("default_member_permissions")
    if str(declared.get("default_member_permissions")) != str(rights):
        yield f"{name}: default_member_permissions {rights}"
    if _options(declared) != _options(registered):
        yield f"{name}: other options"


def _options(command: Json) -> list[str]:
    return [option["name"] for option in command.get("options", ())]
