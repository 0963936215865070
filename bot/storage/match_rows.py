"""The rows of matches as records: one join gives a match, its seats and the present choices."""

from collections.abc import Collection, Sequence
from itertools import groupby
from typing import Any, cast

from sqlalchemy import Row, and_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import (
    Agreement,
    ChangeRecord,
    Ending,
    MatchId,
    MatchRecord,
    SeatRecord,
    Status,
    TimeControl,
    Why,
)
from bot.storage.schema import matches, moves, people, results, seats
from games.core import Seat

LOAD = (
    select(
        matches.c.id,
        matches.c.game,
        matches.c.options,
        matches.c.status,
        matches.c.guild,
        matches.c.channel,
        matches.c.opener,
        matches.c.wanted,
        matches.c.pace,
        matches.c.tap,
        matches.c.rated,
        matches.c.limited,
        matches.c.predecessor,
        matches.c.seed,
        matches.c.schema,
        matches.c.state,
        matches.c.step,
        matches.c.turn,
        matches.c.late,
        matches.c.due_at,
        matches.c.paused_at,
        matches.c.opened_at,
        matches.c.begun_at,
        matches.c.ended_at,
        matches.c.ending,
        matches.c.revision,
        seats.c.seat,
        seats.c.user,
        seats.c.accepted,
        seats.c.left,
        seats.c.left_why,
        seats.c.strikes,
        seats.c.reminded,
        seats.c.nudged_at,
        seats.c.agrees,
        seats.c.signal,
        seats.c.computer,
        people.c.desk,
        people.c.pictures,
        moves.c.move,
        results.c.before,
        results.c.after,
        results.c.nth,
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
"""The rows of matches, one a seat; whoever adds conditions for several matches orders them."""


async def load(
    connection: AsyncConnection, match: MatchId, *, raised: int = 0
) -> MatchRecord | None:
    """The match with its seats and the choices of its present step, or None.

    `raised` is by how much its revision will have grown when this transaction is committed.
    """
    rows = (await connection.execute(LOAD.where(matches.c.id == match))).all()
    return match_of(rows, raised=raised) if rows else None


async def load_all(
    connection: AsyncConnection, numbers: Collection[MatchId]
) -> dict[MatchId, MatchRecord]:
    """Those of these matches that there are."""
    query = LOAD.where(matches.c.id.in_(numbers)).order_by(None)
    rows = (await connection.execute(query.order_by(matches.c.id, seats.c.seat))).all()
    grouped = groupby(rows, key=lambda row: row.id)
    return {MatchId(number): match_of(list(group)) for number, group in grouped}


def match_of(rows: Sequence[Row[*tuple[Any, ...]]], *, raised: int = 0) -> MatchRecord:
    """A record from its rows, one a seat; Row is typed by position only, hence the Any."""
    head = rows[0]
    return MatchRecord(
        id=MatchId(head.id),
        game=head.game,
        options=head.options,
        status=cast(Status, head.status),  # the table's own check allows nothing else
        guild=head.guild,
        channel=head.channel,
        opener=head.opener,
        wanted=head.wanted,
        time_control=cast(TimeControl, head.pace),
        tap=head.tap,
        rated=head.rated,
        limited=head.limited,
        predecessor=head.predecessor,
        seed=head.seed,
        schema=head.schema,
        state=head.state,
        step=head.step,
        turn=head.turn,
        late=tuple(Seat(int(seat)) for seat in head.late.split()),
        due_at=head.due_at,
        paused=head.paused_at is not None,
        opened_at=head.opened_at,
        begun_at=head.begun_at,
        ended_at=head.ended_at,
        ending=cast(Ending | None, head.ending),
        revision=head.revision + raised,
        seats=tuple(
            SeatRecord(
                user=row.user,
                accepted=row.accepted,
                left=row.left,
                left_why=cast(Why | None, row.left_why),
                strikes=row.strikes,
                reminded=row.reminded,
                nudged_at=row.nudged_at,
                agrees=cast(Agreement | None, row.agrees),
                signal=None if row.signal is None else Seat(row.signal),
                change=_change_of(row),
                here=row.desk == "here",
                words=row.pictures is False,  # not for None: nothing is kept about this person
                computer=row.computer,
            )
            for row in rows
        ),
        choices={Seat(row.seat): row.move for row in rows if row.move is not None},
    )


def _change_of(row: Row[*tuple[Any, ...]]) -> ChangeRecord | None:
    if row.after is None:
        return None
    return ChangeRecord(before=row.before, after=row.after, nth=row.nth)
