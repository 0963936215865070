"""Running matches as what completes the option of a slash command."""

from collections.abc import Sequence

import discord
from discord import app_commands

from bot.interactions.choices import MAX_CHOICES
from bot.storage.pauses import Underway
from games import GAMES


def completions(
    found: Sequence[Underway], guild: discord.Guild | None, typed: str
) -> list[app_commands.Choice[int]]:
    """The matches in whose line all words occur that were typed so far.

    A line is game, number and channel: names of people are not known to the bot.
    """
    words = typed.lower().split()
    lines = [(_line(match, guild), match.match) for match in found]
    return [
        app_commands.Choice(name=line, value=number)
        for line, number in lines
        if all(word in line.lower() for word in words)
    ][:MAX_CHOICES]


def _line(match: Underway, guild: discord.Guild | None) -> str:
    channel = None if guild is None else guild.get_channel_or_thread(match.channel)
    where = "" if channel is None else f" · #{channel.name}"
    paused = " · paused" if match.paused else ""
    return f"{GAMES[match.game].title} · match {match.match}{paused}{where}"[:100]
