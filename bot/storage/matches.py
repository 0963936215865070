"""Matches once all seats are taken: loading, dealing, advancing, leaving and ending them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy import and_, bindparam, case, delete, func, not_, select, update

from bot.storage.columns import Columns
from bot.storage.match_rows import SHOW_AGAIN, load, load_all
from bot.storage.notices import queue_end, queue_for_followers
from bot.storage.records import (
    COMPUTER,
    TABLE,
    EndedRecord,
    Ending,
    MatchAccessRecord,
    MatchId,
    MatchRecord,
    ResultRecord,
    SeatRecord,
    Status,
    Why,
)
from bot.storage.repository import Repository
from bot.storage.results import write_result
from bot.storage.schema import matches, places, seats, watches
from games.core import Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class StateColumns:
    """A new state of a running match, as it's written."""

    schema: int
    state: str
    turn: int
    deadline: int | None
    """The turn's deadline (Unix time) for seats with no rest or reserve; None without a clock."""

    due_at: int
    """When the clock looks at the match (Unix time)."""


_DEALT: Final = Columns(StateColumns, matches)

_DEAL: Final = (
    update(matches)
    .where(matches.c.id == bindparam("sought"), matches.c.status == "open")
    .values(
        status="running",
        seed=bindparam("new_seed", type_=matches.c.seed.type),
        begun_at=bindparam("new_begun_at", type_=matches.c.begun_at.type),
        **_DEALT.bound,
    )
    .returning(matches.c.game)
)
_LATE: Final = bindparam("new_late", type_=matches.c.late.type)
_ADVANCE: Final = (
    update(matches)
    .where(
        matches.c.id == bindparam("sought"),
        matches.c.step == bindparam("at_step"),
        matches.c.status == "running",
    )
    .values(late=_LATE, remark=None, step=matches.c.step + 1, **_DEALT.bound)
)
_NOTE_LATE: Final = update(matches).where(matches.c.id == bindparam("sought")).values(late=_LATE)
_HOLD: Final = (
    update(matches)
    .where(matches.c.id == bindparam("sought"))
    .values(counts_at=bindparam("new_counts_at", type_=matches.c.counts_at.type))
)
_LEAVE: Final = (
    update(matches)
    .where(matches.c.id == bindparam("sought"), matches.c.step == bindparam("at_step"))
    .values(**_DEALT.bound)
)
_LEAVE_SEAT: Final = (
    update(seats)
    .where(seats.c.match == bindparam("sought"), seats.c.seat == bindparam("of_seat"))
    .values(
        left=bindparam("new_left", type_=seats.c.left.type),
        left_step=bindparam("at_step", type_=seats.c.left_step.type),
        left_why=bindparam("new_why", type_=seats.c.left_why.type),
        agrees=None,
    )
)
_END: Final = (
    update(matches)
    .where(matches.c.id == bindparam("sought"))
    .values(
        status=bindparam("new_status", type_=matches.c.status.type),
        ended_at=bindparam("new_ended_at", type_=matches.c.ended_at.type),
        ending=bindparam("new_ending", type_=matches.c.ending.type),
        due_at=matches.c.counts_at,
    )
)
_COUNT: Final = SHOW_AGAIN.values(counts_at=None, due_at=None)
_REMATCH_OF: Final = select(matches.c.id).where(matches.c.predecessor == bindparam("sought"))
_LAPSES_AT: Final = bindparam("lapses_at", type_=matches.c.due_at.type)
# If a result is still to count before that, the clock acts then, and the offer ends with it.
_OFFER_REMATCH: Final = SHOW_AGAIN.values(
    due_at=case((matches.c.counts_at < _LAPSES_AT, matches.c.counts_at), else_=_LAPSES_AT)
)
_CLOSE_REMATCH: Final = SHOW_AGAIN.values(due_at=matches.c.counts_at)
_SETTLE: Final = (
    update(matches)
    .where(matches.c.id == bindparam("sought"), matches.c.revision == bindparam("shown"))
    .values(settled=True)
)
_FORGET_FOLLOWERS: Final = delete(watches).where(
    watches.c.match == bindparam("sought"),
    watches.c.match.not_in(
        select(matches.c.id).where(
            matches.c.id == bindparam("sought"), matches.c.counts_at.is_not(None)
        )
    ),
)
_ACCESS: Final = (
    select(
        matches.c.guild,
        matches.c.status,
        func.coalesce(places.c.channel, matches.c.channel).label("channel"),
        and_(matches.c.rated, not_(matches.c.taken_back)).label("rated"),
        seats.c.user,
    )
    .outerjoin(places, and_(places.c.match == matches.c.id, places.c.place == TABLE))
    .outerjoin(seats, seats.c.match == matches.c.id)
    .where(matches.c.id == bindparam("sought"))
)


