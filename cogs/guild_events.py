"""Events of servers, channels and threads: they come, go, have an outage, change permissions."""

import discord
from discord.ext import commands

from bot.client import Facedown
from bot.cluster.share import shard_of
from bot.messaging.permissions import (
    cannot_view,
    gained_permissions,
    is_seen,
    remove_deleted_role,
)


class GuildEvents(commands.Cog):
    def __init__(self, bot: Facedown) -> None:
        self.bot = bot
        self.services = bot.services

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        lifecycle = self.services.guild_lifecycle
        await lifecycle.channel_with_threads_gone(channel.id, channel.guild.id)

    @commands.Cog.listener()
    async def on_guild_channel_update(
        self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        if gained_permissions(before, after):
            await self.services.guild_lifecycle.permissions_changed(after.guild.id)
        if is_seen(before) and not is_seen(after):
            await self.services.guild_lifecycle.permissions_lost(after.guild.id)

    @commands.Cog.listener()
    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        me: discord.Member | None = after.guild.me  # it may be missing
        could, can = before.permissions.value, after.permissions.value
        if me is not None and after in me.roles and can & ~could:
            await self.services.guild_lifecycle.permissions_changed(after.guild.id)
        if me is not None and after in me.roles and could & ~can:
            await self.services.guild_lifecycle.permissions_lost(after.guild.id)

    @commands.Cog.listener()
    async def on_guild_role_delete(self, role: discord.Role) -> None:
        """Handle that the bot may have lost what the role allowed, or gained what it denied."""
        if remove_deleted_role(role):
            await self.services.guild_lifecycle.permissions_changed(role.guild.id)
        await self.services.guild_lifecycle.permissions_lost(role.guild.id)

    @commands.Cog.listener()
    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """Handle changes of the bot's own roles and timeout; others need an intent it lacks."""
        changed = before.roles != after.roles or before.timed_out_until != after.timed_out_until
        if after == after.guild.me and changed:
            await self.services.guild_lifecycle.permissions_changed(after.guild.id)
            await self.services.guild_lifecycle.permissions_lost(after.guild.id)

    @commands.Cog.listener()
    async def on_thread_update(self, before: discord.Thread, after: discord.Thread) -> None:
        if before.locked and not after.locked:
            await self.services.guild_lifecycle.permissions_changed(after.guild.id)

    @commands.Cog.listener()
    async def on_thread_join(self, thread: discord.Thread) -> None:
        """Handle that an older thread is visible now: its channel is, or it was archived."""
        await self.services.guild_lifecycle.thread_seen(thread.id, thread.guild.id)

    @commands.Cog.listener()
    async def on_thread_remove(self, thread: discord.Thread) -> None:
        """Handle that the bot was removed from a thread, or can't see it any longer."""
        if cannot_view(thread):
            thread.guild._remove_thread(thread)  # noqa: SLF001 - discord.py keeps it in its cache
            await self.services.guild_lifecycle.permissions_lost(thread.guild.id)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, thread: discord.RawThreadDeleteEvent) -> None:
        await self.services.guild_lifecycle.channel_gone(thread.thread_id)

    @commands.Cog.listener()
    async def on_guild_unavailable(self, guild: discord.Guild) -> None:
        self.services.deadlines.hold_server(guild.id)
        self.services.guild_lifecycle.outage_begun(guild.id)

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Let the server's clocks run again at once: `on_server` may take long, and fail."""
        self.services.deadlines.server_back(guild.id)

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        self.services.deadlines.server_back(guild.id)
        await self.services.guild_lifecycle.server_left(guild.id)

    @commands.Cog.listener("on_guild_join")
    @commands.Cog.listener("on_guild_available")
    async def on_server(self, guild: discord.Guild) -> None:
        """Handle a server that added the bot, is there after a start, or is back from an outage.

        It may have removed and added the bot during the outage.
        """
        if await self.services.bans.leave(guild):
            return
        since = self.services.delivery.channels.joined_at(guild.id)
        await self.services.guild_lifecycle.server_joined(guild.id, since)

    @commands.Cog.listener()
    async def on_shard_ready(self, shard: int) -> None:
        """Stop the clocks of servers that are in an outage, and find servers that came or went.

        discord.py dispatches nothing if `GUILD_CREATE` says that a server is unavailable, and
        Discord may not send even that. A shard that was given up has no servers here, and one that
        was taken back can't have any yet: an event from before doesn't say that they have left.
        """
        here = [guild for guild in self.bot.guilds if guild.shard_id == shard]
        for guild in here:
            if guild.unavailable:
                self.services.deadlines.hold_server(guild.id)
        if not self.bot.knows_servers_of(shard):
            return
        count, channels = self.bot.shard_count or 1, self.services.delivery.channels
        await self.services.guild_lifecycle.compare(
            {guild.id: channels.joined_at(guild.id) for guild in here},
            lambda guild: shard_of(guild, count) == shard,
        )


async def setup(bot: Facedown) -> None:
    await bot.add_cog(GuildEvents(bot))
