"""Who wants to be reminded of moves, how and how early, and who is to be reminded now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from sqlalchemy import and_, case, func, or_, select, update
from sqlalchemy.dialects.sqlite import insert as upsert
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import MatchId, TimeControl
from bot.storage.schema import matches, moves, people, seats
from bot.storage.store import PREFERENCES
from games.core import Seat

Channel = Literal["dm", "channel", "none"]


@dataclass(frozen=True, slots=True)
class ReminderPreference:
    """How somebody wants to be reminded of moves; whoever has said nothing, like this."""

    channel: Channel = "dm"
    before: int | None = None
    """Seconds before a deadline; None is a quarter of the time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Earliness:
    """How early reminders come at a pace, in seconds before the deadline."""

    usual: int
    """For whoever has named no time."""

    most: int
    """However early somebody wants it: a turn is not reminded of when it has just begun."""


async def read_reminder_preference(connection: AsyncConnection, user: int) -> ReminderPreference:
    query = select(people.c.remind, people.c.remind_before).where(people.c.user == user)
    row = (await connection.execute(query)).one_or_none()
    if row is None:
        return ReminderPreference()
    return ReminderPreference(
        cast(Channel, row.remind), row.remind_before
    )  # nothing else is ever written


async def write_reminder_preference(
    connection: AsyncConnection, user: int, preference: ReminderPreference
) -> None:
    values = {"remind": preference.channel, "remind_before": preference.before}
    await connection.execute(
        upsert(people)
        .values(user=user, **{**PREFERENCES, **values})
        .on_conflict_do_update(index_elements=["user"], set_=values)
    )


async def to_remind(
    connection: AsyncConnection, now: int, early: Mapping[TimeControl, Earliness]
) -> Sequence[tuple[MatchId, Seat]]:
    """The seats that may owe a move soon, have not been reminded of this turn and want to be.

    Whether a seat owes one is in the state, which is not asked here.
    """
    chosen = select(moves.c.move).where(
        moves.c.match == matches.c.id,
        moves.c.step == matches.c.step,
        moves.c.seat == seats.c.seat,
    )
    usual = case({time_control: e.usual for time_control, e in early.items()}, value=matches.c.pace)
    most = case({time_control: e.most for time_control, e in early.items()}, value=matches.c.pace)
    wanted = func.coalesce(people.c.remind_before, usual)
    furthest = now + max(e.most for e in early.values())
    rows = await connection.execute(
        select(matches.c.id, seats.c.seat)
        .join(seats, seats.c.match == matches.c.id)
        .outerjoin(people, people.c.user == seats.c.user)
        .where(
            and_(matches.c.due_at > now, matches.c.due_at <= furthest),
            matches.c.status == "running",
            matches.c.pace.in_(early),
            matches.c.paused_at.is_(None),
            seats.c.left.is_(None),
            seats.c.computer.is_(None),
            or_(seats.c.reminded.is_(None), seats.c.reminded < matches.c.turn),
            func.coalesce(people.c.remind, PREFERENCES["remind"]) != "none",
            matches.c.due_at - case((wanted > most, most), else_=wanted) <= now,
            ~chosen.exists(),
        )
        .order_by(matches.c.due_at, matches.c.id, seats.c.seat)
    )
    return [(MatchId(row.id), Seat(row.seat)) for row in rows]


async def note_reminded(connection: AsyncConnection, match: MatchId, seat: Seat, turn: int) -> None:
    """Note that a seat needs no reminder of this turn any more."""
    await connection.execute(
        update(seats).where(seats.c.match == match, seats.c.seat == seat).values(reminded=turn)
    )
