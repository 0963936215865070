"""Time off: the kinds that a server allows, and vacations, which stop a player's clocks."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Final

from bot.errors import MatchError, NotAllowedHereError
from bot.matches import clocks
from bot.matches.loaded import LoadedMatch, load_readable, seat_of
from bot.matches.time_controls import SLOW, WITHOUT_RESERVE
from bot.settings.guilds import DEFAULT_TIME_CONTROL
from bot.storage import MatchId, TimeControl, Transaction, Transactions
from bot.storage.clocks import VacationRecord
from bot.storage.guilds import GuildRecord, TimeOff
from bot.text import counted
from bot.time_units import DAY_SECONDS
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
"""The refusals in servers that don't allow a kind of time off."""

_CHANGE: Final = "A server manager can change that with `/settings`."

DAYS_A_YEAR: Final = 14
LEAST_ON_A_CLOCK: Final = timedelta(hours=1)
"""A vacation can't start while a player has less time than this for a move they owe."""

Seated = tuple[LoadedMatch, Seat]
"""A match and a user's seat in it."""

_NOT_AWAY: Final = "You're not on vacation in this server. `/vacation start` begins one."


@dataclass(frozen=True, slots=True, kw_only=True)
class Vacation:
    """A user's vacation in one server."""

    until: int | None
    """When it ends, as a Unix time in seconds; None if the user isn't on vacation."""

    days_left: int
    """The days that the user can still take this year."""

    matches: Sequence[MatchId] = ()
    """The matches whose clocks have just changed."""

    owed: int = 0
    """After an early end, the number of matches in the server in which the user owes a move."""


async def is_allowed(tx: Transaction, guild: int | None, what: TimeOff) -> bool:
    """Whether a server allows this kind of time off; solo matches, with None, allow all."""
    if guild is None:
        return True
    return what not in (await tx.guilds.settings(guild)).time_off_barred


async def must_allow(tx: Transaction, guild: int | None, what: TimeOff) -> None:
    """Raise NotAllowedHereError if this server doesn't allow this kind of time off."""
    if not await is_allowed(tx, guild, what):
        raise NotAllowedHereError(f"{BARRED[what]} {_CHANGE}")


async def public_vacations(
    tx: Transaction, guild: int, users: Collection[int], now: int
) -> dict[int, int]:
    """When the vacation of each of these users who is on one ends, by user id, as others may know.

    Users who keep their results private are left out.
    """
    ends = await tx.clocks.on_vacation(users, guild, now)
    if not ends:
        return {}
    hidden = await tx.people.hidden(ends)
    return {user: until for user, until in ends.items() if user not in hidden}


async def was_away_after(tx: Transaction, user: int, guild: int, moment: float) -> bool:
    """Whether a user was on vacation in a server at some time after `moment` (Unix time)."""
    return any(each.until > moment for each in await tx.clocks.vacations(user, guild))


def without_barred_reserve(settings: GuildRecord, time_control: TimeControl) -> TimeControl:
    """The same time control, without its reserve if the server has turned reserves off."""
    if "reserve" not in settings.time_off_barred:
        return time_control
    return WITHOUT_RESERVE.get(time_control, time_control)


def time_control_of(
    settings: GuildRecord, named: TimeControl | None, *, may_differ: bool = False
) -> TimeControl:
    """The time control of a match, which is `named` unless that is None.

    Raises NotAllowedHereError if the server doesn't allow the named one. If None is named, it is
    the server's default, without a reserve if reserves are turned off; with `may_differ`, so is a
    named one.
    """
    wanted = named or settings.time_control or DEFAULT_TIME_CONTROL
    allowed = without_barred_reserve(settings, wanted)
    if named is None or may_differ or allowed == wanted:
        return allowed
    raise NotAllowedHereError(f"{BARRED['reserve']} {_CHANGE}")


