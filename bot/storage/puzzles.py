"""Answers to the daily puzzle, and streaks of them.

A streak ends with a wrong answer, and with a day without one if that day's puzzle was offered: if
the bot could be reached for long enough. Other days rest: they end no streak.

A day is a number: days since 1970, UTC. All other moments are in seconds since 1970.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Index,
    Row,
    ScalarSelect,
    Select,
    Subquery,
    Table,
    Text,
    and_,
    case,
    cast,
    exists,
    false,
    func,
    literal,
    null,
    or_,
    select,
    union_all,
    update,
)
from sqlalchemy.dialects.postgresql import insert as upsert

from bot.storage.columns import Columns
from bot.storage.pages import PageRecord, page_of
from bot.storage.repository import Repository
from bot.storage.schema import NUMBER, metadata, people

puzzle_answers = Table(
    "puzzle_answers",
    metadata,
    Column("day", NUMBER, primary_key=True),  # days since 1970, UTC
    Column("user", BigInteger, primary_key=True),
    Column("guild", BigInteger),  # where it counts; null: answered outside of servers
    Column("choice", Text, nullable=False),  # the move, in the game's notation
    Column("solved", Boolean, nullable=False),  # whether it was right
    Column("answered_at", NUMBER, nullable=False),
    sqlite_with_rowid=False,
)
Index(
    "ix_puzzle_answers_guild",
    *(puzzle_answers.c[name] for name in ("guild", "day", "user", "solved", "choice")),
)
Index("ix_puzzle_answers_user", puzzle_answers.c.user)

puzzle_days = Table(
    "puzzle_days",
    metadata,
    Column("day", NUMBER, primary_key=True, autoincrement=False),  # days since 1970, UTC
    Column("hours", NUMBER, nullable=False),  # of that day in which the bot could be reached
    Column("hour", NUMBER, nullable=False),  # the last one that is counted, hours since 1970
    sqlite_with_rowid=False,
)

OFFERED_HOURS: Final = 12
"""A day of fewer hours offered nobody a fair chance at its puzzle; one without a row did."""

_RESTS: Final = puzzle_days.c.hours < OFFERED_HOURS


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRecord:
    """What somebody chose; the first answer of a day is the only one."""

    day: int
    user: int
    guild: int | None
    """The server where it counts; None for an answer given outside of servers."""

    choice: str
    solved: bool
    answered_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SolverRecord:
    """A line of a server's leaderboard of puzzles."""

    user: int
    place: int
    """From 1; equal lines share a place."""

    solved: int
    streak: int
    """Days in a row up to the last day that counts; days that rest are passed over."""

    best: int
    """The longest streak."""


_DAY_HOURS: Final = 24
_ANSWER: Final = Columns(AnswerRecord, puzzle_answers)


class PuzzleRepository(Repository):
    async def add(self, answer: AnswerRecord) -> bool:
        """Note an answer; False where that person has answered on that day."""
        written = await self._connection.execute(
            upsert(puzzle_answers)
            .values(**_ANSWER.values(answer))
            .on_conflict_do_nothing(index_elements=["day", "user"])
        )
        return written.rowcount == 1

    async def answer(self, day: int, user: int) -> AnswerRecord | None:
        """What somebody answered on a day."""
        query = select(*_ANSWER.columns).where(
            puzzle_answers.c.day == day, puzzle_answers.c.user == user
        )
        row = (await self._connection.execute(query)).one_or_none()
        return None if row is None else _ANSWER.of(row)

    async def last_answer(self, user: int, until: int) -> AnswerRecord | None:
        """What somebody answered on the last day before this one on which they did."""
        query = (
            select(*_ANSWER.columns)
            .where(puzzle_answers.c.user == user, puzzle_answers.c.day < until)
            .order_by(puzzle_answers.c.day.desc())
            .limit(1)
        )
        row = (await self._connection.execute(query)).one_or_none()
        return None if row is None else _ANSWER.of(row)

    async def streak(self, user: int, until: int) -> int:
        """The days in a row before `until` that this person has solved, wherever that was."""
        runs = _runs(puzzle_answers.c.user == user, until)
        query = select(runs.c.length).where(runs.c.is_running)
        return (await self._connection.execute(query)).scalar() or 0

    async def note_presence(self, hour: int) -> None:
        """Note that people can be answered in this hour, in hours since 1970; once each.

        Days since the last one that is noted have gone by with nobody there.
        """
        day = hour // _DAY_HOURS
        last = (await self._connection.execute(select(func.max(puzzle_days.c.day)))).scalar()
        begun = upsert(puzzle_days).on_conflict_do_nothing(index_elements=["day"])
        since = day if last is None else min(last + 1, day)
        rows = [{"day": number, "hours": 0, "hour": 0} for number in range(since, day + 1)]
        await self._connection.execute(begun, rows)
        await self._connection.execute(
            update(puzzle_days)
            .where(puzzle_days.c.day == day, puzzle_days.c.hour < hour)
            .values(hours=puzzle_days.c.hours + 1, hour=hour)
        )

    async def last_presence(self, until: int) -> int | None:
        """The last hour in which people could be answered, as noted; None where none is.

        Not one after `until`, which was noted while the clock was ahead.
        """
        query = select(func.max(puzzle_days.c.hour)).where(puzzle_days.c.hour <= until)
        found: int | None = (await self._connection.execute(query)).scalar()
        return found or None  # a day with nobody there has none

    async def counts(self, guild: int, day: int) -> Mapping[str, int]:
        """How often each move was chosen in a server on a day."""
        query = (
            select(puzzle_answers.c.choice, func.count().label("number"))
            .where(puzzle_answers.c.guild == guild, puzzle_answers.c.day == day)
            .group_by(puzzle_answers.c.choice)
        )
        return {row.choice: row.number for row in await self._connection.execute(query)}

    async def solvers(
        self,
        guild: int,
        until: int,
        *,
        first: int,
        count: int,
        me: int,
        gone: Collection[int] = (),
    ) -> PageRecord[SolverRecord]:
        """So many lines after the first ones; the last page where it would begin beyond the end.

        Only days before `until` count. Who is hidden or named as gone has no place.
        """
        ranked = _ranked(_by_person(guild, until, gone)).subquery()
        wished = and_(ranked.c.position > first, ranked.c.position <= first + count)
        rows = (
            await self._connection.execute(
                select(ranked)
                .where(or_(wished, ranked.c.user == me, ranked.c.position == 1))
                .order_by(ranked.c.position)
            )
        ).all()
        page = page_of(rows, _solver, first=first, count=count, me=me)
        if page.first < first:
            return await self.solvers(guild, until, first=page.first, count=count, me=me, gone=gone)
        return page

    async def first_solvers(self, guild: int, until: int, count: int) -> Sequence[int]:
        """So many people from the top on, also those who may be gone."""
        ranked = _ranked(_by_person(guild, until, ())).subquery()
        query = select(ranked.c.user).order_by(ranked.c.position).limit(count)
        return list((await self._connection.execute(query)).scalars())

    async def streaks(self, guild: int, until: int, least: int) -> Sequence[SolverRecord]:
        """Whose streak in a server goes on up to the day before `until`, the longest first."""
        ranked = _ranked(_by_person(guild, until, ())).subquery()
        query = (
            select(ranked)
            .where(ranked.c.streak >= least)
            .order_by(ranked.c.streak.desc(), ranked.c.position)
        )
        return [_solver(row) for row in await self._connection.execute(query)]


