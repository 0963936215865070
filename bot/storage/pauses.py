"""Matches that have lost the place where they are played, and where they go on."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Select, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import MatchId
from bot.storage.schema import matches, seats

_RUNNING = matches.c.status == "running"


async def pause_match(
    connection: AsyncConnection, match: MatchId, now: int, due_at: int
) -> list[MatchId]:
    return await _pause(connection, matches.c.id == match, now, due_at)


async def pause_channel(
    connection: AsyncConnection, channel: int, now: int, due_at: int
) -> list[MatchId]:
    return await _pause(connection, matches.c.channel == channel, now, due_at)


async def pause_server(
    connection: AsyncConnection, guild: int, now: int, due_at: int
) -> list[MatchId]:
    return await _pause(connection, matches.c.guild == guild, now, due_at)


async def _pause(
    connection: AsyncConnection, where: ColumnElement[bool], now: int, due_at: int
) -> list[MatchId]:
    """Pause the running matches for which this holds, unless they are; those that now are."""
    paused = await connection.execute(
        update(matches)
        .where(where, _RUNNING, matches.c.paused_at.is_(None))
        .values(paused_at=now, due_at=due_at)
        .returning(matches.c.id)
    )
    return [MatchId(row.id) for row in paused]


async def resume(connection: AsyncConnection, match: MatchId, channel: int, due_at: int) -> None:
    await connection.execute(
        update(matches)
        .where(matches.c.id == match)
        .values(channel=channel, paused_at=None, due_at=due_at)
    )


async def move(connection: AsyncConnection, match: MatchId, channel: int) -> None:
    """Note that a match is played in another channel from now on."""
    await connection.execute(update(matches).where(matches.c.id == match).values(channel=channel))


@dataclass(frozen=True, slots=True)
class Underway:
    """A running match in a few words, to be picked from a list."""

    match: MatchId
    game: str
    channel: int
    paused: bool


_UNDERWAY = (
    select(matches.c.id, matches.c.game, matches.c.channel, matches.c.paused_at)
    .where(_RUNNING)
    .order_by(matches.c.id.desc())
)


async def running_in(connection: AsyncConnection, guild: int) -> Sequence[Underway]:
    """The running matches of a server, the newest first."""
    return await _underway(connection, _UNDERWAY.where(matches.c.guild == guild))


async def paused_of(connection: AsyncConnection, user: int, guild: int) -> Sequence[Underway]:
    """The paused matches of a server in which this person still plays, the newest first."""
    return await _underway(
        connection,
        _UNDERWAY.join(seats, seats.c.match == matches.c.id).where(
            seats.c.user == user,
            seats.c.left.is_(None),
            matches.c.guild == guild,
            matches.c.paused_at.is_not(None),
        ),
    )


async def _underway(
    connection: AsyncConnection, query: Select[tuple[int, str, int, int | None]]
) -> list[Underway]:
    return [
        Underway(MatchId(row.id), row.game, row.channel, paused=row.paused_at is not None)
        for row in await connection.execute(query)
    ]
