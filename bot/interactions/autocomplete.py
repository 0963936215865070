"""Matches of a server as what completes the option of a slash command."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from itertools import islice

import discord
from discord import app_commands

from bot.interactions.choices import MAX_CHOICES
from bot.messaging.hidden_channels import known_channel
from bot.storage.match_list import Underway
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
    named = cache(partial(channel_named, guild))
    for match in found:
        line = _line(match, named(match.channel))
        if all(word in line.lower() for word in words) and offers(match.channel):
            yield app_commands.Choice(name=line, value=match.match)


def channel_named(guild: discord.Guild | None, channel: int | None) -> str:
    """Where a match is played, as the end of its line; "" where that is not known."""
    known = None if channel is None else known_channel(guild, channel)
    return "" if known is None else f" · #{known.name}"


def _line(match: Underway, where: str) -> str:
    what = "challenge" if match.is_open else "match"
    paused = " · paused" if match.paused else ""
    return f"{GAMES[match.game].title} · {what} {match.match}{paused}{where}"[:100]
