"""What is left of servers that removed the bot, until they are forgotten."""

from collections.abc import Mapping, Sequence

from sqlalchemy import delete, exists, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import MatchId
from bot.storage.schema import matches, metadata, servers


async def left_servers(connection: AsyncConnection) -> Mapping[int, int]:
    """The servers that removed the bot, and when."""
    query = select(servers.c.guild, servers.c.left_at).where(servers.c.left_at.is_not(None))
    return {row.guild: row.left_at for row in await connection.execute(query)}


async def left_before(connection: AsyncConnection, moment: int, at_latest: int) -> Sequence[int]:
    """The servers left before a moment whose matches have shown their end to all players.

    Those left before the other moment are among them in any case.
    """
    untold = exists().where(matches.c.guild == servers.c.guild, ~matches.c.settled)
    query = (
        select(servers.c.guild)
        .where(servers.c.left_at <= moment, or_(~untold, servers.c.left_at <= at_latest))
        .order_by(servers.c.guild)
    )
    return [row.guild for row in await connection.execute(query)]


async def forget_matches(connection: AsyncConnection, guild: int, most: int) -> Sequence[MatchId]:
    """Delete so many matches of a server with all that belongs to them; which they were."""
    some = select(matches.c.id).where(matches.c.guild == guild).limit(most)
    gone = await connection.execute(
        delete(matches).where(matches.c.id.in_(some)).returning(matches.c.id)
    )
    return [MatchId(row.id) for row in gone]


async def forget_server(connection: AsyncConnection, guild: int) -> None:
    """Delete every row of a server, whatever table it is in."""
    for table in reversed(metadata.sorted_tables):
        if "guild" in table.c:
            await connection.execute(delete(table).where(table.c.guild == guild))
