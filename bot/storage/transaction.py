"""What can be read and written about matches within one transaction."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, cast

from sqlalchemy import Row, and_, delete, func, insert, select, update
from sqlalchemy.dialects.sqlite import insert as upsert
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.challenges import Openings
from bot.storage.records import (
    INVITED,
    Agreement,
    ChangeRecord,
    EndedRecord,
    Ending,
    MatchId,
    MatchRecord,
    MoveRecord,
    NewMatch,
    ResultRecord,
    SeatRecord,
    Status,
    TimeControl,
    Why,
)
from bot.storage.results import write_result
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt:
    """The state of a running match as it is written."""

    schema: int
    state: str
    turn: int
    due_at: int


class Transaction:
    """Reads and writes about one match that all happen or none of them does."""

    def __init__(self, connection: AsyncConnection) -> None:
        self.connection = connection
        self.openings = Openings(connection)
        self.due_at: int | None = None
        """The earliest moment for the clock to act that was written here."""

        self.news: list[tuple[MatchId, str, str]] = []
        """What became of which match of which game, for the log once this is committed."""

        self.computers: set[MatchId] = set()
        """The matches with computers that were read here, which may owe a move now."""

    def wake_at(self, due_at: int) -> None:
        """Let whoever keeps the time know of a moment, once this is committed."""
        self.due_at = due_at if self.due_at is None else min(self.due_at, due_at)

    async def match(self, match: MatchId) -> MatchRecord | None:
        """The match with its seats and the choices of its present step, or None."""
        rows = (await self.connection.execute(LOAD.where(matches.c.id == match))).all()
        found = match_of(rows) if rows else None
        if found is not None and found.computers:
            self.computers.add(match)
        return found

    async def open(self, new: NewMatch, now: int) -> MatchId | None:
        """Write a challenge; None if this interaction has already made one."""
        self.wake_at(new.due_at)
        made = await self.connection.execute(
            upsert(matches)
            .values(
                interaction=new.interaction,
                game=new.game,
                options=new.options,
                status="open",
                guild=new.guild,
                channel=new.channel,
                opener=new.opener,
                wanted=new.wanted,
                pace=new.time_control,
                tap=new.tap,
                rated=new.rated,
                limited=False,
                predecessor=new.predecessor,
                step=0,
                turn=0,
                late="",
                due_at=new.due_at,
                opened_at=now,
                settled=False,
            )
            .on_conflict_do_nothing(index_elements=["interaction"])
            .returning(matches.c.id)
        )
        match = made.scalar_one_or_none()
        if match is None:
            return None
        self.news.append((MatchId(match), new.game, "opened"))
        await self.connection.execute(
            insert(seats),
            [
                {
                    "match": match,
                    "seat": i,
                    "user": user,
                    "accepted": user == new.opener or level is not None,
                    "strikes": 0,
                    "reminded": None if user == new.opener or level is not None else INVITED,
                    "computer": level,
                }
                for i, (user, level) in enumerate(zip_longest(new.users, new.computers))
            ],
        )
        return MatchId(match)

    async def accept(self, match: MatchId, seat: Seat) -> None:
        await self.connection.execute(
            update(seats).where(seats.c.match == match, seats.c.seat == seat).values(accepted=True)
        )

    async def deal(self, match: MatchId, dealt: Dealt, *, seed: str, now: int) -> None:
        """Turn an open match into a running one."""
        self.wake_at(dealt.due_at)
        done = await self.connection.execute(
            update(matches)
            .where(matches.c.id == match, matches.c.status == "open")
            .values(
                status="running",
                seed=seed,
                schema=dealt.schema,
                state=dealt.state,
                turn=dealt.turn,
                due_at=dealt.due_at,
                begun_at=now,
            )
            .returning(matches.c.game)
        )
        self.news += [(match, row.game, "begun") for row in done]

    async def limit(self, match: MatchId) -> None:
        """Let a match that has not begun be casual: its players have begun too many rated ones."""
        await self.connection.execute(
            update(matches).where(matches.c.id == match).values(rated=False, limited=True)
        )

    async def be_casual(self, match: MatchId) -> None:
        """Let a match that has not begun be casual: a computer plays in it."""
        await self.connection.execute(
            update(matches).where(matches.c.id == match).values(rated=False, limited=False)
        )

    async def choose(self, match: MatchId, step: int, seat: Seat, move: MoveRecord) -> None:
        """Write what a seat has chosen, in place of what it had chosen in this step before."""
        values = {"move": move.text, "how": move.how, "made_at": move.made_at}
        await self.connection.execute(
            upsert(moves)
            .values(match=match, step=step, seat=seat, **values)
            .on_conflict_do_update(index_elements=["match", "step", "seat"], set_=values)
        )

    async def strike(self, match: MatchId, seat: Seat, strikes: int) -> None:
        """Note how many turns in a row the clock has played for a seat."""
        await self.connection.execute(
            update(seats)
            .where(seats.c.match == match, seats.c.seat == seat)
            .values(strikes=strikes)
        )

    async def forced(self, users: Sequence[int]) -> dict[int, bool]:
        """Whether forced moves play themselves, for those of these people who have said so."""
        wishes = select(people.c.user, people.c.forced).where(
            people.c.user.in_(users), people.c.forced.is_not(None)
        )
        return {row.user: row.forced for row in await self.connection.execute(wishes)}

    async def late(self, match: MatchId, step: int) -> tuple[Seat, ...]:
        """The seats for which the clock has chosen in a step."""
        played = (
            select(moves.c.seat)
            .where(moves.c.match == match, moves.c.step == step, moves.c.how == "time")
            .order_by(moves.c.seat)
        )
        return tuple(Seat(row.seat) for row in await self.connection.execute(played))

    async def drop_choice(self, match: MatchId, step: int, seat: Seat) -> None:
        await self.connection.execute(
            delete(moves).where(moves.c.match == match, moves.c.step == step, moves.c.seat == seat)
        )

    async def advance(
        self, match: MatchId, step: int, dealt: Dealt, *, late: Sequence[Seat] = ()
    ) -> bool:
        """Store the state after a play, if the match is still at this step; whether it was."""
        self.wake_at(dealt.due_at)
        done = await self.connection.execute(
            update(matches)
            .where(matches.c.id == match, matches.c.step == step, matches.c.status == "running")
            .values(
                schema=dealt.schema,
                state=dealt.state,
                turn=dealt.turn,
                due_at=dealt.due_at,
                late=" ".join(map(str, late)),
                step=step + 1,
            )
        )
        return done.rowcount == 1

    async def leave(self, match: MatchId, seat: Seat, step: int, dealt: Dealt, *, why: Why) -> None:
        """Note that a seat has conceded at this step, and the state without it."""
        order = (
            select(func.count() + 1)
            .select_from(seats)
            .where(seats.c.match == match, seats.c.left.is_not(None))
            .scalar_subquery()
        )
        await self.connection.execute(
            update(seats)
            .where(seats.c.match == match, seats.c.seat == seat)
            .values(left=order, left_step=step, left_why=why, agrees=None)
        )
        await self.connection.execute(
            update(matches)
            .where(matches.c.id == match, matches.c.step == step)
            .values(schema=dealt.schema, state=dealt.state, turn=dealt.turn, due_at=dealt.due_at)
        )

    async def signal(self, match: MatchId, seat: Seat, ahead: Seat | None) -> None:
        """Note whom a seat publicly calls ahead; None for nobody."""
        await self.connection.execute(
            update(seats).where(seats.c.match == match, seats.c.seat == seat).values(signal=ahead)
        )

    async def end(
        self,
        match: MatchId,
        status: Status,
        now: int,
        outcome: Sequence[ResultRecord] = (),
        *,
        ending: Ending | None = None,
    ) -> None:
        """Close a match; a finished one with the result of every seat, which moves ratings."""
        record = (
            await self.connection.execute(
                update(matches)
                .where(matches.c.id == match)
                .values(status=status, ended_at=now, ending=ending, due_at=None)
                .returning(matches.c.guild, matches.c.game, matches.c.rated)
            )
        ).one()
        self.news.append((match, record.game, status))
        if outcome:
            ended = EndedRecord(
                match=match,
                guild=record.guild,
                game=record.game,
                rated=record.rated,
                ended_at=now,
            )
            await write_result(self.connection, ended, outcome)


def match_of(rows: Sequence[Row[*tuple[Any, ...]]]) -> MatchRecord:
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
