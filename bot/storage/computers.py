"""Where computers play: matches in which one may owe a move, and those that people have played."""

from collections.abc import Sequence

from sqlalchemy import and_, select
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
    connection: AsyncConnection, user: int, match: MatchId, count: int
) -> Sequence[MatchId]:
    """The matches that somebody had finished when this one began, of its game in its server.

    At most so many, the latest first.
    """
    this = matches.alias("this")
    query = (
        select(matches.c.id)
        .join(seats, seats.c.match == matches.c.id)
        .join(this, and_(this.c.guild == matches.c.guild, this.c.game == matches.c.game))
        .where(seats.c.user == user, this.c.id == match, matches.c.id != match)
        .where(matches.c.status == "over", matches.c.ended_at <= this.c.begun_at)
        .order_by(matches.c.ended_at.desc(), matches.c.id.desc())
        .limit(count)
    )
    return [MatchId(row.id) for row in await connection.execute(query)]
