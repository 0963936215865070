"""Channels that the bot can't view, of which Discord says little more than that they exist.

The gateway sends them obfuscated: with a flag, another name, and a single permission overwrite that
denies View Channel to everybody. Their id, type, position and category are true. The overwrite says
nothing about what other people may do in such a channel: that isn't known. Interactions include
their channel in full. discord.py knows nothing of all this.
"""

from collections.abc import Callable
from typing import Any, Final

import discord

from bot.messaging.partial_channels import read_as_voice

OBFUSCATED: Final = 1 << 17
"""The channel flag of an obfuscated channel."""

_FIELDS: Final = ("id", "type", "guild_id", "position", "parent_id", "flags", "name")
"""Fields that are read of an obfuscated channel; Discord says not to rely on the others."""

TELLING_ONE: Final = ("CHANNEL_CREATE", "CHANNEL_UPDATE")
TELLING_ALL: Final = ("GUILD_CREATE",)
"""The events that bring one channel, or all channels of a server."""

Parser = Callable[[Any], None]


def with_readable_channels(name: str, parse: Parser) -> Parser:
    """A parser that passes the given one channels that discord.py can read."""
    if name in TELLING_ONE:
        return lambda data: parse(_readable(data, data.get("guild_id")))
    if name in TELLING_ALL:
        return lambda data: parse(_with_channels(data))
    return parse


def _with_channels(guild: dict[str, Any]) -> dict[str, Any]:
    if "channels" not in guild:
        return guild  # in an outage
    return {**guild, "channels": [_readable(each, guild["id"]) for each in guild["channels"]]}


def _readable(channel: dict[str, Any], guild: Any) -> dict[str, Any]:  # noqa: ANN401 - an id in Discord's JSON
    """The channel with all fields that discord.py requires; closed to everybody if hidden."""
    if not channel.get("flags", 0) & OBFUSCATED:
        return read_as_voice(channel)
    fields: dict[str, Any] = {name: channel[name] for name in _FIELDS if name in channel}
    deny = str(discord.Permissions(view_channel=True).value)
    closed = {"id": guild, "type": 0, "allow": "0", "deny": deny}
    return read_as_voice(fields | {"permission_overwrites": [closed]})


def is_hidden(channel: discord.abc.GuildChannel | discord.Thread) -> bool:
    """Whether the bot can't view a channel, or a thread's channel, so that its rights are unknown.

    A thread whose channel is unknown counts as hidden.
    """
    place = channel.parent if isinstance(channel, discord.Thread) else channel
    me: discord.Member | None = channel.guild.me  # it may be missing, whatever the types say
    return place is None or me is None or not place.permissions_for(me).view_channel


def known_channel(
    guild: discord.Guild | None, channel: int
) -> discord.abc.GuildChannel | discord.Thread | None:
    """The channel or thread with this id, if its name and permissions are known; otherwise None."""
    place = None if guild is None else guild.get_channel_or_thread(channel)
    return None if place is None or is_hidden(place) else place
