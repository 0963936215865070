"""Loads matches as records: one join yields a match, its seats and its current choices."""

from collections.abc import Collection, Sequence
from itertools import groupby
from typing import Any, Final

from sqlalchemy import Row, and_, bindparam, func, or_, select, union_all, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.columns import Columns
from bot.storage.records import ChangeRecord, MatchId, MatchRecord, SeatRecord
from bot.storage.schema import matches, moves, people, results, seats
from games.core import Seat

_MATCH: Final = Columns(
    MatchRecord,
    matches,
    renamed={"time_control": "pace"},
    besides={"seats", "choices", "by_clock"},
    read={
        "late": lambda late: tuple(Seat(int(seat)) for seat in late.split()),
    },
)
_SEAT: Final = Columns(SeatRecord, seats, besides={"change", "desk", "words", "forced"})
_CHANGE: Final = Columns(ChangeRecord, results)
_OF_MATCH: Final = slice(len(_MATCH))
_OF_SEAT: Final = slice(_OF_MATCH.stop, _OF_MATCH.stop + len(_SEAT))
_OF_CHANGE: Final = slice(_OF_SEAT.stop, _OF_SEAT.stop + len(_CHANGE))

SHOW_AGAIN: Final = update(matches).where(matches.c.id == bindparam("sought")).values(settled=False)
"""For an ended match whose messages already show that, but have something new to show."""

_LIVE: Final = matches.alias("live")
OLDEST_LIVE: Final = select(func.min(_LIVE.c.id)).where(~_LIVE.c.settled).scalar_subquery()
"""The number of the first unsettled match; all open and running ones are unsettled.

Queries for what a person has in play start from it, instead of reading all their matches.
"""

PLAYS: Final = and_(
    seats.c.match >= OLDEST_LIVE, seats.c.left.is_(None), matches.c.status == "running"
)
"""Whether a seat still plays in a match that is running, paused or not."""

RUNNING: Final = and_(matches.c.status == "running", ~matches.c.settled)
"""Whether a match is running, paused or not.

No running match is settled, and unsettled ones have indexes: so the deletion of a channel doesn't
read all matches ever played, or all of its server.
"""

NOT_LOST: Final = or_(matches.c.paused_at.is_(None), matches.c.paused_why == "agreed")
"""True of matches paused by agreement too: if they lose their channel, people must be told, and the
match be closed in the end."""

_HELD: Final = matches.alias("held")
_FIRST: Final = union_all(
    select(func.min(_LIVE.c.id).label("id")).where(~_LIVE.c.settled),
    select(func.min(_HELD.c.id)).where(_HELD.c.counts_at.is_not(None)),
).subquery("first")
OLDEST_UNDECIDED: Final = select(func.min(_FIRST.c.id)).scalar_subquery()
"""The number of the first match that is unsettled or whose result doesn't count yet."""

LOAD: Final = (
    select(
        *_MATCH.columns,
        *_SEAT.columns,
        *_CHANGE.columns,
        seats.c.seat,
        people.c.desk,
        people.c.pictures,
        people.c.forced,
        moves.c.move,
        moves.c.how,
    )
    .join(seats, seats.c.match == matches.c.id)
    .outerjoin(people, people.c.user == seats.c.user)
    .outerjoin(
        moves,
        and_(
            moves.c.match == matches.c.id,
            moves.c.step == matches.c.step,
            moves.c.seat == seats.c.seat,
        ),
    )
    .outerjoin(results, and_(results.c.match == matches.c.id, results.c.seat == seats.c.seat))
    .order_by(seats.c.seat)
)
"""Selects one row per seat; a query for several matches sets its own order."""

_ONE: Final = LOAD.where(matches.c.id == bindparam("sought"))
_SEVERAL: Final = (
    LOAD.where(matches.c.id.in_(bindparam("sought", expanding=True)))
    .order_by(None)
    .order_by(matches.c.id, seats.c.seat)
)
# Built once: building a statement as long as these takes as long as executing it.


async def load(connection: AsyncConnection, match: MatchId) -> MatchRecord | None:
    """A match with its seats and the choices of its current step, or None."""
    rows = (await connection.execute(_ONE, {"sought": match})).all()
    return match_of(rows) if rows else None


async def load_all(
    connection: AsyncConnection, numbers: Collection[MatchId]
) -> dict[MatchId, MatchRecord]:
    """The existing ones of these matches, by number."""
    rows = (await connection.execute(_SEVERAL, {"sought": list(numbers)})).all()
    grouped = groupby(rows, key=lambda row: row.id)
    return {MatchId(number): match_of(list(group)) for number, group in grouped}


def match_of(rows: Sequence[Row[*tuple[Any, ...]]]) -> MatchRecord:
    """A record from its rows, one per seat. Any, because a Row is typed only by position."""
    return _MATCH.of(
        rows[0][_OF_MATCH],
        seats=tuple(
            _SEAT.of(
                row[_OF_SEAT],
                change=None if row.after is None else _CHANGE.of(row[_OF_CHANGE]),
                desk=row.desk,
                words=row.pictures is False,  # None: nothing is stored about this person
                forced=row.forced,
            )
            for row in rows
        ),
        choices={Seat(row.seat): row.move for row in rows if row.move is not None},
        by_clock=frozenset(Seat(row.seat) for row in rows if row.how == "time"),
    )