def _by_person(guild: int, until: int, gone: Collection[int]) -> Select[*tuple[Any, ...]]:
    """What each person has solved in a server before a day, with the streaks."""
    answers = puzzle_answers.c
    hidden = exists().where(people.c.user == answers.user, people.c.hidden.is_(True))
    # The sum keeps SQLite from reading everybody's answers, by the index of people.
    listed = and_(answers.user + 0 > 0, answers.user.not_in(gone), ~hidden)
    here = and_(answers.guild == guild, listed)
    runs = _runs(here, until)
    return select(
        runs.c.user,
        func.sum(runs.c.length).label("solved"),
        func.max(case((runs.c.is_running, runs.c.length), else_=0)).label("streak"),
        func.max(runs.c.length).label("best"),
    ).group_by(runs.c.user)


def _runs(which: ColumnElement[bool], until: int) -> Subquery:
    """The streaks among these answers before a day, and whether each still goes on.

    All days of one have the same number of misses before them: of days that were offered, less
    those that were solved, and more by each wrong answer on a day that rests.
    """
    answers = _answers_and_rests(which, until)
    saved = case(
        (and_(answers.c.solved, answers.c.rests == 0), 1),
        (and_(~answers.c.solved, answers.c.rests == 1), -1),
        else_=0,
    )
    so_far = func.sum(saved).over(partition_by=answers.c.user, order_by=answers.c.day)
    in_all = func.sum(saved).over(partition_by=answers.c.user)
    days = (
        select(
            answers.c.user,
            answers.c.solved,
            (answers.c.day - answers.c.rests_before - so_far + saved).label("missed"),
            (until - _rests_before(until) - in_all).label("missed_in_all"),
        )
        .where(answers.c.user.is_not(None))
        .subquery()
    )
    is_running = days.c.missed == days.c.missed_in_all
    return (
        select(days.c.user, func.count().label("length"), is_running.label("is_running"))
        .where(days.c.solved)
        .group_by(days.c.user, days.c.missed, is_running)
        .subquery()
    )


def _answers_and_rests(which: ColumnElement[bool], until: int) -> Subquery:
    """These answers before a day, with whether their day rested and how many before it did.

    And days that rested, as answers of nobody: they stand in one line with the answers, for SQLite
    would read all of them again for each answer whose day it has to look up.
    """
    answers = puzzle_answers.c
    given = select(answers.day, answers.user, answers.solved, literal(0).label("rest")).where(
        which, answers.day < until
    )
    nobody = cast(null(), BigInteger), false(), literal(1)
    rested = select(puzzle_days.c.day, *nobody).where(_RESTS, puzzle_days.c.day < until)
    line = union_all(given, rested).subquery()
    so_far = func.sum(line.c.rest).over(order_by=(line.c.day, line.c.rest))
    of_day = func.max(line.c.rest).over(partition_by=line.c.day)
    return select(
        line.c.day,
        line.c.user,
        line.c.solved,
        so_far.label("rests_before"),  # an answer stands before its own day's rest
        of_day.label("rests"),
    ).subquery()


def _rests_before(day: int) -> ScalarSelect[int]:
    """How many days before this one rested."""
    return select(func.count()).where(puzzle_days.c.day < day, _RESTS).scalar_subquery()


def _ranked(people_found: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
    """The same with places: by what was solved, then by the streak, then by the best one."""
    found = people_found.subquery()
    order = (found.c.solved.desc(), found.c.streak.desc(), found.c.best.desc())
    return select(
        found,
        func.rank().over(order_by=order).label("place"),
        func.row_number().over(order_by=(*order, found.c.user.desc())).label("position"),
        func.count().over().label("total"),
    )


def _solver(row: Row[*tuple[Any, ...]]) -> SolverRecord:
    return SolverRecord(
        user=row.user,
        place=row.place,
        solved=int(row.solved),  # a sum of PostgreSQL's is no whole number
        streak=int(row.streak),
        best=int(row.best),
    )
