"""The seats of a dealt match: strikes, signals, agreements, nudges, and what hands tell."""

from collections.abc import Collection
from typing import Final

from sqlalchemy import bindparam, update

from bot.storage.columns import bound
from bot.storage.records import Agreement, Event, MatchId, Telling
from bot.storage.repository import Repository
from bot.storage.schema import NUMBER, seats
from games.core import Seat

_IN_MATCH: Final = update(seats).where(seats.c.match == bindparam("sought"))
_AT_SEAT: Final = _IN_MATCH.where(seats.c.seat == bindparam("of_seat"))
_CLEAR_STRIKES: Final = _AT_SEAT.values(strikes=0)
_STRIKE_AGAIN: Final = _AT_SEAT.values(strikes=seats.c.strikes + 1)
_SIGNAL: Final = _AT_SEAT.values(signal=bindparam("new_signal", type_=seats.c.signal.type))
_AGREE: Final = _AT_SEAT.values(agrees=bindparam("new_agrees", type_=seats.c.agrees.type))
_NOTE_WISH: Final = _AT_SEAT.values(wished=True)
_CLEAR_AGREEMENT: Final = _IN_MATCH.where(seats.c.agrees == bindparam("what")).values(agrees=None)
_CLEAR_AGREEMENTS: Final = _IN_MATCH.where(seats.c.agrees.is_not(None)).values(agrees=None)
_NOTE_NUDGED: Final = _IN_MATCH.where(
    seats.c.seat.in_(bindparam("nudged", expanding=True, type_=NUMBER))
).values(nudged_at=bindparam("new_nudged_at", type_=seats.c.nudged_at.type))
_PLAY_HERE: Final = _AT_SEAT.values(plays_here=True)
_TOLD: Final = (seats.c.told, seats.c.told_event, seats.c.told_turn, seats.c.told_by)
_TELL: Final = _AT_SEAT.values(plays_here=False, **bound(_TOLD))
_UNTELL: Final = _AT_SEAT.values(dict.fromkeys(_TOLD))
_OUTDATE: Final = _AT_SEAT.where(seats.c.told_event == bindparam("of_event")).values(told_turn=0)


class SeatRepository(Repository):
    async def clear_strikes(self, match: MatchId, seat: Seat) -> None:
        """Reset the number of consecutive turns that the clock has played for a seat."""
        await self._touch(match)
        values = {"sought": match, "of_seat": seat}
        self._connection.later(_CLEAR_STRIKES, values, about=match)

    async def strike_again(self, match: MatchId, played: Collection[Seat]) -> None:
        """Count one more consecutive turn that the clock has played for these seats."""
        await self._touch(match)
        for seat in played:
            values = {"sought": match, "of_seat": seat}
            self._connection.later(_STRIKE_AGAIN, values, about=match)

    async def signal(self, match: MatchId, seat: Seat, ahead: Seat | None) -> None:
        """Store which seat this one publicly calls ahead; None for none."""
        await self._touch(match)
        values = {"sought": match, "of_seat": seat, "new_signal": ahead}
        await self._connection.execute(_SIGNAL, values)

    async def agree(self, match: MatchId, seat: Seat, what: Agreement) -> None:
        await self._touch(match)
        values = {"sought": match, "of_seat": seat, "new_agrees": what}
        await self._connection.execute(_AGREE, values)

    async def clear_agreements(self, match: MatchId, what: Agreement | None = None) -> None:
        """Clear all agreements to `what`; for None, all agreements."""
        await self._touch(match)
        if what is None:
            await self._connection.execute(_CLEAR_AGREEMENTS, {"sought": match})
        else:
            await self._connection.execute(_CLEAR_AGREEMENT, {"sought": match, "what": what})

    async def note_wish(self, match: MatchId, seat: Seat) -> None:
        """Record that a seat has asked the others for a rematch; no message shows it."""
        await self._locks.matches(match)
        await self._connection.execute(_NOTE_WISH, {"sought": match, "of_seat": seat})

    async def note_nudged(self, match: MatchId, nudged: Collection[Seat], now: int) -> None:
        """Record when these seats were nudged (Unix time); no message shows it."""
        await self._locks.matches(match)
        values = {"sought": match, "nudged": list(nudged), "new_nudged_at": now}
        await self._connection.execute(_NOTE_NUDGED, values)

    async def play_here(self, match: MatchId, seat: Seat) -> None:
        """Record that a seat plays with **My hand** or by taps; no message shows it."""
        await self._locks.matches(match)
        await self._connection.execute(_PLAY_HERE, {"sought": match, "of_seat": seat})

    async def note_telling(self, match: MatchId, seat: Seat, telling: Telling) -> None:
        """Record why the hand of a seat is sent by direct message.

        Its player has been away, so the hand is sent there from now on, even after a restart.
        """
        await self._touch(match)
        values = {
            "sought": match,
            "of_seat": seat,
            "new_told": telling.notice,
            "new_told_event": telling.event,
            "new_told_turn": telling.turn,
            "new_told_by": telling.by,
        }
        await self._connection.execute(_TELL, values)

    async def clear_telling(self, match: MatchId, seat: Seat) -> None:
        """Record that the hand of a seat could not be sent."""
        await self._touch(match)
        await self._connection.execute(_UNTELL, {"sought": match, "of_seat": seat})

    async def outdate_telling(self, match: MatchId, seat: Seat, event: Event) -> None:
        """Have what the hand of a seat says of an event of a turn hold in no turn anymore."""
        await self._touch(match)
        values = {"sought": match, "of_seat": seat, "of_event": event}
        await self._connection.execute(_OUTDATE, values)
