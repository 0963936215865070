"""The channels of a server in which its settings let matches start."""

from collections.abc import Sequence
from typing import Any

import discord

from bot.errors import NotAllowedHereError
from bot.storage.guilds import GuildRecord
from bot.text import listed


def must_allow_here(settings: GuildRecord, interaction: discord.Interaction[Any]) -> None:
    """Raise NotAllowedHereError if no game can be started in the interaction's channel.

    The threads of an allowed channel are allowed, too.
    """
    must_allow_in(settings, _here(interaction), interaction.guild)


def must_allow_in(
    settings: GuildRecord,
    here: set[int | None],
    guild: discord.Guild | None,
    *,
    name: str = "this channel",
) -> None:
    """As `must_allow_here`, for a channel and, if it's a thread, the channel that it is in.

    `name` is what the refusal calls it.
    """
    channels = _elsewhere(settings, here, guild)
    if channels is not None:
        where = [f"<#{channel}>" for channel in channels]
        raise NotAllowedHereError(
            f"You can't start matches in {name}. Play in {listed(where, 'or')}."
            if where
            else "All channels for matches are gone. A server manager can choose others with "
            "`/settings`."
        )


def elsewhere(settings: GuildRecord, interaction: discord.Interaction[Any]) -> Sequence[int] | None:
    """The channels for matches if the interaction's isn't one of them; None if it is."""
    return _elsewhere(settings, _here(interaction), interaction.guild)


def _here(interaction: discord.Interaction[Any]) -> set[int | None]:
    return {interaction.channel_id, getattr(interaction.channel, "parent_id", None)}


def _elsewhere(
    settings: GuildRecord, here: set[int | None], guild: discord.Guild | None
) -> Sequence[int] | None:
    if not settings.channels or here & settings.channels:
        return None
    return existing_channels(settings, guild)


def existing_channels(settings: GuildRecord, guild: discord.Guild | None) -> list[int]:
    """The chosen channels for matches, without those deleted since; all if that isn't known.

    A server that discord.py doesn't know yet comes with a click as one without channels.
    """
    chosen = sorted(settings.channels)
    if guild is None or not guild.channels:
        return chosen
    return [channel for channel in chosen if guild.get_channel(channel) is not None]
