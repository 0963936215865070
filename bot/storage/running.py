"""Which matches of a game somebody is playing in a server, asked by nobody but himself."""

from collections.abc import Sequence

from sqlalchemy import select

from bot.storage.records import MatchId
from bot.storage.schema import matches, seats
from bot.storage.store import Storage


async def running_matches(
    storage: Storage, user: int, *, game: str, guild: int
) -> Sequence[MatchId]:
    """The running matches of this game in which this person still has a seat, oldest first."""
    query = (
        select(matches.c.id)
        .join(seats, seats.c.match == matches.c.id)
        .where(
            seats.c.user == user,
            seats.c.left.is_(None),
            matches.c.status == "running",
            matches.c.game == game,
            matches.c.guild == guild,
        )
        .order_by(matches.c.id)
    )
    async with storage.reading() as connection:
        return [MatchId(row.id) for row in await connection.execute(query)]
