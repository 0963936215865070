"""discord.py's client, the command tree, and the list of cogs."""

import asyncio
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import discord
import structlog
from discord import app_commands
from discord.ext import commands

from bot.cluster.leases import Leases
from bot.cluster.share import EVERYTHING, shard_of
from bot.config import Settings, location_of
from bot.errors import MatchError, StorageUnavailableError
from bot.interactions.command_options import must_be_offered
from bot.interactions.command_sync import sync
from bot.interactions.endpoint import Endpoint, EndpointError
from bot.interactions.error_handler import answer_error, answer_unread
from bot.interactions.handover import CREATED, Handover, is_too_late, place_of
from bot.interactions.shared_work import SharedWork
from bot.messaging.events import logging_errors
from bot.messaging.first_answer import deferral_of
from bot.messaging.installs import server_of
from bot.messaging.leased_bot import LeasedBot
from bot.messaging.partial_channels import completed
from bot.messaging.permissions import invite
from bot.services import Pacing, Processes, Services
from bot.storage import Storage
from bot.storage.startup import MalformedError
from bot.telemetry.http_tracing import Tracing
from bot.telemetry.metrics import COMMANDS
from bot.text import listed
from games import GAMES

log = structlog.get_logger()

Command = app_commands.Command[Any, Any, Any] | app_commands.ContextMenu
Interaction = discord.Interaction["Facedown"]
"""A command or a click, as cogs receive it."""

EXTENSIONS = (
    "cogs.challenge_buttons",
    "cogs.challenge",
    "cogs.games",
    "cogs.watch",
    "cogs.blocks",
    "cogs.match_buttons",
    "cogs.menu",
    "cogs.finished_match",
    "cogs.manual",
    "cogs.leaderboard",
    "cogs.stats",
    "cogs.history",
    "cogs.season",
    "cogs.puzzle",
    "cogs.preferences",
    "cogs.settings",
    "cogs.moderation",
    "cogs.guild_events",
    "cogs.resume",
    "cogs.vacation",
    "cogs.notify",
    "cogs.privacy",
    "cogs.report",
    "cogs.help",
    "cogs.learn",
    *(f"cogs.{game}" for game in GAMES),
)


discord.VoiceClient.warn_nacl = False  # the bot never uses voice
discord.VoiceClient.warn_dave = False


def _is_for_servers(command: Command | None) -> bool:
    """Whether a command works in servers only, by its own setting or by its group's.

    Discord has that setting only for whole groups, so it may offer a server-only subcommand in
    direct messages too.
    """
    return isinstance(command, app_commands.Command) and (
        command.guild_only or (command.root_parent or command).guild_only
    )


class Tree(app_commands.CommandTree["Facedown"]):
    """The command tree. No cog has an error handler: that would silence `on_error` here."""

    async def interaction_check(self, interaction: Interaction) -> bool:
        """Whether to run it: not while closing, delivered twice, too often, or by banned people."""
        router = interaction.client.services.router
        if interaction.type is discord.InteractionType.autocomplete:
            return await router.admit_typing(interaction)
        if not router.admit_command(interaction, deferral_of(interaction)):
            return False
        must_be_offered(interaction)
        if server_of(interaction) is None and _is_for_servers(interaction.command):
            raise app_commands.NoPrivateMessage
        if interaction.command is not None:
            COMMANDS.labels(interaction.command.qualified_name).inc()
        return True

    async def _call(self, interaction: Interaction) -> None:
        """Answer also what is refused or can't be read.

        discord.py passes only its own errors to `on_error`. It has already wrapped whatever our
        commands raise.
        """
        try:
            await super()._call(interaction)
        except app_commands.AppCommandError:
            raise
        except MatchError as error:
            await answer_error(interaction, error)
        except Exception as error:  # noqa: BLE001 - the data may be malformed in any way
            await answer_unread(interaction, error)

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError) -> None:
        await answer_error(interaction, error)


