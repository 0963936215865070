"""Nudges in vain: of seats whose player the other one has blocked, which nobody is to learn.

A nudge that reaches somebody is noted at their seat (`seats.nudged_at`), for all who may nudge
them. One that does not is noted with who made it and for whom, as long as it keeps them from
another: else they could tell from being allowed one.
"""

from collections.abc import Collection, Mapping
from typing import Final

from sqlalchemy import Column, ForeignKey, Index, Table, bindparam, delete, select, tuple_
from sqlalchemy.dialects.postgresql import insert as upsert

from bot.storage.records import MatchId
from bot.storage.repository import Repository
from bot.storage.schema import NUMBER, metadata
from games.core import Seat

vain_nudges = Table(
    "vain_nudges",
    metadata,
    Column("match", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", NUMBER, primary_key=True, autoincrement=False),  # which nudged
    Column("target", NUMBER, primary_key=True, autoincrement=False),  # the seat that has blocked it
    Column("nudged_at", NUMBER, nullable=False),
    sqlite_with_rowid=False,
)
Index("ix_vain_nudges_nudged_at", vain_nudges.c.nudged_at)

_NOTED: Final = upsert(vain_nudges).values(
    match=bindparam("of_match"),
    seat=bindparam("of_seat"),
    target=bindparam("new_target"),
    nudged_at=bindparam("new_nudged_at", type_=vain_nudges.c.nudged_at.type),
)
_NOTE: Final = _NOTED.on_conflict_do_update(
    index_elements=["match", "seat", "target"], set_={"nudged_at": _NOTED.excluded.nudged_at}
)
_OF_SEAT: Final = select(vain_nudges.c.target, vain_nudges.c.nudged_at).where(
    vain_nudges.c.match == bindparam("of_match"), vain_nudges.c.seat == bindparam("of_seat")
)

_IS_OLD: Final = vain_nudges.c.nudged_at <= bindparam("moment")
_ANY_OLD: Final = select(vain_nudges.c.match).where(_IS_OLD).limit(1)
_KEY: Final = tuple_(*vain_nudges.primary_key.columns)
# What somebody else is just deleting is gone without us.
_FORGET: Final = delete(vain_nudges).where(
    _KEY.in_(
        select(*vain_nudges.primary_key.columns).where(_IS_OLD).with_for_update(skip_locked=True)
    )
)


class VainNudgeRepository(Repository):
    async def note(self, match: MatchId, seat: Seat, targets: Collection[Seat], now: int) -> None:
        """Note that a seat nudged these in vain, in seconds since 1970; no message shows it."""
        await self._locks.matches(match)
        values = {"of_match": match, "of_seat": seat, "new_nudged_at": now}
        for target in targets:
            self._connection.later(_NOTE, {**values, "new_target": target}, about=match)

    async def of(self, match: MatchId, seat: Seat) -> Mapping[Seat, int]:
        """When a seat nudged others in vain, as far as that is kept."""
        rows = await self._connection.execute(_OF_SEAT, {"of_match": match, "of_seat": seat})
        return {Seat(row.target): row.nudged_at for row in rows}

    async def any_until(self, moment: int) -> bool:
        """Whether any was made no later than then."""
        return (await self._connection.execute(_ANY_OLD, {"moment": moment})).first() is not None

    async def forget_until(self, moment: int) -> None:
        """Forget those that were made no later than then."""
        await self._connection.execute(_FORGET, {"moment": moment})
