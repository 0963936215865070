"""Weekly digests: what happened in a server in a week, for the post on the Monday after."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.messaging.membership import Membership
from bot.puzzles.calendar import begins_at, day_of
from bot.storage import Storage
from bot.storage.digests import CountRecord, UpsetRecord, Week, WeekRecord

WEEK_DAYS: Final = 7
_FIRST_MONDAY: Final = 4  # January 5, 1970

LEAST_UPSET: Final = 75
"""Rating points by which the loser must have been higher for a win to be an upset."""

SHORTEST_STREAK: Final = 3
"""Wins in a row from which a streak is listed."""

LEAST_MEETINGS: Final = 3
"""Matches with each other from which two players are rivals."""

MAX_UPSETS, MAX_STREAKS, MAX_PAIRS, MAX_SOLVERS = 3, 5, 1, 3
"""How many of each are listed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """What happened in a server in one week."""

    first_day: int
    """The Monday that the week starts with, in days since 1970 (UTC)."""

    found: WeekRecord

    complete: bool
    """Whether it is known which users are still in the server; if not, nobody is named."""

    @property
    def is_empty(self) -> bool:
        """Whether no match ended and no puzzle was answered, so that nothing is posted."""
        found = self.found
        return not (found.matches or found.with_computers or found.answers)


class Digests:
    def __init__(self, storage: Storage, members: Membership, *, now: Callable[[], float]) -> None:
        self._storage = storage
        self._members = members
        self._now = now

    @property
    def this_monday(self) -> int:
        """The first day of the current week, in days since 1970 (UTC)."""
        return monday_of(day_of(self._now()))

    async def of(self, guild: int, monday: int) -> Digest:
        """The digest of the week before `monday` (days since 1970); names only current members."""
        since = monday - WEEK_DAYS
        week = Week(
            guild=guild,
            since=begins_at(since),
            until=begins_at(monday),
            first_day=since,
            end_day=monday,
        )
        async with self._storage.reading(heavy=True) as reading:
            found = await reading.digests.week(
                week, upset=LEAST_UPSET, streak=SHORTEST_STREAK, met=LEAST_MEETINGS
            )
        named = {who for upset in found.upsets for who in (upset.winner, upset.loser)}
        named |= {line.user for line in (*found.streaks, *found.solvers)}
        named |= {who for pair in found.pairs for who in pair.users}
        gone = await self._members.gone(guild, named) if named else frozenset()
        unnamed = named if gone is None else gone
        return Digest(first_day=since, found=_without(found, unnamed), complete=gone is not None)


def monday_of(day: int) -> int:
    """The Monday of the week that contains `day`; both in days since 1970."""
    return day - (day - _FIRST_MONDAY) % WEEK_DAYS


def _without(found: WeekRecord, unnamed: Collection[int]) -> WeekRecord:
    """The week as it is listed: at most so many of each, and without the users in `unnamed`."""

    def here(lines: Sequence[CountRecord]) -> list[CountRecord]:
        return [line for line in lines if line.user not in unnamed]

    def known(upset: UpsetRecord) -> bool:
        return upset.winner not in unnamed and upset.loser not in unnamed

    return replace(
        found,
        upsets=list(filter(known, found.upsets))[:MAX_UPSETS],
        streaks=here(found.streaks)[:MAX_STREAKS],
        pairs=[pair for pair in found.pairs if not set(pair.users) & set(unnamed)][:MAX_PAIRS],
        solvers=here(found.solvers)[:MAX_SOLVERS],
    )
