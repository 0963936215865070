"""When the clock acts on matches: the earliest moment, whose time is up, putting it off.

`matches.due_at` is the expiry of a challenge, the deadline of a turn or the end of silence. It has
an index of its own, so that none of these statements reads matches that are not due.
"""

from collections.abc import Mapping, Sequence

from sqlalchemy import func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import MatchId, TimeControl
from bot.storage.schema import matches, moves
from games.core import Seat


async def due(connection: AsyncConnection, now: float) -> Sequence[MatchId]:
    """The matches whose time is up, the longest due first."""
    rows = await connection.execute(
        select(matches.c.id).where(matches.c.due_at <= now).order_by(matches.c.due_at, matches.c.id)
    )
    return [MatchId(row.id) for row in rows]


async def next_due(connection: AsyncConnection, now: float) -> int | None:
    """The first moment after this one at which the clock has to act, None if there is none."""
    query = select(func.min(matches.c.due_at)).where(matches.c.due_at > now)
    moment: int | None = (await connection.execute(query)).scalar_one()
    return moment


async def put_off(connection: AsyncConnection, match: MatchId, due_at: int) -> None:
    """Let the clock act on a match at another moment, which must not be an earlier one."""
    await connection.execute(update(matches).where(matches.c.id == match).values(due_at=due_at))


async def quiet_since(connection: AsyncConnection, match: MatchId) -> int:
    """Since when nothing has happened: the pause of a paused match, else the last choice."""
    last = select(func.max(moves.c.made_at)).where(moves.c.match == matches.c.id).scalar_subquery()
    since = func.coalesce(matches.c.paused_at, last, matches.c.begun_at, matches.c.opened_at)
    query = select(since).where(matches.c.id == match)
    return int((await connection.execute(query)).scalar_one())


async def note_late(connection: AsyncConnection, match: MatchId, late: Sequence[Seat]) -> None:
    """Note for which seats the clock has just played, also where forced moves followed at once."""
    await connection.execute(
        update(matches).where(matches.c.id == match).values(late=" ".join(map(str, late)))
    )


async def give_grace(
    connection: AsyncConnection, now: int, grace: Mapping[TimeControl, int], quiet: int
) -> Sequence[MatchId]:
    """Put off deadlines that nobody could keep while the bot was away; of which matches.

    A turn with less than half of the grace of its pace left, in seconds, gets all of it. Silence
    that ended meanwhile, in a match without a clock or a paused one, lasts so many seconds more.
    """
    running = (matches.c.status == "running", matches.c.due_at.is_not(None))
    given = []
    for time_control, seconds in grace.items():
        done = await connection.execute(
            update(matches)
            .where(
                *running,
                matches.c.pace == time_control,
                matches.c.paused_at.is_(None),
                matches.c.due_at < now + seconds // 2,
            )
            .values(due_at=now + seconds)
            .returning(matches.c.id)
        )
        given += [MatchId(row.id) for row in done]
    done = await connection.execute(
        update(matches)
        .where(
            *running,
            or_(matches.c.pace == "none", matches.c.paused_at.is_not(None)),
            matches.c.due_at <= now,
        )
        .values(due_at=now + quiet)
        .returning(matches.c.id)
    )
    return given + [MatchId(row.id) for row in done]
