"""Autocomplete choices for options of slash commands that name a match."""

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
    matches: Iterable[Underway],
    guild: discord.Guild | None,
    typed: str,
    *,
    offers: Callable[[int], bool] = lambda _: True,
) -> list[app_commands.Choice[int]]:
    """Choices for the matches whose line contains all words typed so far, at most `MAX_CHOICES`.

    A line has game, number and channel: the bot doesn't know people's names. `offers` says whether
    the matches of a channel are offered. It is called once per channel, and only as often as
    needed, because it computes permissions from all roles of a server, for each letter typed.
    """
    return list(
        islice(_matching(matches, guild, typed.lower().split(), cache(offers)), MAX_CHOICES)
    )


def _matching(
    matches: Iterable[Underway],
    guild: discord.Guild | None,
    words: list[str],
    offers: Callable[[int], bool],
) -> Iterator[app_commands.Choice[int]]:
    named = cache(partial(channel_named, guild))
    for match in matches:
        line = _line(match, named(match.channel))
        if all(word in line.lower() for word in words) and offers(match.channel):
            yield app_commands.Choice(name=line, value=match.match)


def channel_named(guild: discord.Guild | None, channel: int | None) -> str:
    """The channel of a match as the end of its line; empty if it's unknown."""
    known = None if channel is None else known_channel(guild, channel)
    return "" if known is None else f" · #{known.name}"


def _line(match: Underway, channel_text: str) -> str:
    what = "challenge" if match.is_open else "match"
    paused = " · paused" if match.paused else ""
    return f"{GAMES[match.game].title} · {what} {match.match}{paused}{channel_text}"[:100]
