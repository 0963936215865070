"""Where a command or click comes from: a server that has the bot, its direct messages, elsewhere.

Discord lets people install an app for themselves and use it anywhere. The bot is a guest there: it
can answer interactions, and do nothing else.
"""

from typing import Any

import discord


def server_of(interaction: discord.Interaction[Any]) -> int | None:
    """The server that this comes from, if it has the bot; None anywhere else.

    Only what Discord says counts, not which servers this process knows: it may know a part of them.
    """
    return None if is_guest(interaction) else interaction.guild_id


def is_direct_message(interaction: discord.Interaction[Any]) -> bool:
    """Whether this comes from somebody's direct messages with the bot itself."""
    return interaction.guild_id is None and not interaction.context.private_channel


def is_guest(interaction: discord.Interaction[Any]) -> bool:
    """Whether only its person has installed the bot here: in another server, or among friends.

    Discord takes answers there, five follow-ups each, and nothing of the bot's own accord.
    """
    if interaction.guild_id is None:
        return bool(interaction.context.private_channel)
    return interaction.is_user_integration() and not interaction.is_guild_integration()


def has_commands_alone(interaction: discord.Interaction[Any]) -> bool:
    """Whether a server has the bot's commands and not the bot, which can only answer there.

    That is known where this process would be told of the server: the library has a server at hand
    for every interaction, with the bot in it.
    """
    guild, client = interaction.guild_id, interaction.client
    if guild is None or not interaction.is_guild_integration():
        return False
    return client.get_guild(guild) is None and client.would_know(guild)
