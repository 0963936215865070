"""Voice channels with all fields that discord.py requires to read them.

For the channel that an interaction comes from, Discord promises only the fields that all channels
have. discord.py requires those of voice channels too if it doesn't know the channel: in a server
that the bot isn't in, or not anymore. Without them, the interaction would get no answer. Nor does
Discord promise them for a channel hidden from the bot: without them, discord.py would read only a
part of the server.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

import discord

VOICE: Final = frozenset({discord.ChannelType.voice.value, discord.ChannelType.stage_voice.value})

ASKED_OF_VOICE: Final[Mapping[str, int]] = MappingProxyType(
    {"bitrate": 64_000, "user_limit": 0, "position": 0}
)
"""Fields that discord.py requires of voice channels; nothing here reads them."""


def read_as_voice(channel: dict[str, Any]) -> dict[str, Any]:
    """The channel's JSON with the fields that discord.py requires if it's a voice channel."""
    return {**ASKED_OF_VOICE, **channel} if channel.get("type") in VOICE else channel


def completed(interaction: dict[str, Any]) -> dict[str, Any]:
    """The interaction's JSON with all that discord.py requires to read its channel."""
    channel = interaction.get("channel")
    if not isinstance(channel, dict) or channel.get("type") not in VOICE:
        return interaction
    return {**interaction, "channel": read_as_voice(channel)}
