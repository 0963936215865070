"""How a person wants to play: where the desk stands, what it shows, what plays itself."""

from dataclasses import dataclass
from typing import Literal, cast

from sqlalchemy import select
from sqlalchemy.dialects.sqlite import insert as upsert
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import MatchId
from bot.storage.schema import matches, people, seats
from bot.storage.store import PREFERENCES

DeskPlace = Literal["dm", "here"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferencesRecord:
    desk: DeskPlace = "dm"
    """Whether desks come by direct message, or only with My hand beside the table."""

    pictures: bool = True
    """Whether desks and rules show pictures; else they say the same in words."""

    forced: bool | None = None
    """Whether the only legal move plays itself; None leaves it to the game."""


async def read_preferences(connection: AsyncConnection, user: int) -> PreferencesRecord:
    query = select(people.c.desk, people.c.pictures, people.c.forced).where(people.c.user == user)
    row = (await connection.execute(query)).one_or_none()
    if row is None:
        return PreferencesRecord()
    return PreferencesRecord(
        desk=cast(DeskPlace, row.desk),  # nothing else is ever written
        pictures=row.pictures,
        forced=row.forced,
    )


async def write_preferences(
    connection: AsyncConnection, user: int, record: PreferencesRecord
) -> None:
    """Write what somebody prefers; direct messages are tried again if he wants them."""
    values: dict[str, object] = {
        "desk": record.desk,
        "pictures": record.pictures,
        "forced": record.forced,
    }
    if record.desk == "dm":
        values["dm_closed_at"] = None
    await connection.execute(
        upsert(people)
        .values(user=user, **{**PREFERENCES, **values})
        .on_conflict_do_update(index_elements=["user"], set_=values)
    )


async def matches_to_redraw(connection: AsyncConnection, user: int) -> list[MatchId]:
    """The matches in play of which this person has a desk."""
    query = (
        select(matches.c.id)
        .join(seats, seats.c.match == matches.c.id)
        .where(seats.c.user == user, matches.c.status == "running")
        .order_by(matches.c.id)
    )
    return [MatchId(row.id) for row in await connection.execute(query)]
