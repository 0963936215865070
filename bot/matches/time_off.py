"""Time off: what a server allows of it, and vacations, during which the clock of a person rests."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Final

from bot.errors import MatchError, NotAllowedHereError
from bot.matches import clocks
from bot.matches.loaded import LoadedMatch, load_readable, seat_of
from bot.matches.time_controls import RESERVE, SLOW, WITHOUT_RESERVE
from bot.settings.guilds import DEFAULT_TIME_CONTROL
from bot.storage import MatchId, TimeControl, Transaction, Transactions
from bot.storage.clocks import VacationRecord
from bot.storage.guilds import GuildRecord, TimeOff
from bot.text import counted
from games import Seat

BARRED: Final[Mapping[TimeOff, str]] = MappingProxyType(
    {
        "pause": "Pauses are turned off in this server.",
        "vacation": "Vacations are turned off in this server.",
        "reserve": "Reserve time is turned off in this server. Pick another pace.",
        "resume": "Resuming a match after a player ran out of time is turned off in this server.",
        "take_back": "Take-backs are turned off in this server.",
    }
)
"""What is said where a server does not allow it."""

_CHANGE: Final = "A server manager can change that with `/settings`."

DAYS_A_YEAR: Final = 14
DAY: Final = int(timedelta(days=1).total_seconds())
LEAST_ON_A_CLOCK: Final = timedelta(hours=1)
"""A vacation is not begun while less is left for a move."""

Seated = tuple[LoadedMatch, Seat]
"""A match, and where somebody sits in it."""

_NOT_AWAY: Final = "You're not on vacation in this server. `/vacation start` begins one."


@dataclass(frozen=True, slots=True, kw_only=True)
class Vacation:
    """Somebody's vacation in one server."""

    until: int | None
    """When it ends, in seconds since 1970; None for somebody who is there."""

    days_left: int
    """How many days more can be taken this year."""

    matches: Sequence[MatchId] = ()
    """Whose clocks have just changed."""

    owed: int = 0
    """In how many matches of the server it is their turn, once they have come back early."""


async def is_allowed(tx: Transaction, guild: int | None, what: TimeOff) -> bool:
    """Whether a server wants such time off; with None, in a solo match, nobody forbids it."""
    if guild is None:
        return True
    return what not in (await tx.guilds.settings(guild)).time_off_barred


async def must_allow(tx: Transaction, guild: int | None, what: TimeOff) -> None:
    """NotAllowedHereError where this server does not want such time off."""
    if not await is_allowed(tx, guild, what):
        raise NotAllowedHereError(f"{BARRED[what]} {_CHANGE}")


async def known_away(
    tx: Transaction, guild: int, users: Collection[int], now: int
) -> dict[int, int]:
    """Until when whom of these people a vacation keeps from this server, as others may know.

    Who keeps their results private is left out.
    """
    found = await tx.clocks.on_vacation(users, guild, now)
    if not found:
        return {}
    hidden = await tx.people.hidden(found)
    return {user: until for user, until in found.items() if user not in hidden}


def time_control_of(settings: GuildRecord, named: TimeControl | None) -> TimeControl:
    """The time control of a match; NotAllowedHereError for one that the server does not allow.

    Where nobody named one it is the server's own, without a reserve if those are turned off.
    """
    usual = named or settings.time_control or DEFAULT_TIME_CONTROL
    if usual not in RESERVE or "reserve" not in settings.time_off_barred:
        return usual
    if named is None:
        return WITHOUT_RESERVE[usual]
    raise NotAllowedHereError(f"{BARRED['reserve']} {_CHANGE}")


