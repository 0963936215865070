"""Servers, channels and threads that come, go or are in an outage, and rights in them."""

import discord
from discord.ext import commands

from bot.client import Facedown
from bot.cluster.share import shard_of
from bot.messaging.permissions import (
    is_seen,
    is_shut_out_of,
    may_more,
    may_more_without,
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
        if may_more(before, after):
            await self.services.guild_lifecycle.rights_changed(after.guild.id)
        if is_seen(before) and not is_seen(after):
            await self.services.guild_lifecycle.rights_lost(after.guild.id)

    @commands.Cog.listener()
    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        me: discord.Member | None = after.guild.me  # it may be missing, as below
        could, can = before.permissions.value, after.permissions.value
        if me is not None and after in me.roles and can & ~could:
            await self.services.guild_lifecycle.rights_changed(after.guild.id)
        if me is not None and after in me.roles and could & ~can:
            await self.services.guild_lifecycle.rights_lost(after.guild.id)

    @commands.Cog.listener()
    async def on_guild_role_delete(self, role: discord.Role) -> None:
        """A role that is gone takes away what it allowed, and also what it denied in channels."""
        if may_more_without(role):
            await self.services.guild_lifecycle.rights_changed(role.guild.id)
        await self.services.guild_lifecycle.rights_lost(role.guild.id)

    @commands.Cog.listener()
    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """Without further intents, Discord tells this of the bot itself only."""
        changed = before.roles != after.roles or before.timed_out_until != after.timed_out_until
        if after == after.guild.me and changed:
            await self.services.guild_lifecycle.rights_changed(after.guild.id)
            await self.services.guild_lifecycle.rights_lost(after.guild.id)

    @commands.Cog.listener()
    async def on_thread_update(self, before: discord.Thread, after: discord.Thread) -> None:
        if before.locked and not after.locked:
            await self.services.guild_lifecycle.rights_changed(after.guild.id)

    @commands.Cog.listener()
    async def on_thread_join(self, thread: discord.Thread) -> None:
        """The bot sees a thread that was there before: its channel, or it was archived."""
        await self.services.guild_lifecycle.thread_seen(thread.guild.id)

    @commands.Cog.listener()
    async def on_thread_remove(self, thread: discord.Thread) -> None:
        """The bot was taken out of a thread, or sees it no more: of others, it is told nothing."""
        if is_shut_out_of(thread):
            thread.guild._remove_thread(thread)  # noqa: SLF001 - the library goes on knowing it
            await self.services.guild_lifecycle.rights_lost(thread.guild.id)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, thread: discord.RawThreadDeleteEvent) -> None:
        await self.services.guild_lifecycle.channel_gone(thread.thread_id)

    @commands.Cog.listener()
    async def on_guild_unavailable(self, guild: discord.Guild) -> None:
        self.services.deadlines.hold_server(guild.id)

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Its clock goes on at once: what `on_server` does may take long, and fail."""
        self.services.deadlines.server_back(guild.id)

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        self.services.deadlines.server_back(guild.id)
        await self.services.guild_lifecycle.server_left(guild.id)

    @commands.Cog.listener("on_guild_join")
    @commands.Cog.listener("on_guild_available")
    async def on_server(self, guild: discord.Guild) -> None:
        """A server has added the bot, is there after a start, or is back from an outage.

        It may have added the bot again while that lasted.
        """
        if await self.services.bans.leave(guild):
            return
        since = self.services.delivery.channels.joined_at(guild.id)
        await self.services.guild_lifecycle.server_joined(guild.id, since)

    @commands.Cog.listener()
    async def on_shard_ready(self, shard: int) -> None:
        """Hold the servers that are in an outage now, and find those that have come or gone.

        The library says nothing where an outage is told by `GUILD_CREATE`, and Discord might not
        say it.
        """
        here = [guild for guild in self.bot.guilds if guild.shard_id == shard]
        for guild in here:
            if guild.unavailable:
                self.services.deadlines.hold_server(guild.id)
        if not self.bot.holds(shard):
            return  # let go meanwhile, and its servers with it: they have not left
        count, channels = self.bot.shard_count or 1, self.services.delivery.channels
        await self.services.guild_lifecycle.compare(
            {guild.id: channels.joined_at(guild.id) for guild in here},
            lambda guild: shard_of(guild, count) == shard,
        )


async def setup(bot: Facedown) -> None:
    await bot.add_cog(GuildEvents(bot))
