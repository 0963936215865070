"""Answers to the daily puzzle, and streaks of them.

A day is a number: days since 1970, UTC. All other moments are in seconds since 1970.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Row, Select, and_, case, exists, func, or_, select
from sqlalchemy.dialects.postgresql import insert as upsert

from bot.storage.columns import Columns
from bot.storage.puzzle_tables import puzzle_answers
from bot.storage.repository import Repository
from bot.storage.schema import people


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
    """Days in a row up to the last day that counts."""

    best: int
    """The longest streak."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SolversRecord:
    """A page of that leaderboard."""

    lines: tuple[SolverRecord, ...]
    first: int
    """How many lines come before."""

    total: int
    own: SolverRecord | None
    """The line of the person who asks, wherever it is."""


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

    async def solved_days(self, user: int) -> Sequence[int]:
        """The days whose puzzle this person has solved, wherever that was, the latest first."""
        query = (
            select(puzzle_answers.c.day)
            .where(puzzle_answers.c.user == user, puzzle_answers.c.solved.is_(True))
            .order_by(puzzle_answers.c.day.desc())
        )
        return list((await self._connection.execute(query)).scalars())

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
    ) -> SolversRecord:
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
        total = rows[0].total if rows else 0
        last = (total - 1) // count * count if rows else 0
        if first > last:
            return await self.solvers(guild, until, first=last, count=count, me=me, gone=gone)
        return SolversRecord(
            lines=tuple(_solver(row) for row in rows if first < row.position <= first + count),
            first=first,
            total=total,
            own=next((_solver(row) for row in rows if row.user == me), None),
        )

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
    """What each person has solved in a server before a day, with the streaks.

    Days in a row are a run: day and place of the day among a person's days rise together in it.
    """
    answers = puzzle_answers.c
    place = func.row_number().over(partition_by=answers.user, order_by=answers.day)
    hidden = exists().where(people.c.user == answers.user, people.c.hidden.is_(True))
    days = (
        select(answers.user, answers.day, (answers.day - place).label("run"))
        .where(
            answers.guild == guild,
            answers.solved.is_(True),
            answers.day < until,
            answers.user > 0,
            answers.user.not_in(gone),
            ~hidden,
        )
        .subquery()
    )
    length = func.count().label("length")
    runs = (
        select(days.c.user, length, func.max(days.c.day).label("last"))
        .group_by(days.c.user, days.c.run)
        .subquery()
    )
    running = case((runs.c.last == until - 1, runs.c.length), else_=0)
    return select(
        runs.c.user,
        func.sum(runs.c.length).label("solved"),
        func.max(running).label("streak"),
        func.max(runs.c.length).label("best"),
    ).group_by(runs.c.user)


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
