"""Where a command or click comes from: a server that has the bot, direct messages, or elsewhere.

People can install an app for themselves and use it anywhere. Elsewhere the bot is a guest: it can
answer interactions and do nothing else.
"""

from collections.abc import Mapping
from typing import Any, Final

import discord

PRIVATE_CHANNEL: Final = 2
"""The context of a group, or of direct messages between two people."""

BY_SERVER: Final = "0"
BY_USER: Final = "1"
"""Keys that say whether a server's or a user's installation of the bot authorized an
interaction."""


def server_of(interaction: discord.Interaction[Any]) -> int | None:
    """The id of the server that this comes from if that has the bot; None anywhere else.

    Only what Discord says of the interaction counts: this process may know just some of the
    servers.
    """
    return None if is_guest(interaction) else interaction.guild_id


def is_direct_message(interaction: discord.Interaction[Any]) -> bool:
    """Whether this comes from direct messages with the bot itself."""
    return interaction.guild_id is None and not interaction.context.private_channel


def is_guest(interaction: discord.Interaction[Any]) -> bool:
    """Whether only a user has installed the bot here: in another server, or among friends.

    Discord accepts answers there, with up to five follow-ups each, and nothing else from the bot.
    """
    if interaction.guild_id is None:
        return bool(interaction.context.private_channel)
    return interaction.is_user_integration() and not interaction.is_guild_integration()


def comes_as_guest(payload: Mapping[str, Any]) -> bool:
    """Like `is_guest`, for an interaction as Discord sent it, before discord.py has read it."""
    if payload.get("guild_id") is None:
        return bool(payload.get("context") == PRIVATE_CHANNEL)
    owners = payload.get("authorizing_integration_owners") or ()
    return BY_USER in owners and BY_SERVER not in owners


def has_commands_alone(interaction: discord.Interaction[Any]) -> bool:
    """Whether a server has the bot's commands but not the bot, which can then only answer there.

    Known only where this process would be told of the server. discord.py's guild object doesn't
    say: it has one for every interaction, with the bot as a member.
    """
    guild, client = interaction.guild_id, interaction.client
    if guild is None or not interaction.is_guild_integration():
        return False
    return client.get_guild(guild) is None and client.would_know(guild)