class Vacations:
    """The acts; each is one transaction over all matches that it concerns."""

    def __init__(self, storage: Transactions, *, now: Callable[[], float]) -> None:
        self._storage = storage
        self._now = now

    async def of(self, user: int, guild: int) -> Vacation:
        """Whether somebody is on vacation in a server, and how much can still be taken."""
        now = int(self._now())
        async with self._storage.reading() as reading:
            return _vacation(await reading.clocks.vacations(user, guild), now)

    async def known_away(self, users: Collection[int], guild: int) -> dict[int, int]:
        """Until when whom of these people a vacation keeps from a server, as others may know."""
        async with self._storage.reading() as reading:
            return await known_away(reading, guild, users, int(self._now()))

    async def start(self, user: int, guild: int, days: int) -> Vacation:
        """Let the clocks of this person's slow matches in a server rest for so many days."""
        now = int(self._now())
        until = now + days * DAY
        async with self._storage.transaction() as writing:
            await must_allow(writing, guild, "vacation")
            await writing.clocks.hold_running(user, guild)
            taken = await writing.clocks.vacations(user, guild)
            _must_be_left(taken, now, days)
            found = _slow(await self._running(writing, user, guild))
            for match, seat in found:
                _must_have_time(match, seat, now)
            for match, seat in found:
                await _put(writing, match, seat, until, now)
                await _tell_of_end(writing, match, seat, until)
            begun = VacationRecord(started_at=now, until=until)
            await writing.clocks.begin_vacation(user, guild, begun)
            return _vacation([*taken, begun], now, [match.record.id for match, _ in found])

    async def end(self, user: int, guild: int) -> Vacation:
        """Come back before the vacation ends by itself; days not begun can be taken again."""
        now = int(self._now())
        async with self._storage.transaction() as writing:
            await writing.clocks.hold_running(user, guild)
            if _until(await writing.clocks.vacations(user, guild), now) is None:
                raise MatchError(_NOT_AWAY)
            await writing.clocks.end_vacation(user, guild, now)
            running = await self._running(writing, user, guild)
            found = _slow(running)
            for match, seat in found:
                await _put(writing, match, seat, None, now)
            # Of what they owe they were to be told at the end that the vacation had.
            await writing.notices.hurry_in([match.record.id for match, _ in found], user, now)
            taken = await writing.clocks.vacations(user, guild)
            ended = _vacation(taken, now, [match.record.id for match, _ in found])
            owed = [m for m, seat in running if seat in m.owing and not m.record.paused]
            return replace(ended, owed=len(owed))

    async def _running(self, writing: Transaction, user: int, guild: int) -> list[Seated]:
        """The matches of a server in which somebody plays; damaged ones stay as they are."""
        found = []
        for number in await writing.clocks.running_of(user, guild):
            match = load_readable(await writing.matches.load(number))
            if match is not None:
                found.append((match, seat_of(match, user, _NOT_AWAY)))
        return found


def _slow(running: Sequence[Seated]) -> Sequence[Seated]:
    """Those whose clocks rest during a vacation."""
    return [(match, seat) for match, seat in running if match.record.time_control in SLOW]


async def _put(
    writing: Transaction, found: LoadedMatch, seat: Seat, until: int | None, now: int
) -> None:
    before = found.record
    after = clocks.with_vacation(before, seat, until, now)
    if not before.paused:
        after = clocks.looked_at(after, found.owing, now)
    await writing.clocks.put(before, after)


async def _tell_of_end(writing: Transaction, found: LoadedMatch, seat: Seat, until: int) -> None:
    """Let somebody be told when their vacation is over of a turn of which they were told before."""
    if seat in found.owing and not found.record.paused:
        record, to = found.record, [found.record.seats[seat].user]
        await writing.notices.tell(record.id, "back", to, due_at=until, turn=record.turn)


def _must_be_left(taken: Sequence[VacationRecord], now: int, days: int) -> None:
    """MatchError where somebody is away already, or has not so many days left."""
    until = _until(taken, now)
    if until is not None:
        raise MatchError(
            f"You're already on vacation in this server until <t:{until}:f>. `/vacation end` ends "
            "it early."
        )
    for year, wanted in _by_year(now, now + days * DAY).items():
        left = DAYS_A_YEAR - _taken_in(taken, year)
        if not left:
            raise MatchError(
                f"You've used all {DAYS_A_YEAR} vacation days in this server for {year}. You get "
                f"new ones in {year + 1}."
            )
        if wanted > left:
            raise MatchError(
                f"You have {counted(left, 'vacation day')} left in this server for {year}. "
                "Pick fewer days."
            )


def _must_have_time(found: LoadedMatch, seat: Seat, now: int) -> None:
    final = clocks.final_deadline(found.record, seat)
    if seat not in found.owing or found.record.paused or final is None:
        return
    if final - now < LEAST_ON_A_CLOCK.total_seconds():
        raise MatchError(
            f"You have less than an hour left for a move in {found.game.title}, match "
            f"{found.record.id}. Make that move first; `/games` leads there."
        )


def _vacation(
    taken: Sequence[VacationRecord], now: int, changed: Sequence[MatchId] = ()
) -> Vacation:
    left = DAYS_A_YEAR - _taken_in(taken, _year(now))
    return Vacation(until=_until(taken, now), days_left=left, matches=changed)


def _until(taken: Sequence[VacationRecord], now: int) -> int | None:
    return next((each.until for each in taken if each.until > now), None)


def _taken_in(taken: Sequence[VacationRecord], year: int) -> int:
    return sum(_by_year(each.started_at, each.until).get(year, 0) for each in taken)


def _by_year(start: int, until: int) -> dict[int, int]:
    """The days of a vacation, also one that has only begun, by the year in which each begins."""
    found: dict[int, int] = {}
    for moment in range(start, until, DAY):
        found[_year(moment)] = found.get(_year(moment), 0) + 1
    return found


def _year(moment: int) -> int:
    """The calendar year, UTC."""
    return datetime.fromtimestamp(moment, UTC).year
