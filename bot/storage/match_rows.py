"""The rows of matches as records: one join gives a match, its seats and the present choices."""

from collections.abc import Collection, Sequence
from itertools import groupby
from typing import Any, Final

from sqlalchemy import Row, and_, bindparam, func, select, union_all, update
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
_OF_SEAT: Final = slice(len(_MATCH), len(_MATCH) + len(_SEAT))
_OF_CHANGE: Final = slice(_OF_SEAT.stop, _OF_SEAT.stop + len(_CHANGE))

SHOW_AGAIN: Final = update(matches).where(matches.c.id == bindparam("sought")).values(settled=False)
"""Of a match that has shown its end, and has something to show once more."""

_LIVE: Final = matches.alias("live")
OLDEST_LIVE: Final = select(func.min(_LIVE.c.id)).where(~_LIVE.c.settled).scalar_subquery()
"""The first match that is not settled, as none is that is open or running.

What somebody has under way is looked for from there on, and not among all that they ever had.
"""

PLAYS: Final = and_(
    seats.c.match >= OLDEST_LIVE, seats.c.left.is_(None), matches.c.status == "running"
)
"""Whether whoever sits there still plays in a match that is running, paused or not."""

RUNNING: Final = and_(matches.c.status == "running", ~matches.c.settled)
"""Whether a match is being played or paused.

None of these is settled, and for those that are not there are indexes: a channel that is deleted
somewhere does not make all matches be read that ever were, nor a server all that it ever had.
"""

_HELD: Final = matches.alias("held")
_FIRST: Final = union_all(
    select(func.min(_LIVE.c.id).label("id")).where(~_LIVE.c.settled),
    select(func.min(_HELD.c.id)).where(_HELD.c.counts_at.is_not(None)),
).subquery("first")
OLDEST_UNDECIDED: Final = select(func.min(_FIRST.c.id)).scalar_subquery()
"""The same, or the first match whose result does not count yet, if that comes before."""

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
"""The rows of matches, one a seat; a query for several matches says its own order."""

_ONE: Final = LOAD.where(matches.c.id == bindparam("sought"))
_SEVERAL: Final = (
    LOAD.where(matches.c.id.in_(bindparam("sought", expanding=True)))
    .order_by(None)
    .order_by(matches.c.id, seats.c.seat)
)
# Made once: of a statement as long as these, to put it together takes as long as to execute it.


async def load(connection: AsyncConnection, match: MatchId) -> MatchRecord | None:
    """The match with its seats and the choices of its present step, or None."""
    rows = (await connection.execute(_ONE, {"sought": match})).all()
    return match_of(rows) if rows else None


async def load_all(
    connection: AsyncConnection, numbers: Collection[MatchId]
) -> dict[MatchId, MatchRecord]:
    """Those of these matches that there are."""
    rows = (await connection.execute(_SEVERAL, {"sought": list(numbers)})).all()
    grouped = groupby(rows, key=lambda row: row.id)
    return {MatchId(number): match_of(list(group)) for number, group in grouped}


def match_of(rows: Sequence[Row[*tuple[Any, ...]]]) -> MatchRecord:
    """A record from its rows, one a seat; Row is typed by position only, hence the Any."""
    return _MATCH.of(
        rows[0][: len(_MATCH)],
        seats=tuple(
            _SEAT.of(
                row[_OF_SEAT],
                change=None if row.after is None else _CHANGE.of(row[_OF_CHANGE]),
                desk=row.desk,
                words=row.pictures is False,  # not for None: nothing is kept about this person
                forced=row.forced,
            )
            for row in rows
        ),
        choices={Seat(row.seat): row.move for row in rows if row.move is not None},
        by_clock=frozenset(Seat(row.seat) for row in rows if row.how == "time"),
    )
