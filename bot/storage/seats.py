"""The seats of a match once it was dealt: strikes, signals, what they agree to, who was told."""

from collections.abc import Collection
from typing import Final

from sqlalchemy import ColumnElement, bindparam, update

from bot.storage.records import Agreement, MatchId, Telling
from bot.storage.repository import Repository
from bot.storage.schema import seats
from games.core import Seat

_STRIKE: Final = (
    update(seats)
    .where(
        seats.c.match == bindparam("sought"),
        seats.c.seat == bindparam("played"),
    )
    .values(strikes=seats.c.strikes + 1)
)


class SeatRepository(Repository):
    async def strike(self, match: MatchId, seat: Seat, strikes: int) -> None:
        """Note how many turns in a row the clock has played for a seat."""
        await self._touch(match)
        await self._set(match, seats.c.seat == seat, strikes=strikes)

    async def strike_again(self, match: MatchId, played: Collection[Seat]) -> None:
        """Note one more turn in a row in which the clock has played for these seats."""
        await self._touch(match)
        for seat in played:
            values = {"sought": match, "played": seat}
            self._connection.later(_STRIKE, values, about=match)

    async def signal(self, match: MatchId, seat: Seat, ahead: Seat | None) -> None:
        """Note whom a seat publicly calls ahead; None for nobody."""
        await self._touch(match)
        await self._set(match, seats.c.seat == seat, signal=ahead)

    async def agree(self, match: MatchId, seat: Seat, what: Agreement) -> None:
        await self._touch(match)
        await self._set(match, seats.c.seat == seat, agrees=what)

    async def clear_agreements(self, match: MatchId, what: Agreement | None = None) -> None:
        """Note that nobody agrees to this any more; without it, to anything."""
        await self._touch(match)
        which = seats.c.agrees.is_not(None) if what is None else seats.c.agrees == what
        await self._set(match, which, agrees=None)

    async def note_nudged(self, match: MatchId, nudged: Collection[Seat], now: int) -> None:
        """Note when these seats were nudged, in seconds since 1970; no message shows it."""
        await self._locks.matches(match)
        await self._set(match, seats.c.seat.in_(nudged), nudged_at=now)

    async def play_here(self, match: MatchId, seat: Seat) -> None:
        """Note that a seat chooses beside the table; no message shows it."""
        await self._locks.matches(match)
        await self._set(match, seats.c.seat == seat, plays_here=True)

    async def tell(self, match: MatchId, seat: Seat, telling: Telling) -> None:
        """Note what the hand of a seat comes to tell by direct message.

        Its player has been away, so it goes there from now on, also after a start.
        """
        await self._touch(match)
        await self._set(
            match,
            seats.c.seat == seat,
            plays_here=False,
            told=telling.notice,
            told_event=telling.event,
            told_turn=telling.turn,
            told_by=telling.by,
        )

    async def untell(self, match: MatchId, seat: Seat) -> None:
        """Note that the hand of a seat could not come."""
        await self._touch(match)
        values = dict.fromkeys(("told", "told_event", "told_turn", "told_by"))
        await self._set(match, seats.c.seat == seat, **values)

    async def _set(
        self, match: MatchId, which: ColumnElement[bool], **values: int | str | None
    ) -> None:
        await self._connection.execute(
            update(seats).where(seats.c.match == match, which).values(**values)
        )
