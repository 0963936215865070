"""Whether a server is known here: discord.py has a guild object for that of any click, too."""

from typing import Any, Final

import discord

from bot.errors import NotAllowedHereError
from bot.messaging.installs import has_commands_alone, is_guest
from bot.storage import Storage

OUT_OF_REACH: Final = "I can't reach that server right now. Try again in a minute."
"""Another process may hold the server's shard, or that isn't connected yet."""


async def known_server(
    client: discord.Client, storage: Storage, guild: int
) -> discord.Guild | None:
    """The server with this id; None if it has removed the bot.

    NotAllowedHereError during its outage, and if nothing is known of it though the bot is in it.
    """
    server = client.get_guild(guild)
    must_be_available(server)
    if server is None:
        async with storage.reading() as reading:
            if guild not in await reading.guilds.left():
                raise NotAllowedHereError(OUT_OF_REACH)
    return server


def must_know_server(interaction: discord.Interaction[Any]) -> None:
    """NotAllowedHereError if nothing is known of the channels, threads and roles of its server.

    Where the bot itself isn't, waiting wouldn't help, so nothing is raised.
    """
    if interaction.guild_id is None or is_guest(interaction) or has_commands_alone(interaction):
        return
    guild = interaction.client.get_guild(interaction.guild_id)
    must_be_available(guild)
    if guild is None:
        raise NotAllowedHereError(OUT_OF_REACH)


def must_be_available(guild: discord.Guild | None) -> None:
    """NotAllowedHereError during a server's outage: its channels may be unknown then."""
    if guild is not None and guild.unavailable:
        raise NotAllowedHereError("Discord can't reach that server right now. Try again later.")
