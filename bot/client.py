"""The bot itself: discord.py's client, the command tree, and what the cogs are given."""

import asyncio
import sys
import time
from collections.abc import Callable
from typing import Any

import discord
import structlog
from discord import app_commands
from discord.ext import commands

from bot.computers.coach import Coach
from bot.errors import HurriedError
from bot.guilds.lifecycle import Losses
from bot.guilds.reports import Reports
from bot.interactions.challenges import Lobby
from bot.interactions.command_sync import sync
from bot.interactions.error_handler import answer_error
from bot.interactions.flood_control import Flood
from bot.interactions.router import Clicks, Seen
from bot.live.reconciler import SOON, Updates
from bot.live.replies import Desks
from bot.live.threads import Threads
from bot.matches import Matches
from bot.matches.agreements import Agreements
from bot.matches.archive import Archive, InPlace
from bot.matches.pauses import Interruptions
from bot.matches.rematches import Rematches
from bot.matches.replays import Runner
from bot.matches.timeouts import Timekeeping
from bot.messaging.delivery import Delivery
from bot.messaging.direct_messages import PACE, Mail
from bot.messaging.files import Parcels
from bot.messaging.membership import Members
from bot.messaging.picture_cache import Pictures
from bot.privacy.erasure import Deletion
from bot.privacy.export import Privacy
from bot.rendering.presentation import Presentations
from bot.scheduling.computer_moves import Computers
from bot.scheduling.deadlines import Clock
from bot.scheduling.nudges import Nudges
from bot.scheduling.reminders import Reminders
from bot.settings.blocks import Blocks
from bot.settings.guilds import Servers
from bot.settings.preferences import Preferences
from bot.stats.computer_ladder import Ladders
from bot.stats.leaderboards import Boards
from bot.stats.match_history import Histories
from bot.stats.profiles import Statistics
from bot.stats.seasons import Seasons
from bot.stats.visibility import Audiences
from bot.storage import Storage
from bot.telemetry.http_tracing import Tracing
from bot.telemetry.metrics import COMMANDS

log = structlog.get_logger()

Command = app_commands.Command[Any, Any, Any] | app_commands.ContextMenu

EXTENSIONS = (
    "cogs.challenge_buttons",
    "cogs.challenge",
    "cogs.games",
    "cogs.blocks",
    "cogs.match_buttons",
    "cogs.menu",
    "cogs.finished_match",
    "cogs.manual",
    "cogs.leaderboard",
    "cogs.stats",
    "cogs.history",
    "cogs.season",
    "cogs.preferences",
    "cogs.settings",
    "cogs.moderation",
    "cogs.resume",
    "cogs.notify",
    "cogs.privacy",
    "cogs.report",
    "cogs.help",
    "cogs.pico",
    "cogs.duel",
    "cogs.conquest",
    "cogs.prize",
    "cogs.spite",
)


discord.VoiceClient.warn_nacl = False  # we have nothing to say
discord.VoiceClient.warn_dave = False


def _is_for_servers(command: Command | None) -> bool:
    return isinstance(command, app_commands.Command) and (
        (command.root_parent or command).guild_only
    )


class Tree(app_commands.CommandTree["Facedown"]):
    """The slash commands; no cog has an error handler of its own, which would silence this one."""

    async def interaction_check(self, interaction: discord.Interaction["Facedown"]) -> bool:
        """Whether to go on: not with a command delivered twice, nor with one too many."""
        if interaction.type is discord.InteractionType.autocomplete:
            return True
        if interaction.client.seen.again(interaction.id):
            return False
        interaction.client.clicks.attend()
        try:
            interaction.client.flood.admit(interaction.user.id)
        except HurriedError as error:  # the library takes only its own errors to `on_error`
            await answer_error(interaction, error)
            return False
        # Discord offers such a command in servers only; the library does not look again.
        if interaction.guild_id is None and _is_for_servers(interaction.command):
            raise app_commands.NoPrivateMessage
        if interaction.command is not None:
            COMMANDS.labels(interaction.command.qualified_name).inc()
        return True

    async def on_error(
        self, interaction: discord.Interaction["Facedown"], error: app_commands.AppCommandError
    ) -> None:
        await answer_error(interaction, error)


