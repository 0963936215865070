"""When the clock has to act on matches: the next moment, and which matches are due.

`matches.due_at` is the expiry of a challenge, the deadline of a turn, the end of silence or of a
pause, or after the end when a rematch request lapses or the result counts. It has an index of its
own, so that no statement here reads matches that are not due. All moments are Unix times in
seconds.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Select,
    and_,
    bindparam,
    case,
    false,
    func,
    or_,
    select,
    update,
)
from sqlalchemy.sql.dml import ReturningUpdate

from bot.storage.records import MatchId, TimeControl
from bot.storage.repository import Repository
from bot.storage.schema import matches, moves, seats
from bot.storage.shards import MAX_SHARDS_REMEMBERED, Servers, Shards, one_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Grace:
    """How many seconds people get at least for what nobody could do while the bot was away."""

    moves: Mapping[TimeControl, int]
    """For a turn."""

    answers: Mapping[TimeControl, int]
    """For answering a challenge."""

    answers_within: int
    """Challenges that expired more than this many seconds ago get none."""

    quiet: int
    """For a match that silence has ended meanwhile."""

    results: int
    """For resuming a match whose result doesn't count yet."""

    def horizon(self, now: int) -> int:
        """The latest `due_at` that may need grace: later ones have at least half of it left."""
        most = max((*self.moves.values(), *self.answers.values(), self.results))
        return now + most // 2


@dataclass(frozen=True, slots=True)
class Graced:
    """What giving grace has done."""

    given: Sequence[MatchId]
    """The matches whose time was extended."""

    rested: Sequence[MatchId]
    """Running matches that were not extended because a clock in them has rested: SQL can't tell
    when the time of the seats that owe a move is up."""


@dataclass(frozen=True, slots=True)
class Silence:
    """How long nothing has happened in a match."""

    since: int
    """When the match was paused; if it isn't, when the last choice was made."""

    told: bool
    """Whether its players have been told when it will be closed."""


@lru_cache(MAX_SHARDS_REMEMBERED)
def _due(shards: Shards) -> Select[Any]:
    return (
        select(matches.c.id)
        .where(matches.c.due_at <= bindparam("now"), shards.has(matches.c.guild))
        .order_by(matches.c.due_at, matches.c.id)
    )


@lru_cache(MAX_SHARDS_REMEMBERED)
def _next_due(shards: Shards) -> Select[Any]:
    return select(func.min(matches.c.due_at)).where(
        matches.c.due_at > bindparam("now"), shards.has(matches.c.guild)
    )


_HAS_RESTED: Final = (
    select(seats.c.match)
    .where(
        seats.c.match == matches.c.id,
        seats.c.left.is_(None),
        or_(seats.c.rested != 0, seats.c.away_until.is_not(None)),
    )
    .correlate(matches)
    .exists()
)
"""Whether the time of its seats ends at different moments, because of a vacation or a pause."""


_SILENT_SINCE: Final = func.coalesce(
    matches.c.paused_at,
    select(func.max(moves.c.made_at))
    .where(moves.c.match == matches.c.id)
    .correlate(matches)
    .scalar_subquery(),
    matches.c.begun_at,
    matches.c.opened_at,
)

_IS_ANNOUNCED: Final = func.coalesce(matches.c.closes_at == matches.c.due_at, false())
"""Anything that happens after the announcement changes `due_at`."""


