"""Whether the server of a click is known here: discord.py has a guild object for any other, too."""

from typing import Any

import discord

from bot.messaging.installs import has_commands_alone, is_guest
from bot.messaging.permissions import must_be_available, must_have_left


def must_know_server(interaction: discord.Interaction[Any]) -> None:
    """NotAllowedHereError if nothing is known of the channels, threads and roles of its server.

    Another process may hold its shard, or that isn't connected yet. Where the bot itself isn't,
    waiting wouldn't help, so nothing is raised.
    """
    if interaction.guild_id is None or is_guest(interaction) or has_commands_alone(interaction):
        return
    guild = interaction.client.get_guild(interaction.guild_id)
    must_be_available(guild)
    if guild is None:
        must_have_left(interaction.guild_id, ())