class Facedown(LeasedBot):
    """The client. It needs no privileged intent: slash commands and buttons bring all it needs."""

    shared_work: SharedWork | None

    def __init__(
        self,
        settings: Settings,
        storage: Storage,
        processes: Processes,
        *,
        pacing: Pacing | None = None,
        now: Callable[[], float] = time.time,
        leases: Leases | None = None,
    ) -> None:
        self.leases = leases
        self._now = now
        self.tracing = Tracing((lambda: 1) if leases is None else lambda: leases.processes)
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=discord.Intents(guilds=True),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            tree_cls=Tree,
            http_trace=self.tracing.config,
        )
        self.services = Services(
            self,
            settings,
            storage,
            processes,
            pacing=pacing or Pacing(),
            now=now,
            share=leases or EVERYTHING,
        )
        self._disconnected: set[int] = set()
        """Shards that lost their connection; until they have resumed, they deliver what was missed.
        """

        # Before discord.py parses it: it may be too late, or for another process.
        self._connection.parsers[CREATED] = logging_errors(CREATED, self._from_gateway)
        self.shared_work = None if leases is None else self._share_work(storage, leases)
        self._settings = settings
        self._warming: asyncio.Task[None] | None = None
        self.endpoint: Endpoint | None = None
        """Where Discord can POST clicks and commands; None if turned off, or not open yet."""

    def _share_work(self, storage: Storage, leases: Leases) -> SharedWork:
        """Build what follows this process's leases and hands over other processes' interactions.

        Not in `bot/services.py`: it needs what this client does with an interaction.
        """
        handover = Handover(storage, leases, self._handle, refuse=self._refuse, now=self._now)
        return SharedWork(
            self,
            storage,
            leases,
            handover,
            live=self.services.live,
            repairs=self.services.repairs,
            deadlines=self.services.deadlines,
            computer_moves=self.services.computer_moves,
            preferences=self.services.preferences,
            erasure=self.services.erasure,
            access=self.services.access,
            coach=self.services.coach,
            puzzles=self.services.puzzles,
        )

    async def load(self) -> None:
        """Load every cog."""
        for extension in EXTENSIONS:
            await self.load_extension(extension)

    async def setup_hook(self) -> None:
        await self.load()
        assert self.application_id is not None
        async with self.services.storage.reading() as reading:
            known = await reading.commands.applications()
        if self.application_id not in known:
            self._refuse_database_of(known)
            log.info("first start", add_to_server=invite(self.application_id))
        await sync(self.tree, self.services.storage, self.application_id)
        await self.services.command_ids.known()  # so that no click has to read them
        await self.services.deadlines.start()
        if self.shared_work is None:
            await self.services.computer_moves.start()
            self.services.repairs.begin()
        else:
            self.services.computer_moves.wake()
            self.shared_work.start()
        self._warming = asyncio.create_task(self._warm_up())
        await self._open_endpoint()

    def _refuse_database_of(self, others: Sequence[int]) -> None:
        """Raise MalformedError if other bots use this server's database: they share its shards.

        Only one can use a file at a time, and its owner may have changed the application.
        """
        if self.leases is not None and others:
            replacing = "run DELETE FROM synced_commands there, and start it again."
            raise MalformedError(
                f"DATABASE is not valid: {location_of(self._settings.database)} belongs to another "
                f"bot (application {listed(others)}). Give each bot a database of its own. "
                f"If this one replaces it, {replacing}"
            )

    async def _open_endpoint(self) -> None:
        """Open the endpoint if it's turned on.

        EndpointError if `PUBLIC_KEY` is another application's, or its address can't be used.
        """
        application, settings = self.application, self._settings
        assert application is not None
        address = application.interactions_endpoint_url
        if not settings.endpoint_port:
            if address is not None:
                log.warning("clicks go elsewhere", to=address, hint="ENDPOINT_PORT is not set")
            return
        if settings.public_key not in (None, application.verify_key):
            raise EndpointError(
                "PUBLIC_KEY is another application's. Copy it from the Developer Portal "
                "(General Information), or leave it empty."
            )
        if address is None:
            log.info("clicks come by the gateway", why="the portal has no endpoint address yet")
        endpoint = Endpoint(
            settings.endpoint_host,
            settings.endpoint_port,
            application.verify_key,
            self.receive,
            now=self._now,
        )
        await endpoint.open()
        self.endpoint = endpoint

    def _from_gateway(self, payload: dict[str, Any]) -> None:
        """Handle an interaction from the gateway, unless it was missed earlier and is too late.

        A resumed session first receives all events that it missed, and that it has resumed last.
        For a click among these, Discord has already reported a failure, and the person may have
        changed their mind.
        """
        if (
            self._disconnected
            and shard_of(place_of(payload), self.shard_count or 1) in self._disconnected
            and is_too_late(payload, self._now())
        ):
            return
        if self.shared_work is None:
            self._handle(payload)
        else:
            self.shared_work.handover.from_gateway(payload)

    def receive(self, payload: dict[str, Any]) -> None:
        """Handle an interaction from the endpoint as if it came from the gateway."""
        if self.shared_work is None:
            self._handle(payload)
        else:
            self.shared_work.handover.arrived(payload)

    def _handle(self, payload: dict[str, Any]) -> None:
        """Handle an interaction in this process.

        discord.py has no public method for this. Its gateway calls this one with the data of
        INTERACTION_CREATE: it starts a task for a command in the tree, and one for
        `on_interaction`, before it returns (`tests/e2e/test_endpoint.py` checks that).
        """
        self._connection.parse_interaction_create(completed(payload))  # type: ignore[arg-type]  # JSON

    async def _refuse(self, payload: dict[str, Any], why: StorageUnavailableError) -> None:
        """Answer an interaction with why the database can't be used, and do nothing else."""
        interaction: discord.Interaction[Any] = discord.Interaction(
            data=completed(payload),  # type: ignore[arg-type]  # JSON
            state=self._connection,
        )
        if interaction.type is not discord.InteractionType.autocomplete:
            await answer_error(interaction, why)

    async def _warm_up(self) -> None:
        """Draw a few pictures, so that the first player doesn't wait for a process to start."""
        for presentation in self.services.presentations.values():
            for page in presentation.manual[:1]:
                if page.picture is not None:
                    await self.services.delivery.pictures.png(page.picture)

    async def on_shard_disconnect(self, shard: int) -> None:
        self._disconnected.add(shard)
        self.services.deadlines.hold(shard)

    async def on_shard_connect(self, shard: int) -> None:
        self._disconnected.discard(shard)
        self.services.deadlines.resume(shard, self.shard_count or 1)

    async def on_shard_resumed(self, shard: int) -> None:
        await self.on_shard_connect(shard)

    async def on_ready(self) -> None:
        log.info("ready", servers=len(self.guilds), shards=self.shard_count)

    def is_connected(self) -> bool:
        """Whether clicks from every server of this process can arrive, if it has its fair part."""
        shards, leases = self.shards, self.leases
        if leases is not None:
            return (leases.is_current and not leases.is_short) and all(
                number in shards and not shards[number].is_closed() for number in leases.held
            )
        return self.is_ready() and not any(shard.is_closed() for shard in shards.values())

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        self.tracing.arrived(interaction)
        await self.services.router.dispatch(interaction)

    async def on_error(self, event: str, /, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401
        """Log a bug in an event handler, without its arguments: they may hold a player's choice."""
        del args, kwargs
        if isinstance(sys.exc_info()[1], StorageUnavailableError):
            return  # the storage has logged it, and the next start compares what was missed
        log.error("bug", event_name=event, exc_info=sys.exc_info())

    async def close(self) -> None:
        if self.leases is not None:
            self.leases.claim_no_more()
        if self._warming is not None:
            self._warming.cancel()
            await asyncio.gather(self._warming, return_exceptions=True)
        if self.endpoint is not None:
            await self.endpoint.drain()  # before the router waits for all that it has accepted
        if self.shared_work is not None:
            await self.shared_work.close()
        await self.services.close()
        await super().close()
        if self.leases is not None:
            await self.leases.close()  # last: from here on other processes do this one's work
        if self.endpoint is not None:
            await self.endpoint.close()
