"""The clocks of matches: when a turn ends, what a seat has in reserve, who is on vacation."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import BigInteger, Column, Select, bindparam, func, select, update
from sqlalchemy.dialects.postgresql import insert as upsert

from bot.storage.columns import bound
from bot.storage.match_rows import PLAYS
from bot.storage.records import MatchId, MatchRecord, SeatRecord
from bot.storage.repository import Repository
from bot.storage.schema import matches, seats, vacations


@dataclass(frozen=True, slots=True, kw_only=True)
class VacationRecord:
    """A vacation in one server; both moments are Unix times."""

    started_at: int
    until: int


_OF_MATCH: Final = tuple(
    matches.c[name] for name in ("turn", "deadline", "due_at", "paused_at", "paused_why", "remark")
)
_OF_SEAT: Final = (seats.c.rested, seats.c.reserve, seats.c.away_until)


_PUT: Final = update(matches).where(matches.c.id == bindparam("sought")).values(bound(_OF_MATCH))
_PUT_SEAT: Final = (
    update(seats)
    .where(seats.c.match == bindparam("sought"), seats.c.seat == bindparam("of_seat"))
    .values(bound(_OF_SEAT))
)
_ON_VACATION: Final = (
    select(vacations.c.user, func.max(vacations.c.until).label("until"))
    .where(
        vacations.c.user.in_(bindparam("users", expanding=True, type_=BigInteger)),
        vacations.c.guild == bindparam("guild"),
        vacations.c.until > bindparam("now"),
    )
    .group_by(vacations.c.user)
)


class ClockRepository(Repository):
    async def put(self, before: MatchRecord, after: MatchRecord) -> None:
        """Write the clocks of a match, and those of its seats that have changed."""
        await self._touch(after.id)
        if after.due_at is not None:
            self._changes.wake_at(after.due_at)
        values = {"sought": after.id, **_new(after, _OF_MATCH)}
        self._connection.later(_PUT, values, about=after.id)
        await self.put_seats(before, after)

    async def put_seats(self, before: MatchRecord, after: MatchRecord) -> None:
        """Write the clocks of the seats that have changed."""
        for i, (old, new) in enumerate(zip(before.seats, after.seats, strict=True)):
            if _new(old, _OF_SEAT) == _new(new, _OF_SEAT):
                continue
            await self._touch(after.id)
            values = {"sought": after.id, "of_seat": i, **_new(new, _OF_SEAT)}
            self._connection.later(_PUT_SEAT, values, about=after.id)

    async def hold_running(self, user: int, guild: int) -> None:
        """Lock this person, and the running matches of a server in which they play.

        No match or vacation of theirs begins meanwhile.
        """
        await self._locks.all_of(matches.c.id.in_(_running_of(user, guild)), user)

    async def vacations(self, user: int, guild: int) -> Sequence[VacationRecord]:
        """A person's vacations in a server, the earliest first; locks them, so that none begins."""
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
            .on_conflict_do_update(  # a vacation that ended in the second it began
                index_elements=["user", "guild", "started_at"], set_={"until": vacation.until}
            )
        )

    async def end_vacation(self, user: int, guild: int, now: int) -> None:
        """End the current vacation, if any, now."""
        await self._connection.execute(
            update(vacations)
            .where(vacations.c.user == user, vacations.c.guild == guild, vacations.c.until > now)
            .values(until=now)
        )

    async def on_vacation(self, users: Collection[int], guild: int, now: int) -> dict[int, int]:
        """When the vacation of each of these people ends, by user id; people on none are missing.

        Locks the people, so that none begins or ends meanwhile.
        """
        await self._locks.ids(*users)
        values = {"users": list(users), "guild": guild, "now": now}
        rows = await self._connection.execute(_ON_VACATION, values)
        return {row.user: row.until for row in rows}

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
            PLAYS,
            matches.c.guild + 0 == guild,  # + 0: not by the index of servers
        )
    )


def _new(record: MatchRecord | SeatRecord, columns: Collection[Column[Any]]) -> dict[str, Any]:
    return {f"new_{c.name}": getattr(record, c.name) for c in columns}
