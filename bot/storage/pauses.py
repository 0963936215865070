"""Matches that have lost the place where they are played, and where they go on."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, Select, and_, bindparam, or_, select, update

from bot.storage.notices import tell_all
from bot.storage.records import POSTING, MatchId
from bot.storage.repository import Repository
from bot.storage.schema import matches, places, seats

RUNNING: Final = and_(matches.c.status == "running", ~matches.c.settled)
"""None of these is settled, and for those that are not there are indexes: a channel that is deleted
somewhere does not make all matches be read that ever were, nor a server all that it ever had."""

NOT_LOST: Final = or_(matches.c.paused_at.is_(None), matches.c.paused_why == "agreed")
"""Also one that is paused by agreement: that its place is lost must be told and end."""

_CHANNELS: Final = (
    select(matches.c.channel, matches.c.guild)
    .where(matches.c.guild.in_(bindparam("guilds", expanding=True)), RUNNING, NOT_LOST)
    .distinct()
)


@dataclass(frozen=True, slots=True)
class Underway:
    """A running match, or an open challenge, in a few words, to be picked from a list."""

    match: MatchId
    game: str
    channel: int
    paused: bool
    lost: bool = False
    """Whether it is paused because its place is lost, and not by agreement."""

    is_open: bool = False
    """Whether it is a challenge that has not begun yet."""


_UNDERWAY = (
    select(
        matches.c.id,
        matches.c.game,
        matches.c.channel,
        matches.c.paused_at,
        matches.c.paused_why,
        matches.c.status,
    )
    .where(~matches.c.settled)
    .order_by(matches.c.id.desc())
)
_RUNNING_ONES: Final = _UNDERWAY.where(RUNNING)
_MOVE: Final = (
    update(matches)
    .where(matches.c.id == bindparam("sought"))
    .values(channel=bindparam("new_channel", type_=matches.c.channel.type))
)


def _held_of(guild: int) -> ColumnElement[bool]:
    """Of the matches those of a server whose results do not count yet."""
    return and_(matches.c.guild == guild, matches.c.counts_at.is_not(None))


class PauseRepository(Repository):
    async def pause_match(
        self, match: MatchId, channel: int, now: int, due_at: int
    ) -> list[MatchId]:
        """Pause a match that is played in this channel, unless it is; named if it was not before.

        Its players are told that its place is lost.

        `due_at` is when it is closed if nobody goes on with it, in seconds since 1970.
        """
        there = and_(matches.c.id == match, matches.c.channel == channel)
        return await self._pause(there, now, due_at)

    async def pause_channel(self, channel: int, now: int, due_at: int) -> list[MatchId]:
        """Pause the running matches of a channel; those that were not paused before."""
        return await self._pause(matches.c.channel == channel, now, due_at)

    async def pause_guild(self, guild: int, now: int, due_at: int) -> list[MatchId]:
        """Pause the running matches of a server; those that were not paused before.

        Of a server that removed the bot nobody is told: a direct message to who shares no other
        server with the bot is refused, and counts as if they had closed theirs.
        """
        return await self._pause(matches.c.guild == guild, now, due_at, tells=False)

    async def lost(self, guild: int | None = None) -> Mapping[MatchId, int]:
        """The running matches that have lost their place, and their servers; of one or of all."""
        query = select(matches.c.id, matches.c.guild).where(RUNNING, matches.c.paused_why == "lost")
        if guild is not None:
            query = query.where(matches.c.guild == guild)
        rows = await self._connection.execute(query)
        return {MatchId(row.id): row.guild for row in rows}

    async def channels(self, guilds: Collection[int]) -> Mapping[int, int]:
        """The channels of running matches in these servers that have not lost them; in which."""
        rows = await self._connection.execute(_CHANNELS, {"guilds": list(guilds)})
        return {row.channel: row.guild for row in rows}

    async def lock_held(self, guild: int) -> None:
        """Let nobody else act on a server's held results, nor change what it has chosen."""
        await self._locks.all_of(_held_of(guild), guild)

    async def show_held(self, guild: int) -> list[MatchId]:
        """Let the messages of a server's held results be made anew; of which matches they are."""
        numbers = await self._show_again(_held_of(guild))
        await self._make_anew(places.c.match.in_(numbers))
        return numbers

    async def _make_anew(self, which: ColumnElement[bool]) -> None:
        stand = and_(which, places.c.shown != POSTING)
        await self._locks.messages(stand)
        await self._connection.execute(update(places).where(stand).values(shown=""))

    async def _show_again(self, where: ColumnElement[bool]) -> list[MatchId]:
        held = await self._locks.matching(where)
        shown = await self._connection.execute(
            update(matches).where(held).values(settled=False).returning(matches.c.id)
        )
        numbers = sorted(MatchId(row.id) for row in shown)
        await self._touch(*numbers)
        return numbers

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
            await tell_all(self._connection, "lost", numbers, now)
            self._changes.wake_at(now)
        return numbers

    async def move(self, match: MatchId, channel: int) -> None:
        """Note that a match is played in another channel from now on."""
        await self._touch(match)
        await self._connection.execute(_MOVE, {"sought": match, "new_channel": channel})

    async def running_in(self, guild: int) -> Sequence[Underway]:
        """The running matches of a server, the newest first."""
        return await self._underway(_RUNNING_ONES.where(matches.c.guild == guild))

    async def unfinished_in(self, guild: int) -> Sequence[Underway]:
        """The running matches and the open challenges of a server, the newest first."""
        of_guild = _UNDERWAY.where(matches.c.guild == guild)
        return await self._underway(of_guild.where(matches.c.status.in_(["open", "running"])))

    async def paused_of(self, user: int, guild: int) -> Sequence[Underway]:
        """The paused matches of a server in which this person still plays, the newest first."""
        return await self._underway(
            _RUNNING_ONES.join(seats, seats.c.match == matches.c.id).where(
                seats.c.user == user,
                seats.c.left.is_(None),
                matches.c.guild == guild,
                matches.c.paused_at.is_not(None),
            )
        )

    async def _underway(
        self, query: Select[tuple[int, str, int, int | None, str | None, str]]
    ) -> list[Underway]:
        return [
            Underway(
                MatchId(row.id),
                row.game,
                row.channel,
                paused=row.paused_at is not None,
                lost=row.paused_why == "lost",
                is_open=row.status == "open",
            )
            for row in await self._connection.execute(query)
        ]
