"""The settings of servers: what may be played where, and the defaults for challenges."""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, get_args

from bot.errors import ButtonError
from bot.storage import MatchId, Storage, TimeControl
from bot.storage.guilds import GuildRecord, TimeOff

DEFAULT_TIME_CONTROL: Final[TimeControl] = "slow"
"""The time control of a match if neither the challenger nor the server has chosen one."""

ServerName = Callable[[int], str]
"""Returns the name of a server, by its id."""


def _at_time_control(record: GuildRecord, *, time_control: TimeControl) -> GuildRecord:
    return replace(record, time_control=time_control)


_CHANGES: Final[Mapping[str, Callable[[GuildRecord], GuildRecord]]] = {
    **{f"pace {key}": partial(_at_time_control, time_control=key) for key in get_args(TimeControl)},
    "tap on": lambda record: replace(record, tap=True),
    "tap off": lambda record: replace(record, tap=False),
    "threads on": lambda record: replace(record, threads=True),
    "threads off": lambda record: replace(record, threads=False),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowed:
    """The settings of a server after `allow`, and the matches whose messages must be edited."""

    settings: GuildRecord
    matches_to_edit: Sequence[MatchId]


class GuildSettings:
    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def of(self, guild: int) -> GuildRecord:
        """The settings of this server; defaults for what it hasn't chosen."""
        async with self._storage.reading() as reading:
            return await reading.guilds.settings(guild)

    async def left(self) -> Container[int]:
        """The ids of the servers that have removed the bot."""
        async with self._storage.reading() as reading:
            return await reading.guilds.left()

    async def change(self, guild: int, what: str) -> GuildRecord:
        """Change one setting, for example `pace slow`; raises ButtonError for an unknown one."""
        if what not in _CHANGES:
            raise ButtonError("That setting doesn't exist. Use `/settings` again.")
        return await self._write(guild, _CHANGES[what])

    async def set_channels(self, guild: int, channels: Iterable[int]) -> GuildRecord:
        """Let matches start in these channels only; in all channels if there are none."""
        chosen = frozenset(channels)
        return await self._write(guild, lambda record: replace(record, channels=chosen))

    async def switch(self, guild: int, on: Iterable[str], off: Iterable[str]) -> GuildRecord:
        """Turn games on and off, by key; games in neither keep their setting."""
        wanted, unwanted = frozenset(on), frozenset(off)
        return await self._write(
            guild,
            lambda record: replace(record, games_off=record.games_off - wanted | unwanted),
        )

    async def post_puzzles(self, guild: int, channel: int | None) -> GuildRecord:
        """Set the channel for the daily puzzle; None posts it nowhere.

        A post that failed is tried again; one that waits for another channel isn't sent there.
        """
        async with self._storage.transaction() as writing:
            before = await writing.guilds.settings(guild, changing=True)
            after = replace(before, puzzle_channel=channel)
            await writing.guilds.put_settings(after)
            await writing.puzzle_posts.change_channel(guild, channel)
        return after

    async def post_digests(self, guild: int, channel: int | None, monday: int) -> GuildRecord:
        """Set the channel for the weekly digest; None posts it nowhere.

        `monday` is the first day of this week, in days since 1970. A server that had no channel
        gets its first digest next Monday, and none for the week before `monday`, unless that one
        had failed or was still waiting when its channel was removed: then it is tried again. A post
        that waits for another channel isn't sent there.
        """
        async with self._storage.transaction() as writing:
            before = await writing.guilds.settings(guild, changing=True)
            after = replace(before, digest_channel=channel)
            await writing.guilds.put_settings(after)
            failed = await writing.digest_posts.change_channel(guild, channel)
            is_first = before.digest_channel is None and channel is not None
            if is_first and monday not in failed:
                await writing.digest_posts.skip(guild, monday)
        return after

    async def allow(self, guild: int, time_off: Iterable[str]) -> Allowed:
        """Allow these kinds of time off, and no others.

        The messages of a held result say whether the match can be resumed, and nothing else changes
        them for a week. So the same transaction notes that they must be edited.
        """
        barred = frozenset(get_args(TimeOff)) - frozenset(time_off)
        async with self._storage.transaction() as writing:
            await writing.messages.lock_held(guild)
            before = await writing.guilds.settings(guild, changing=True)
            after = replace(before, time_off_barred=barred)
            await writing.guilds.put_settings(after)
            changes_held = "resume" in before.time_off_barred ^ barred
            edited = await writing.messages.show_held(guild) if changes_held else ()
        return Allowed(settings=after, matches_to_edit=edited)

    async def _write(self, guild: int, change: Callable[[GuildRecord], GuildRecord]) -> GuildRecord:
        async with self._storage.transaction() as writing:
            after = change(await writing.guilds.settings(guild, changing=True))
            await writing.guilds.put_settings(after)
        return after
