"""Where a command or click comes from: a server that has the bot, its direct messages, elsewhere.

Discord lets people install an app for themselves and use it anywhere. The bot is a guest there: it
can answer interactions, and do nothing else.
"""

from collections.abc import Mapping
from typing import Any, Final

import discord

PRIVATE_CHANNEL: Final = 2
"""The context of a group, or of messages between two people."""

BY_SERVER: Final = "0"
BY_USER: Final = "1"
"""By whose installation of the bot an interaction comes."""


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


def comes_as_guest(payload: Mapping[str, Any]) -> bool:
    """The same of an interaction as Discord sent it, before the library has read it."""
    if payload.get("guild_id") is None:
        return bool(payload.get("context") == PRIVATE_CHANNEL)
    owners = payload.get("authorizing_integration_owners") or ()
    return BY_USER in owners and BY_SERVER not in owners


def has_commands_alone(interaction: discord.Interaction[Any]) -> bool:
    """Whether a server has the bot's commands and not the bot, which can only answer there.

    That is known where this process would be told of the server: the library has a server at hand
    for every interaction, with the bot in it.
    """
    guild, client = interaction.guild_id, interaction.client
    if guild is None or not interaction.is_guild_integration():
        return False
    return client.get_guild(guild) is None and client.would_know(guild)
