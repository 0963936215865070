"""What can be read and written about matches within one transaction."""

from collections.abc import Sequence
from typing import Any, cast

from sqlalchemy import Row, and_, delete, func, insert, select, update
from sqlalchemy.dialects.sqlite import insert as upsert
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import MatchId, MatchRecord, NewMatch, ResultRecord, SeatRecord, Status
from bot.storage.schema import matches, moves, results, seats
from games.core import Seat

_LOAD = (
    select(
        matches.c.id,
        matches.c.game,
        matches.c.options,
        matches.c.status,
        matches.c.guild,
        matches.c.channel,
        matches.c.opener,
        matches.c.seed,
        matches.c.schema,
        matches.c.state,
        matches.c.step,
        seats.c.seat,
        seats.c.user,
        seats.c.accepted,
        seats.c.left,
        moves.c.move,
    )
    .join(seats, seats.c.match == matches.c.id)
    .outerjoin(
        moves,
        and_(
            moves.c.match == matches.c.id,
            moves.c.step == matches.c.step,
            moves.c.seat == seats.c.seat,
        ),
    )
    .order_by(seats.c.seat)
)


class Transaction:
    """Reads and writes that all happen or none of them does."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def match(self, match: MatchId) -> MatchRecord | None:
        """The match with its seats and the choices of its present step, or None."""
        rows = (await self._connection.execute(_LOAD.where(matches.c.id == match))).all()
        return _match(rows) if rows else None

    async def open(self, new: NewMatch, now: int) -> MatchId | None:
        """Write a challenge; None if this interaction has already made one."""
        made = await self._connection.execute(
            upsert(matches)
            .values(
                interaction=new.interaction,
                game=new.game,
                options=new.options,
                status="open",
                guild=new.guild,
                channel=new.channel,
                opener=new.opener,
                step=0,
                opened_at=now,
                settled=False,
            )
            .on_conflict_do_nothing(index_elements=["interaction"])
            .returning(matches.c.id)
        )
        match = made.scalar_one_or_none()
        if match is None:
            return None
        await self._connection.execute(
            insert(seats),
            [
                {"match": match, "seat": i, "user": user, "accepted": user == new.opener}
                for i, user in enumerate(new.users)
            ],
        )
        return MatchId(match)

    async def accept(self, match: MatchId, seat: Seat) -> None:
        await self._connection.execute(
            update(seats).where(seats.c.match == match, seats.c.seat == seat).values(accepted=True)
        )

    async def deal(self, match: MatchId, *, seed: str, schema: int, state: str) -> None:
        """Turn an open match into a running one."""
        await self._connection.execute(
            update(matches)
            .where(matches.c.id == match, matches.c.status == "open")
            .values(status="running", seed=seed, schema=schema, state=state)
        )

    async def choose(self, match: MatchId, step: int, seat: Seat, move: str) -> None:
        """Write what a seat has chosen, in place of what it had chosen in this step before."""
        await self._connection.execute(
            upsert(moves)
            .values(match=match, step=step, seat=seat, move=move)
            .on_conflict_do_update(index_elements=["match", "step", "seat"], set_={"move": move})
        )

    async def drop_choice(self, match: MatchId, step: int, seat: Seat) -> None:
        await self._connection.execute(
            delete(moves).where(moves.c.match == match, moves.c.step == step, moves.c.seat == seat)
        )

    async def advance(self, match: MatchId, step: int, *, schema: int, state: str) -> bool:
        """Store the state after a play, if the match is still at this step; whether it was."""
        done = await self._connection.execute(
            update(matches)
            .where(matches.c.id == match, matches.c.step == step, matches.c.status == "running")
            .values(schema=schema, state=state, step=step + 1)
        )
        return done.rowcount == 1

    async def leave(
        self, match: MatchId, seat: Seat, step: int, *, schema: int, state: str
    ) -> None:
        """Note that a seat has conceded at this step, and the state without it."""
        order = (
            select(func.count() + 1)
            .select_from(seats)
            .where(seats.c.match == match, seats.c.left.is_not(None))
            .scalar_subquery()
        )
        await self._connection.execute(
            update(seats)
            .where(seats.c.match == match, seats.c.seat == seat)
            .values(left=order, left_step=step)
        )
        await self._connection.execute(
            update(matches)
            .where(matches.c.id == match, matches.c.step == step)
            .values(schema=schema, state=state)
        )

    async def end(
        self, match: MatchId, status: Status, now: int, outcome: Sequence[ResultRecord] = ()
    ) -> None:
        """Close a match; a finished one with the result of every seat."""
        record = (
            await self._connection.execute(
                update(matches)
                .where(matches.c.id == match)
                .values(status=status, ended_at=now)
                .returning(matches.c.guild, matches.c.game)
            )
        ).one()
        if outcome:
            await self._connection.execute(
                insert(results),
                [
                    {
                        "match": match,
                        "seat": line.seat,
                        "guild": record.guild,
                        "game": record.game,
                        "user": line.user,
                        "rank": line.rank,
                        "score": line.score,
                        "won": line.won,
                        "drawn": line.drawn,
                        "lost": line.lost,
                        "ended_at": now,
                    }
                    for line in outcome
                ],
            )


def _match(rows: Sequence[Row[*tuple[Any, ...]]]) -> MatchRecord:
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
        seed=head.seed,
        schema=head.schema,
        state=head.state,
        step=head.step,
        seats=tuple(
            SeatRecord(user=row.user, accepted=row.accepted, left=row.left) for row in rows
        ),
        choices={Seat(row.seat): row.move for row in rows if row.move is not None},
    )
