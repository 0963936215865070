"""To what the seats of a match agree: a draw, calling it off, a rematch; and who was nudged."""

from collections.abc import Collection

from sqlalchemy import and_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import TABLE, Agreement, MatchId, MessageRef
from bot.storage.schema import matches, places, seats
from games.core import Seat


async def agree(connection: AsyncConnection, match: MatchId, seat: Seat, what: Agreement) -> None:
    await connection.execute(
        update(seats).where(seats.c.match == match, seats.c.seat == seat).values(agrees=what)
    )


async def clear(connection: AsyncConnection, match: MatchId) -> None:
    """Nobody agrees to anything any more."""
    await connection.execute(
        update(seats).where(seats.c.match == match, seats.c.agrees.is_not(None)).values(agrees=None)
    )


async def lapse_at(connection: AsyncConnection, match: MatchId, due_at: int | None) -> None:
    """When an offer made after the end lapses, None if there is none; the table says so anew."""
    await connection.execute(
        update(matches).where(matches.c.id == match).values(due_at=due_at, settled=False)
    )


async def note_nudged(
    connection: AsyncConnection, match: MatchId, nudged: Collection[Seat], now: int
) -> None:
    await connection.execute(
        update(seats).where(seats.c.match == match, seats.c.seat.in_(nudged)).values(nudged_at=now)
    )


async def rematch_of(connection: AsyncConnection, match: MatchId) -> MatchId | None:
    """The match that is the rematch of this one, if there is one."""
    query = select(matches.c.id).where(matches.c.predecessor == match)
    found = (await connection.execute(query)).scalar_one_or_none()
    return None if found is None else MatchId(found)


async def table_channel(connection: AsyncConnection, match: MatchId) -> int | None:
    """The channel in which the table of a match stands."""
    query = select(places.c.channel).where(places.c.match == match, places.c.place == TABLE)
    channel: int | None = (await connection.execute(query)).scalar_one_or_none()
    return channel


async def table_of_rematch(connection: AsyncConnection, match: MatchId) -> MessageRef | None:
    """Where the rematch of a match is played, once its table stands."""
    at_table = and_(places.c.match == matches.c.id, places.c.place == TABLE)
    query = (
        select(places.c.channel, places.c.message)
        .join(matches, at_table)
        .where(matches.c.predecessor == match)
    )
    row = (await connection.execute(query)).one_or_none()
    return None if row is None else MessageRef(channel=row.channel, message=row.message, shown="")