class Vacations:
    """Starting and ending vacations; each act is one transaction over all matches it affects."""

    def __init__(self, storage: Transactions, *, now: Callable[[], float]) -> None:
        self._storage = storage
        self._now = now

    async def of(self, user: int, guild: int) -> Vacation:
        """A user's vacation in a server, and the days they have left."""
        now = int(self._now())
        async with self._storage.reading() as reading:
            return _vacation(await reading.clocks.vacations(user, guild), now)

    async def public_vacations(self, users: Collection[int], guild: int) -> dict[int, int]:
        """As the function `public_vacations`, for now."""
        async with self._storage.reading() as reading:
            return await public_vacations(reading, guild, users, int(self._now()))

    async def start(self, user: int, guild: int, days: int) -> Vacation:
        """Start a vacation: stop the clocks of a user's slow matches in a server for some days.

        Raises NotAllowedHereError if the server has no vacations; MatchError if the user is on one,
        has too few days left, or has to make a move first.
        """
        now = int(self._now())
        until = now + days * DAY_SECONDS
        async with self._storage.transaction() as writing:
            await must_allow(writing, guild, "vacation")
            await writing.clocks.hold_running(user, guild)
            taken = await writing.clocks.vacations(user, guild)
            _must_have_days(taken, now, days)
            found = _slow(await self._running(writing, user, guild))
            for match, seat in found:
                _must_have_time(match, seat, now)
            for match, seat in found:
                await _put_vacation(writing, match, seat, until, now)
                await _notify_at_end(writing, match, seat, until)
            begun = VacationRecord(started_at=now, until=until)
            await writing.clocks.begin_vacation(user, guild, begun)
            return _vacation([*taken, begun], now, [match.record.id for match, _ in found])

    async def end(self, user: int, guild: int) -> Vacation:
        """End a vacation early; days that haven't begun can be taken again.

        Raises MatchError if the user isn't on vacation.
        """
        now = int(self._now())
        async with self._storage.transaction() as writing:
            await writing.clocks.hold_running(user, guild)
            if _current_end(await writing.clocks.vacations(user, guild), now) is None:
                raise MatchError(_NOT_AWAY)
            await writing.clocks.end_vacation(user, guild, now)
            running = await self._running(writing, user, guild)
            found = _slow(running)
            for match, seat in found:
                await _put_vacation(writing, match, seat, None, now)
            # Notices of the turns they owe were due at the end that the vacation would have had.
            await writing.notices.hurry_in([match.record.id for match, _ in found], user, now)
            taken = await writing.clocks.vacations(user, guild)
            ended = _vacation(taken, now, [match.record.id for match, _ in found])
            owed = [m for m, seat in running if seat in m.owing and not m.record.paused]
            return replace(ended, owed=len(owed))

    async def _running(self, writing: Transaction, user: int, guild: int) -> list[Seated]:
        """A user's running matches in a server, except those with a damaged record."""
        seated = []
        for number in await writing.clocks.running_of(user, guild):
            match = load_readable(await writing.matches.load(number))
            if match is not None:
                seated.append((match, seat_of(match, user, _NOT_AWAY)))
        return seated


def _slow(running: Sequence[Seated]) -> Sequence[Seated]:
    """The matches whose clocks a vacation stops."""
    return [(match, seat) for match, seat in running if match.record.time_control in SLOW]


async def _put_vacation(
    writing: Transaction, found: LoadedMatch, seat: Seat, until: int | None, now: int
) -> None:
    before = found.record
    after = clocks.with_vacation(before, seat, until, now, owes=seat in found.owing)
    if not before.paused:
        after = clocks.with_next_due(after, found.owing, now)
    await writing.clocks.put(before, after)


async def _notify_at_end(writing: Transaction, found: LoadedMatch, seat: Seat, until: int) -> None:
    """If a player owes a move now, queue a notice of that for the end of their vacation.

    What told them that the vacation before is over, and their clock is running, no longer holds.
    """
    if seat in found.owing and not found.record.paused:
        record, user = found.record, found.record.seats[seat].user
        await writing.notices.outdate_sent(record.id, user, "back")
        await writing.seats.outdate_telling(record.id, seat, "back")
        await writing.notices.queue(record.id, "back", [user], due_at=until, turn=record.turn)


def _must_have_days(taken: Sequence[VacationRecord], now: int, days: int) -> None:
    """Raise MatchError if a user is on vacation already, or has fewer than `days` days left."""
    until = _current_end(taken, now)
    if until is not None:
        raise MatchError(
            f"You're already on vacation in this server until <t:{until}:f>. `/vacation end` ends "
            "it early."
        )
    for year, wanted in _by_year(now, now + days * DAY_SECONDS).items():
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
    return Vacation(until=_current_end(taken, now), days_left=left, matches=changed)


def _current_end(taken: Sequence[VacationRecord], now: int) -> int | None:
    return next((each.until for each in taken if each.until > now), None)


def _taken_in(taken: Sequence[VacationRecord], year: int) -> int:
    return sum(_by_year(each.started_at, each.until).get(year, 0) for each in taken)


def _by_year(start: int, until: int) -> dict[int, int]:
    """The number of days of a vacation, started ones included, by the year in which they start."""
    days: dict[int, int] = {}
    for moment in range(start, until, DAY_SECONDS):
        days[_year(moment)] = days.get(_year(moment), 0) + 1
    return days


def _year(moment: int) -> int:
    """The calendar year of a Unix time, in UTC."""
    return datetime.fromtimestamp(moment, UTC).year