class Facedown(commands.AutoShardedBot):
    """It needs no privileged intent: slash commands and buttons bring all there is to know."""

    def __init__(
        self,
        storage: Storage,
        pictures: Pictures,
        *,
        dm_pace: float = PACE,
        soon: float = SOON,
        now: Callable[[], float] = time.time,
        runner: Runner | None = None,
    ) -> None:
        self.tracing = Tracing()
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            tree_cls=Tree,
            http_trace=self.tracing.config,
        )
        self.storage = storage
        self.blocks = Blocks(storage)
        self.presentations = Presentations()
        self.matches = Matches(storage, now=now)
        self.servers = Servers(storage)
        self.seasons = Seasons(storage, now=now)
        members = Members(self, now=now)
        self.boards = Boards(storage, members, now=now)
        self.ladders = Ladders(storage, self.boards, members)
        self.audiences = Audiences(storage)
        self.statistics = Statistics(storage)
        self.histories = Histories(storage)
        self.seen = Seen()
        self.flood = Flood(now)
        self.clicks = Clicks(self.seen, self.flood)
        self.preferences = Preferences(storage)
        self.delivery = Delivery(self, pictures, self.preferences)
        self.reports = Reports(self.delivery, now)
        self.mail = Mail(storage, self.delivery, pace=dm_pace, now=now)
        self.updates = Updates(
            matches=self.matches,
            storage=storage,
            delivery=self.delivery,
            mail=self.mail,
            presentations=self.presentations,
            soon=soon,
        )
        self.privacy = Privacy(
            storage=storage, delivery=self.delivery, mail=self.mail, parcels=Parcels(self), now=now
        )
        self.deletion = Deletion(
            storage=storage,
            matches=self.matches,
            updates=self.updates,
            delivery=self.delivery,
            now=now,
        )
        for kept in (self.preferences, self.flood, self.reports, self.boards, self.privacy):
            self.deletion.memories.append(kept.forget)
        self.computers = Computers(storage, self.matches, self.updates)
        self.coach = Coach(storage, self.computers)
        self.deletion.memories.append(self.coach.forget)
        self.agreements = Agreements(storage, now=now)
        self.rematches = Rematches(storage, now=now)
        self.archive = Archive(storage, runner or InPlace())
        self.nudges = Nudges(storage, self.delivery, self.mail, self.presentations, now=now)
        timekeeping = Timekeeping(storage, now=now)
        self.reminders = Reminders(
            storage=storage,
            timekeeping=timekeeping,
            delivery=self.delivery,
            mail=self.mail,
            presentations=self.presentations,
            now=now,
        )
        self.clock = Clock(
            storage=storage,
            timekeeping=timekeeping,
            reminders=self.reminders,
            updates=self.updates,
            now=now,
        )
        self.interruptions = Interruptions(storage, now=now)
        self.losses = Losses(storage, self.interruptions, self.updates, now=now)
        self.clock.upkeep = self.losses.forget_servers
        self.updates.thread_for = Threads(
            self, storage, self.delivery, self.servers, self.presentations
        ).begin
        self._down: set[int] = set()
        """The shards without a connection: no click on their servers reaches us."""

        self._warming: asyncio.Task[None] | None = None
        self.desks = Desks(self.updates, self.delivery, self.mail)
        self.clicks.late = self.desks.outdated
        self.lobby = Lobby(self.matches, self.desks, self.servers)

    async def load(self) -> None:
        """Load every cog."""
        for extension in EXTENSIONS:
            await self.load_extension(extension)

    async def setup_hook(self) -> None:
        await self.load()
        assert self.application_id is not None
        await sync(self.tree, self.storage, self.application_id)
        await self.clock.start()
        await self.computers.start()
        self.updates.repair()
        self._warming = asyncio.create_task(self._warm_up())

    async def _warm_up(self) -> None:
        """Draw something, so that the first player does not wait while a worker starts."""
        for presentation in self.presentations:
            for page in presentation.manual[:1]:
                if page.picture is not None:
                    await self.delivery.pictures.png(page.picture)

    async def on_shard_disconnect(self, shard: int) -> None:
        self._down.add(shard)
        if self._down.issuperset(self.shards):
            self.clock.hold()

    async def on_shard_connect(self, shard: int) -> None:
        self._down.discard(shard)
        await self.clock.go_on()

    async def on_shard_resumed(self, shard: int) -> None:
        await self.on_shard_connect(shard)

    async def on_ready(self) -> None:
        log.info("ready", servers=len(self.guilds), shards=self.shard_count)

    def is_connected(self) -> bool:
        """Whether clicks can reach us from every server."""
        return self.is_ready() and not any(shard.is_closed() for shard in self.shards.values())

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        self.tracing.arrived(interaction)
        await self.clicks.dispatch(interaction)

    async def on_error(self, event: str, /, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401
        """Log a bug in an event; its arguments may hold a player's choice, so they are left out."""
        del args, kwargs
        log.error("bug", event_name=event, exc_info=sys.exc_info())

    async def close(self) -> None:
        if self._warming is not None:
            self._warming.cancel()
            await asyncio.gather(self._warming, return_exceptions=True)
        await self.clock.close()
        await self.computers.close()
        await self.clicks.close()
        await self.losses.close()
        await self.updates.close()
        await self.delivery.pictures.close()
        await super().close()
