"""The settings of servers: what may be played where, and how unless the challenger says it."""

from collections.abc import Awaitable, Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, get_args

import discord

from bot.errors import ButtonError, NotAllowedHereError
from bot.storage import MatchId, Storage, TimeControl
from bot.storage.guilds import GuildRecord, TimeOff
from bot.text import listed
from games import GAMES

DEFAULT_TIME_CONTROL: Final[TimeControl] = "slow"
"""Of a match for which neither challenger nor server has named one."""

ServerName = Callable[[int], str]
"""What a server is called, by its id."""


def _at_pace(record: GuildRecord, *, time_control: TimeControl) -> GuildRecord:
    return replace(record, time_control=time_control)


_CHANGES: Final[Mapping[str, Callable[[GuildRecord], GuildRecord]]] = {
    **{f"pace {key}": partial(_at_pace, time_control=key) for key in get_args(TimeControl)},
    "tap on": lambda record: replace(record, tap=True),
    "tap off": lambda record: replace(record, tap=False),
    "threads on": lambda record: replace(record, threads=True),
    "threads off": lambda record: replace(record, threads=False),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowed:
    """What a server lets people take, and the matches whose messages it changes."""

    settings: GuildRecord
    anew: Sequence[MatchId]


class GuildSettings:
    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def of(self, guild: int) -> GuildRecord:
        """The settings of this server; the defaults where it has chosen nothing."""
        async with self._storage.reading() as reading:
            return await reading.guilds.settings(guild)

    async def left(self) -> Container[int]:
        """The servers that have removed the bot."""
        async with self._storage.reading() as reading:
            return await reading.guilds.left()

    async def change(self, guild: int, what: str) -> GuildRecord:
        """Change one setting, for example `pace slow`; ButtonError for an unknown one."""
        if what not in _CHANGES:
            raise ButtonError("That setting doesn't exist. Use `/settings` again.")
        return await self._write(guild, _CHANGES[what])

    async def limit(self, guild: int, channels: Iterable[int]) -> GuildRecord:
        """Let matches be begun in these channels only; in all for none."""
        chosen = frozenset(channels)
        return await self._write(guild, lambda record: replace(record, channels=chosen))

    async def switch(self, guild: int, on: Iterable[str], off: Iterable[str]) -> GuildRecord:
        """Switch games on and off; what is in neither stays as it is."""
        wanted, unwanted = frozenset(on), frozenset(off)
        return await self._write(
            guild,
            lambda record: replace(record, games_off=record.games_off - wanted | unwanted),
        )

    async def post_puzzles(self, guild: int, channel: int | None) -> GuildRecord:
        """Let the daily puzzle be posted in this channel; nowhere for None.

        What could not be posted today is tried again, and what waits goes nowhere else.
        """
        async with self._storage.transaction() as writing:
            before = await writing.guilds.settings(guild, changing=True)
            after = replace(before, puzzle_channel=channel)
            await writing.guilds.put_settings(after)
            await writing.puzzle_posts.forget_unposted(guild, channel)
        return after

    async def post_digests(self, guild: int, channel: int | None, monday: int) -> GuildRecord:
        """Let the weekly digest be posted in this channel; nowhere for None.

        The first one comes on the next Monday, not for the week before `monday`, which began this
        one (days since 1970). What could not be posted, or still waited, is tried again, also where
        the channel was none for a while, and what waits goes nowhere else.
        """
        async with self._storage.transaction() as writing:
            before = await writing.guilds.settings(guild, changing=True)
            after = replace(before, digest_channel=channel)
            await writing.guilds.put_settings(after)
            failed = await writing.digest_posts.forget_unposted(guild, channel)
            is_first = before.digest_channel is None and channel is not None
            if is_first and monday not in failed:
                await writing.digest_posts.skip(guild, monday)
        return after

    async def allow(self, guild: int, time_off: Iterable[str]) -> Allowed:
        """Let people take these kinds of time off, and no others.

        Messages of held results say whether those can be resumed, for a week and with no change of
        their own: that they must be made anew is written with it.
        """
        barred = frozenset(get_args(TimeOff)) - frozenset(time_off)
        async with self._storage.transaction() as writing:
            await writing.messages.lock_held(guild)
            before = await writing.guilds.settings(guild, changing=True)
            after = replace(before, time_off_barred=barred)
            await writing.guilds.put_settings(after)
            changes_held = "resume" in before.time_off_barred ^ barred
            anew = await writing.messages.show_held(guild) if changes_held else ()
        return Allowed(settings=after, anew=anew)

    async def _write(self, guild: int, change: Callable[[GuildRecord], GuildRecord]) -> GuildRecord:
        async with self._storage.transaction() as writing:
            after = change(await writing.guilds.settings(guild, changing=True))
            await writing.guilds.put_settings(after)
        return after


def must_allow(settings: GuildRecord, game: str, interaction: discord.Interaction[Any]) -> None:
    """NotAllowedHereError where this server does not let this game be begun in this channel."""
    _must_allow_game(settings, game)
    must_allow_here(settings, interaction)


async def must_allow_there(
    settings: GuildRecord,
    game: str,
    guild: discord.Guild | None,
    channel: int,
    parent_of: Callable[[int], Awaitable[int | None]],
) -> None:
    """The same for a click in direct messages, which begins a match in a channel of a server.

    `parent_of` asks Discord in which channel a thread is: nobody knows that of an archived one.
    """
    if guild is None:
        raise NotAllowedHereError(
            "I'm not in that server anymore, so you can't play there. Start a match in another one."
        )
    _must_allow_game(settings, game)
    found = guild.get_channel_or_thread(channel)
    parent = getattr(found, "parent_id", None)
    if found is None and settings.channels and channel not in settings.channels:
        parent = await parent_of(channel)
    _must_allow_in(settings, {channel, parent}, guild)


def _must_allow_game(settings: GuildRecord, game: str) -> None:
    if game in settings.games_off:
        raise NotAllowedHereError(
            f"{GAMES[game].title} is turned off in this server. A server manager can turn it on "
            "with `/settings`."
        )


def must_allow_here(settings: GuildRecord, interaction: discord.Interaction[Any]) -> None:
    """NotAllowedHereError where this server lets nothing be played in this channel.

    What may be played in a channel may be in its threads.
    """
    here = {interaction.channel_id, getattr(interaction.channel, "parent_id", None)}
    _must_allow_in(settings, here, interaction.guild)


def _must_allow_in(
    settings: GuildRecord, here: set[int | None], guild: discord.Guild | None
) -> None:
    if settings.channels and not here & settings.channels:
        where = [f"<#{channel}>" for channel in standing(settings, guild)]
        raise NotAllowedHereError(
            f"You can't start matches in this channel. Play in {listed(where, 'or')}."
            if where
            else "All channels for matches are gone. A server manager can choose others with "
            "`/settings`."
        )


def standing(settings: GuildRecord, guild: discord.Guild | None) -> list[int]:
    """The channels where matches may be begun that have not been deleted since."""
    chosen = sorted(settings.channels)
    return chosen if guild is None else [c for c in chosen if guild.get_channel(c) is not None]