class MatchRepository(Repository):
    async def load(self, match: MatchId) -> MatchRecord | None:
        """A match with its seats and the choices of its current step, or None.

        A transaction that writes also locks the match.
        """
        await self._locks.matches(match)
        record = await load(self._connection, match)
        return None if record is None else self._as_committed(record)

    async def load_all(self, numbers: Collection[MatchId]) -> dict[MatchId, MatchRecord]:
        """Several matches by number, like `load`; missing ones are left out."""
        await self._locks.matches(*numbers)
        records = await load_all(self._connection, numbers)
        return {match: self._as_committed(record) for match, record in records.items()}

    def _as_committed(self, read: MatchRecord) -> MatchRecord:
        """The record with its revision after the commit; listeners are told of its computers."""
        if read.computers:
            self._changes.computers.add(read.id)
        return replace(read, revision=read.revision + int(read.id in self._changes.touched))

    async def lock_results(self, records: Collection[MatchRecord]) -> None:
        """Lock the results of these matches, so that any of them can end in any order.

        Locking them one at a time could deadlock with a transaction that does so in another order.
        """
        of_servers = [(r.guild, r.game) for r in records if r.guild is not None]
        await self._locks.results(*of_servers)

    async def access(self, match: MatchId) -> MatchAccessRecord | None:
        """Where a match is played and who plays in it; None if there is no such match."""
        rows = (await self._connection.execute(_ACCESS, {"sought": match})).all()
        if not rows:
            return None
        first, players = rows[0], frozenset(row.user for row in rows)
        return MatchAccessRecord(
            guild=first.guild,
            status=first.status,
            channel=first.channel,
            players=players,
            rated=first.rated and COMPUTER not in players,
        )

    async def deal(self, match: MatchId, dealt: StateColumns, *, seed: str, now: int) -> None:
        """Turn an open match into a running one."""
        await self._touch(match)
        self._changes.wake_at(dealt.due_at)
        values = {"sought": match, "new_seed": seed, "new_begun_at": now}
        done = await self._connection.execute(_DEAL, values | _DEALT.bound_values(dealt))
        self._changes.news += [(match, row.game, "begun") for row in done]

    async def advance(
        self, match: MatchId, step: int, dealt: StateColumns, *, late: Sequence[Seat] = ()
    ) -> None:
        """Store the state after a step; TooLateError if the match is no longer at this step.

        `late` are the seats that the clock played for.
        """
        await self._touch(match)
        self._changes.wake_at(dealt.due_at)
        values = {
            "sought": match,
            "at_step": step,
            "new_late": " ".join(map(str, late)),
            **_DEALT.bound_values(dealt),
        }
        self._connection.later(_ADVANCE, values, about=match, must_match=True)

    async def note_late(self, match: MatchId, late: Sequence[Seat]) -> None:
        """Record which seats the clock has just played for, even if forced moves followed."""
        await self._touch(match)
        values = {"sought": match, "new_late": " ".join(map(str, late))}
        self._connection.later(_NOTE_LATE, values, about=match)

    async def leave(
        self, before: MatchRecord, seat: Seat, dealt: StateColumns, *, why: Why
    ) -> SeatRecord:
        """Store that a seat has left, and the state without it; returns the seat's new record.

        `before` is the match as it was; TooLateError if it's no longer at that step.
        """
        match, step = before.id, before.step
        await self._touch(match)
        order = 1 + sum(other.left is not None for other in before.seats)
        departed = replace(
            before.seats[seat], left=order, left_step=step, left_why=why, agrees=None
        )
        of_seat = {"of_seat": seat, "new_left": order, "new_why": why}
        key = {"sought": match, "at_step": step}
        self._connection.later(_LEAVE_SEAT, {**key, **of_seat}, about=match)
        state = {**key, **_DEALT.bound_values(dealt)}
        self._connection.later(_LEAVE, state, about=match, must_match=True)
        return departed

    async def end(
        self,
        record: MatchRecord,
        status: Status,
        now: int,
        outcome: Sequence[ResultRecord] = (),
        *,
        ending: Ending | None = None,
        actor: int | None = None,
    ) -> None:
        """End a match; a finished one with each seat's result, which changes ratings.

        Players and followers are told, except `actor`, who ended it. `record` is the match as this
        transaction has left it, apart from what its seats agree to.
        """
        await self._touch(record.id)
        values = {
            "sought": record.id,
            "new_status": status,
            "new_ended_at": now,
            "new_ending": ending,
        }
        self._connection.later(_END, values, about=record.id)
        self._changes.news.append((record.id, record.game, status))
        queue_end(self._connection, record, status, now, actor)
        self._changes.wake_at(now)
        if record.counts_at is not None:
            self._changes.wake_at(record.counts_at)
        elif outcome:
            await self._write_result(record, now, outcome)

    async def hold_result(self, match: MatchId, counts_at: int | None) -> None:
        """Hold back the result, if the match ends in this transaction, until `counts_at`.

        A Unix time; None has the result count at once, as usual.
        """
        values = {"sought": match, "new_counts_at": counts_at}
        self._connection.later(_HOLD, values, about=match)

    async def count_result(
        self, held: MatchRecord, now: int, outcome: Sequence[ResultRecord]
    ) -> None:
        """Have a held result count, as if the match had ended now.

        Followers are told once more, because until now the match could be resumed.
        """
        await self._touch(held.id)
        await self._connection.execute(_COUNT, {"sought": held.id})
        queue_for_followers(self._connection, held, now)
        self._changes.wake_at(now)
        if outcome:
            await self._write_result(held, now, outcome)

    async def reopen(self, match: MatchId, dealt: StateColumns, back: Collection[Seat]) -> None:
        """Resume a match that had ended. The seats in `back` play again; others keep their order.

        Deadlines missed before no longer count against anybody.
        """
        await self._touch(match)
        self._changes.wake_at(dealt.due_at)
        await self._connection.execute(
            update(matches)
            .where(matches.c.id == match)
            .values(
                status="running",
                ended_at=None,
                ending=None,
                counts_at=None,
                settled=False,
                late="",
                remark="reopened",
                **_DEALT.values(dealt),
            )
        )
        await self._connection.execute(
            update(seats).where(seats.c.match == match).values(strikes=0, wished=None)
        )
        await self._connection.execute(
            update(seats)
            .where(seats.c.match == match, seats.c.seat.in_(back))
            .values(left=None, left_step=None, left_why=None)
        )
        still_left = (
            select(seats.c.seat)
            .where(seats.c.match == match, seats.c.left.is_not(None))
            .order_by(seats.c.left)
        )
        for order, row in enumerate((await self._connection.execute(still_left)).all(), 1):
            await self._connection.execute(
                update(seats)
                .where(seats.c.match == match, seats.c.seat == row.seat)
                .values(left=order)
            )

    async def take_back(self, match: MatchId, step: int, dealt: StateColumns) -> None:
        """Put a running match back to an earlier step; its result will not be rated."""
        await self._touch(match)
        self._changes.wake_at(dealt.due_at)
        await self._connection.execute(
            update(matches)
            .where(matches.c.id == match)
            .values(
                step=step,
                late="",
                remark="taken_back",
                taken_back=True,
                **_DEALT.values(dealt),
            )
        )

    async def show_again(self, match: MatchId) -> None:
        """Have the messages of an ended match compared with it once more."""
        await self._touch(match)
        await self._connection.execute(SHOW_AGAIN, {"sought": match})

    async def _write_result(
        self, record: MatchRecord, now: int, outcome: Sequence[ResultRecord]
    ) -> None:
        ended = EndedRecord(
            match=record.id,
            guild=record.guild,
            game=record.game,
            rated=record.rated and not record.taken_back,
            ended_at=now,
        )
        await write_result(self._connection, self._locks, ended, outcome)

    async def rematch_of(self, match: MatchId) -> MatchId | None:
        """The rematch of this match, or None."""
        row = await self._connection.execute(_REMATCH_OF, {"sought": match})
        found = row.scalar_one_or_none()
        return None if found is None else MatchId(found)

    async def offer_rematch(self, match: MatchId, lapses_at: int) -> None:
        """Have the table of an ended match show a rematch request until `lapses_at` (Unix time)."""
        await self._touch(match)
        self._changes.wake_at(lapses_at)
        values = {"sought": match, "lapses_at": lapses_at}
        await self._connection.execute(_OFFER_REMATCH, values)

    async def close_rematch(self, match: MatchId) -> None:
        """End the time limit of a rematch request, which has led to a rematch or has lapsed."""
        await self._touch(match)
        await self._connection.execute(_CLOSE_REMATCH, {"sought": match})

    async def settle(self, match: MatchId, shown: int) -> bool:
        """Mark a match as settled, with all its messages showing revision `shown`.

        Returns False, and changes nothing, if the match has changed since; it may even have been
        resumed. Its followers are forgotten, unless its result is yet to count: it may be resumed
        until then, and is settled again afterwards.
        """
        done = await self._connection.execute(_SETTLE, {"sought": match, "shown": shown})
        if not done.rowcount:
            return False
        await self._connection.execute(_FORGET_FOLLOWERS, {"sought": match})
        return True
