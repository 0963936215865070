"""Matches that have lost their channel or server, and the channel where they continue."""

from collections.abc import Collection, Mapping
from typing import Final

from sqlalchemy import ColumnElement, and_, bindparam, select, update

from bot.storage.match_rows import NOT_LOST, RUNNING
from bot.storage.notices import queue_for_all
from bot.storage.records import MatchId
from bot.storage.repository import Repository
from bot.storage.schema import matches

_CHANNELS: Final = (
    select(matches.c.channel, matches.c.guild)
    .where(matches.c.guild.in_(bindparam("guilds", expanding=True)), RUNNING, NOT_LOST)
    .distinct()
)
_MOVE: Final = (
    update(matches)
    .where(matches.c.id == bindparam("sought"))
    .values(channel=bindparam("new_channel", type_=matches.c.channel.type))
)


class PauseRepository(Repository):
    async def pause_match(
        self, match: MatchId, channel: int, now: int, due_at: int
    ) -> list[MatchId]:
        """Pause a match whose channel is gone; returns it unless it was paused for that already.

        Only if it's played in this channel. Its players are told. `due_at` is when it's closed if
        nobody resumes it (Unix time).
        """
        there = and_(matches.c.id == match, matches.c.channel == channel)
        return await self._pause(there, now, due_at)

    async def pause_channel(self, channel: int, now: int, due_at: int) -> list[MatchId]:
        """Pause the running matches of a channel; returns those not paused for that before."""
        return await self._pause(matches.c.channel == channel, now, due_at)

    async def pause_guild(self, guild: int, now: int, due_at: int) -> list[MatchId]:
        """Pause the running matches of a server; returns those not paused for that before.

        Players are not told if the server removed the bot: direct messages to people who share no
        other server with the bot are refused, and that would count as if they had closed theirs.
        """
        return await self._pause(matches.c.guild == guild, now, due_at, tells=False)

    async def lost(self, guild: int | None = None) -> Mapping[MatchId, int]:
        """The running matches whose channel is lost, with their servers; in one server or all."""
        query = select(matches.c.id, matches.c.guild).where(RUNNING, matches.c.paused_why == "lost")
        if guild is not None:
            query = query.where(matches.c.guild == guild)
        rows = await self._connection.execute(query)
        return {MatchId(row.id): row.guild for row in rows}

    async def channels(self, guilds: Collection[int]) -> Mapping[int, int]:
        """The channels of running matches in these servers that aren't lost, with their servers."""
        rows = await self._connection.execute(_CHANNELS, {"guilds": list(guilds)})
        return {row.channel: row.guild for row in rows}

    async def _pause(
        self, where: ColumnElement[bool], now: int, due_at: int, *, tells: bool = True
    ) -> list[MatchId]:
        held = await self._locks.matching(and_(where, RUNNING, NOT_LOST))
        paused = await self._connection.execute(
            update(matches)
            .where(held)
            .values(paused_at=now, paused_why="lost", due_at=due_at)
            .returning(matches.c.id)
        )
        numbers = sorted(MatchId(row.id) for row in paused)
        await self._touch(*numbers)
        if numbers and tells:
            await queue_for_all(self._connection, "lost", numbers, now)
            self._changes.wake_at(now)
        return numbers

    async def move(self, match: MatchId, channel: int) -> None:
        """Record that a match is played in another channel from now on."""
        await self._touch(match)
        await self._connection.execute(_MOVE, {"sought": match, "new_channel": channel})
