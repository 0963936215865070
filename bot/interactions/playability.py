"""Whether a match can be played, or go on: where somebody clicks, or where that match is or was."""

from typing import Any, Final

import discord

from bot.errors import NotAllowedHereError
from bot.interactions.match_channels import must_allow_here, must_allow_in
from bot.matches import PublicSnapshot
from bot.messaging.channels import Channels
from bot.messaging.known_servers import known_server
from bot.messaging.permissions import must_be_able_to_play
from bot.settings.guilds import GuildSettings
from bot.storage import Storage
from bot.storage.guilds import GuildRecord
from games import GAMES

NOT_THERE: Final = (
    "I'm not in that server anymore, so you can't play there. Start a match in another one."
)


class Playability:
    """Asks what the bot may do in a channel, and what its server's settings allow.

    A match without a server can be played anywhere.
    """

    def __init__(self, storage: Storage, servers: GuildSettings, channels: Channels) -> None:
        self._storage = storage
        self._servers = servers
        self._channels = channels

    async def must_be_playable_here(self, interaction: discord.Interaction[Any]) -> None:
        """NotAllowedHereError if no match can be played, or go on, in this channel."""
        await self.settings_here(interaction, interaction.guild_id or 0)
        must_be_able_to_play(interaction)

    async def settings_here(
        self, interaction: discord.Interaction[Any], server: int
    ) -> GuildRecord:
        """The settings of this server; NotAllowedHereError if they bar matches in this channel."""
        settings = await self._servers.of(server)
        must_allow_here(settings, interaction)
        return settings

    async def settings_to_play(
        self, interaction: discord.Interaction[Any], server: int, game: str
    ) -> GuildRecord:
        """The settings of this server; NotAllowedHereError if this game can't be played here."""
        settings = await self._servers.of(server)
        _must_allow_game(settings, game)
        must_allow_here(settings, interaction)
        must_be_able_to_play(interaction, threads=settings.threads)
        return settings

    async def must_be_playable(
        self, interaction: discord.Interaction[Any], match: PublicSnapshot
    ) -> None:
        """NotAllowedHereError if the bot couldn't run an ended match where it was."""
        if match.guild is None or match.channel is None:
            return
        if interaction.channel_id == match.channel:
            must_be_able_to_play(interaction)
        else:
            await self.must_be_playable_there(interaction, match, NOT_THERE)

    async def must_be_playable_there(
        self, interaction: discord.Interaction[Any], match: PublicSnapshot, refusal: str
    ) -> None:
        """Like `must_be_playable`, for a click made elsewhere.

        `refusal` is the sentence if the bot isn't in the match's server anymore.
        """
        if match.guild is None or match.channel is None:
            return
        guild = await known_server(interaction.client, self._storage, match.guild)
        if guild is None:
            raise NotAllowedHereError(refusal)
        await self._channels.must_be_able_to_play_there(guild, match.channel)

    async def must_be_allowed_again(
        self, interaction: discord.Interaction[Any], match: PublicSnapshot
    ) -> None:
        """NotAllowedHereError if settings forbid another match like this where this one was."""
        if match.guild is None or match.channel is None:
            return
        settings = await self._servers.of(match.guild)
        _must_allow_game(settings, match.game)
        guild = interaction.client.get_guild(match.guild)
        if guild is None or interaction.channel_id == match.channel:
            must_allow_here(settings, interaction)
        else:
            await self._must_allow_there(settings, guild, match.channel)

    async def _must_allow_there(
        self, settings: GuildRecord, guild: discord.Guild, channel: int
    ) -> None:
        """As `must_allow_here`, for a click elsewhere that starts a match in this channel."""
        found = guild.get_channel_or_thread(channel)
        parent = getattr(found, "parent_id", None)
        if found is None and settings.channels and channel not in settings.channels:
            parent = await self._channels.parent_of(channel)  # of an archived thread, not cached
        must_allow_in(settings, {channel, parent}, guild, name=f"<#{channel}>")


def _must_allow_game(settings: GuildRecord, game: str) -> None:
    if game in settings.games_off:
        raise NotAllowedHereError(
            f"{GAMES[game].title} is turned off in this server. A server manager can turn it on "
            "with `/settings`."
        )
