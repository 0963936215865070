"""Running matches as what completes the option of a slash command."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import islice

import discord
from discord import app_commands

from bot.interactions.choices import MAX_CHOICES
from bot.storage.pauses import Underway
from games import GAMES


def completions(
    found: Iterable[Underway],
    guild: discord.Guild | None,
    typed: str,
    *,
    offers: Callable[[int], bool] = lambda _: True,
) -> list[app_commands.Choice[int]]:
    """The matches in whose line all words occur that were typed so far.

    A line is game, number and channel: names of people are not known to the bot. `offers` says
    whether the matches of a channel are offered; it is asked once a channel, and no more of them
    than it takes, for that is worked out from all roles of a server, at each letter.
    """
    return list(islice(_fitting(found, guild, typed.lower().split(), cache(offers)), MAX_CHOICES))


def _fitting(
    found: Iterable[Underway],
    guild: discord.Guild | None,
    words: list[str],
    offers: Callable[[int], bool],
) -> Iterator[app_commands.Choice[int]]:
    for match in found:
        line = _line(match, guild)
        if all(word in line.lower() for word in words) and offers(match.channel):
            yield app_commands.Choice(name=line, value=match.match)


def _line(match: Underway, guild: discord.Guild | None) -> str:
    channel = None if guild is None else guild.get_channel_or_thread(match.channel)
    where = "" if channel is None else f" · #{channel.name}"
    paused = " · paused" if match.paused else ""
    return f"{GAMES[match.game].title} · match {match.match}{paused}{where}"[:100]
