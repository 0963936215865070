"""Where computers play: matches in which one may owe a move, and those that people have played."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import MatchId
from bot.storage.schema import matches, seats


async def matches_of_computers(connection: AsyncConnection) -> Sequence[MatchId]:
    """The running matches in which a computer still plays, those first that are due first."""
    query = (
        select(matches.c.id)
        .where(
            matches.c.status == "running",
            matches.c.paused_at.is_(None),
            select(seats.c.seat)
            .where(
                seats.c.match == matches.c.id,
                seats.c.computer.is_not(None),
                seats.c.left.is_(None),
            )
            .exists(),
        )
        .order_by(matches.c.due_at, matches.c.id)
    )
    return [MatchId(row.id) for row in await connection.execute(query)]


async def played_by(
    connection: AsyncConnection, user: int, guild: int, game: str, count: int
) -> Sequence[MatchId]:
    """The latest matches of a game that somebody has finished in a server, the latest first."""
    query = (
        select(matches.c.id)
        .join(seats, seats.c.match == matches.c.id)
        .where(seats.c.user == user, matches.c.guild == guild, matches.c.game == game)
        .where(matches.c.status == "over")
        .order_by(matches.c.ended_at.desc(), matches.c.id.desc())
        .limit(count)
    )
    return [MatchId(row.id) for row in await connection.execute(query)]
