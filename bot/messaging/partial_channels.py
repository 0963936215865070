"""Channels for voice as the library can read them.

Of the channel that an interaction comes from, Discord promises what all channels have, and not what
only those for voice have. The library asks for that where it does not know the channel: in a server
that has not added the bot, or has removed it. Without it the interaction would get no answer. Nor
does Discord promise it of a channel that is hidden from the bot: without it the server would be
known in part only.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

import discord

VOICE: Final = frozenset({discord.ChannelType.voice.value, discord.ChannelType.stage_voice.value})

ASKED_OF_VOICE: Final[Mapping[str, int]] = MappingProxyType(
    {"bitrate": 64_000, "user_limit": 0, "position": 0}
)
"""What the library asks of them; nobody here looks at it."""


def read_as_voice(channel: dict[str, Any]) -> dict[str, Any]:
    """The same channel, as Discord has sent it, with what the library needs if it is for voice."""
    return {**ASKED_OF_VOICE, **channel} if channel.get("type") in VOICE else channel


def completed(interaction: dict[str, Any]) -> dict[str, Any]:
    """The same interaction, as Discord has sent it, with all that the library needs to read it."""
    channel = interaction.get("channel")
    if not isinstance(channel, dict) or channel.get("type") not in VOICE:
        return interaction
    return {**interaction, "channel": read_as_voice(channel)}