class DeadlineRepository(Repository):
    async def due(self, now: float, shards: Shards) -> Sequence[MatchId]:
        """The matches that are due in servers of these shards, the longest due first."""
        rows = await self._connection.execute(_due(shards), {"now": int(now)})
        return [MatchId(row.id) for row in rows]

    async def next_due(self, now: float, shards: Shards) -> int | None:
        """The first moment after `now` at which a match in these shards is due, or None."""
        found = await self._connection.execute(_next_due(shards), {"now": int(now)})
        moment: int | None = found.scalar_one()
        return moment

    async def put_off(self, match: MatchId, due_at: int) -> None:
        """Change when the clock acts on a match, to a moment that must not be earlier."""
        await self._touch(match)
        await self._connection.execute(
            update(matches).where(matches.c.id == match).values(due_at=due_at)
        )

    async def silence(self, match: MatchId) -> Silence:
        query = select(_SILENT_SINCE.label("since"), _IS_ANNOUNCED.label("told"))
        row = (await self._connection.execute(query.where(matches.c.id == match))).one()
        return Silence(row.since, bool(row.told))

    async def announce_end(self, match: MatchId, closes_at: int) -> None:
        """Have silence end a match at `closes_at`, and record that its players are told so."""
        await self._touch(match)
        await self._connection.execute(
            update(matches)
            .where(matches.c.id == match)
            .values(due_at=closes_at, closes_at=closes_at)
        )

    async def give_grace(self, now: int, grace: Grace, where: Shards | Servers | None) -> Graced:
        """Extend the time for what nobody could do while the bot was away.

        What has less than half of its grace left gets all of it. `where` limits this to these
        servers, or the servers of these shards; None means all.
        """
        waits = or_(matches.c.status.in_(("open", "running")), matches.c.counts_at.is_not(None))
        wanted = [waits, matches.c.due_at <= grace.horizon(now)]
        if where is not None:
            # `+ 0` keeps SQLite from reading all matches these servers ever had.
            wanted.append(where.has(matches.c.guild + 0))
        held = await self._locks.matching(and_(*wanted))
        near = await self._connection.execute(select(matches.c.id).where(held).limit(1))
        if near.first() is None:
            return Graced([], [])
        given: list[MatchId] = []
        for time_control, seconds in grace.moves.items():
            given += await self._returned_ids(_graced_turns(held, time_control, now, seconds))
        for time_control, seconds in grace.answers.items():
            waiting = and_(held, matches.c.due_at >= now - grace.answers_within)
            given += await self._returned_ids(
                _graced_challenges(waiting, time_control, now, seconds)
            )
        given += await self._returned_ids(_graced_silence(held, now, now + grace.quiet))
        given += await self._returned_ids(_graced_results(held, now, grace.results))
        await self._touch(*given)
        resting = select(matches.c.id).where(held, _has_turns(*grace.moves), _HAS_RESTED)
        rested = await self._connection.execute(resting.order_by(matches.c.id))
        return Graced(given, [MatchId(row.id) for row in rested])

    async def begin_new_turns(self, numbers: Collection[MatchId]) -> Sequence[MatchId]:
        """Begin a new turn in those of these matches that are in play with a clock; returns which.

        Choices made are kept. The caller has just given the matches grace.
        """
        return await self._returned_ids(
            update(matches)
            .where(
                one_of(matches.c.id, numbers),
                matches.c.status == "running",
                matches.c.deadline.is_not(None),
                matches.c.paused_at.is_(None),
            )
            .values(turn=matches.c.turn + 1)
            .returning(matches.c.id)
        )

    async def _returned_ids(self, statement: ReturningUpdate[Any]) -> list[MatchId]:
        return [MatchId(row.id) for row in await self._connection.execute(statement)]


def _graced_turns(
    held: ColumnElement[bool], time_control: TimeControl, now: int, seconds: int
) -> ReturningUpdate[tuple[int]]:
    """Only where no clock has rested: there, `due_at` is when everybody's time is up."""
    return (
        update(matches)
        .where(
            held,
            _has_turns(time_control),
            matches.c.due_at < now + seconds // 2,
            ~_HAS_RESTED,
        )
        .values(
            due_at=now + seconds,
            deadline=matches.c.deadline + (now + seconds - matches.c.due_at),
        )
        .returning(matches.c.id)
    )


def _has_turns(*time_controls: TimeControl) -> ColumnElement[bool]:
    """Whether a match is in play with one of these time controls."""
    return and_(
        matches.c.status == "running",
        matches.c.pace.in_(time_controls),
        matches.c.paused_at.is_(None),
    )


def _graced_challenges(
    held: ColumnElement[bool], time_control: TimeControl, now: int, seconds: int
) -> ReturningUpdate[tuple[int]]:
    return (
        update(matches)
        .where(
            held,
            matches.c.status == "open",
            matches.c.pace == time_control,
            matches.c.due_at < now + seconds // 2,
        )
        .values(due_at=now + seconds)
        .returning(matches.c.id)
    )


def _graced_results(
    held: ColumnElement[bool], now: int, seconds: int
) -> ReturningUpdate[tuple[int]]:
    """A rematch request that lapses before the result counts keeps its own time."""
    lapses = matches.c.due_at < matches.c.counts_at
    return (
        update(matches)
        .where(held, matches.c.counts_at < now + seconds // 2)
        .values(
            counts_at=now + seconds,
            due_at=case((lapses, matches.c.due_at), else_=now + seconds),
            settled=False,
        )
        .returning(matches.c.id)
    )


def _graced_silence(
    held: ColumnElement[bool], now: int, closes_at: int
) -> ReturningUpdate[tuple[int]]:
    """Where silence ended meanwhile, in a match without a clock or a channel, it's extended.

    Not if the players haven't been told yet: they are told now, and get the usual time.
    """
    return (
        update(matches)
        .where(
            held,
            matches.c.status == "running",
            or_(and_(matches.c.pace == "none", _IS_ANNOUNCED), matches.c.paused_why == "lost"),
            matches.c.due_at <= now,
        )
        .values(due_at=closes_at, closes_at=closes_at)
        .returning(matches.c.id)
    )
