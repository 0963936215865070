"""The clocks of matches: when a turn ends, what a seat has in reserve, who is on vacation."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import Select, func, select, update
from sqlalchemy.dialects.postgresql import insert as upsert

from bot.storage.records import MatchId, MatchRecord, SeatRecord
from bot.storage.repository import Repository
from bot.storage.schema import matches, seats, vacations


@dataclass(frozen=True, slots=True, kw_only=True)
class VacationRecord:
    """A vacation in one server, in seconds since 1970."""

    started_at: int
    until: int


class ClockRepository(Repository):
    async def put(self, before: MatchRecord, after: MatchRecord) -> None:
        """Write how the clocks of a match stand, where that has changed."""
        await self._touch(after.id)
        if after.due_at is not None:
            self._changes.wake_at(after.due_at)
        await self._connection.execute(
            update(matches)
            .where(matches.c.id == after.id)
            .values(
                turn=after.turn,
                deadline=after.deadline,
                due_at=after.due_at,
                paused_at=after.paused_at,
                paused_why=after.paused_why,
                remark=after.remark,
            )
        )
        await self.put_seats(before, after)

    async def put_seats(self, before: MatchRecord, after: MatchRecord) -> None:
        """Write what of the clocks belongs to single seats, where that has changed."""
        for i, (old, new) in enumerate(zip(before.seats, after.seats, strict=True)):
            if _of_seat(old) == _of_seat(new):
                continue
            await self._touch(after.id)
            await self._connection.execute(
                update(seats)
                .where(seats.c.match == after.id, seats.c.seat == i)
                .values(rested=new.rested, reserve=new.reserve, away_until=new.away_until)
            )

    async def hold_running(self, user: int, guild: int) -> None:
        """Let nobody else act on the matches of a server in which this person plays."""
        await self._locks.matching(matches.c.id.in_(_running_of(user, guild)))

    async def vacations(self, user: int, guild: int) -> Sequence[VacationRecord]:
        """All vacations of a person in a server, the earliest first; none begins meanwhile."""
        await self._locks.ids(user)
        query = (
            select(vacations.c.started_at, vacations.c.until)
            .where(vacations.c.user == user, vacations.c.guild == guild)
            .order_by(vacations.c.started_at)
        )
        return [VacationRecord(**row) for row in (await self._connection.execute(query)).mappings()]

    async def begin_vacation(self, user: int, guild: int, vacation: VacationRecord) -> None:
        await self._connection.execute(
            upsert(vacations)
            .values(user=user, guild=guild, started_at=vacation.started_at, until=vacation.until)
            .on_conflict_do_update(  # one that was ended in the second in which it began
                index_elements=["user", "guild", "started_at"], set_={"until": vacation.until}
            )
        )

    async def end_vacation(self, user: int, guild: int, now: int) -> None:
        """Let a vacation that goes on end now."""
        await self._connection.execute(
            update(vacations)
            .where(vacations.c.user == user, vacations.c.guild == guild, vacations.c.until > now)
            .values(until=now)
        )

    async def on_vacation(self, users: Collection[int], guild: int, now: int) -> dict[int, int]:
        """Until when each of these people is on vacation in a server; who is not is left out."""
        query = (
            select(vacations.c.user, func.max(vacations.c.until).label("until"))
            .where(vacations.c.user.in_(users), vacations.c.guild == guild, vacations.c.until > now)
            .group_by(vacations.c.user)
        )
        return {row.user: row.until for row in await self._connection.execute(query)}

    async def running_of(self, user: int, guild: int) -> Sequence[MatchId]:
        """The running matches of a server in which this person still plays, by number."""
        query = _running_of(user, guild).order_by(matches.c.id)
        return [MatchId(row.id) for row in await self._connection.execute(query)]


def _running_of(user: int, guild: int) -> Select[tuple[int]]:
    return (
        select(matches.c.id)
        .join(seats, seats.c.match == matches.c.id)
        .where(
            seats.c.user == user,
            seats.c.left.is_(None),
            matches.c.guild == guild,
            matches.c.status == "running",
        )
    )


def _of_seat(seat: SeatRecord) -> tuple[int | None, ...]:
    return seat.rested, seat.reserve, seat.away_until
