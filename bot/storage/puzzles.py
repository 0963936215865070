"""Answers to the daily puzzle, and streaks of them.

A streak ends with a wrong answer, and with a day without an answer if that day's puzzle was
offered: if the bot could be reached for long enough. Other days rest: they don't end a streak.

A day is a number of days since 1970 in UTC. All other moments are Unix times in seconds.
"""

import asyncio
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Index,
    Row,
    Table,
    Text,
    func,
    or_,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import insert as upsert

from bot.storage.columns import Columns
from bot.storage.repository import Repository
from bot.storage.schema import NUMBER, metadata

puzzle_answers = Table(
    "puzzle_answers",
    metadata,
    Column("day", NUMBER, primary_key=True),  # days since 1970, UTC
    Column("user", BigInteger, primary_key=True),
    Column("guild", BigInteger),  # server where it counts; null: answered outside servers
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
    Column("hour", NUMBER, nullable=False),  # the last one counted, in hours since 1970
    sqlite_with_rowid=False,
)

OFFERED_HOURS: Final = 12
"""A day rests if the bot could be reached for fewer hours; a day without a row doesn't rest."""

_RESTS: Final = puzzle_days.c.hours < OFFERED_HOURS


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRecord:
    """A person's answer; only the first one on a day counts."""

    day: int
    user: int
    guild: int | None
    """The server where it counts; None if it was given outside servers."""

    choice: str
    solved: bool
    answered_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TallyRecord:
    """What a person has solved before some day."""

    user: int
    solved: int
    streak: int
    """Days in a row up to the last counted day; days that rest are skipped."""

    best: int
    """The longest streak."""

    @property
    def merits(self) -> tuple[int, int, int]:
        """What the ranking compares, most important first; more is better."""
        return self.solved, self.streak, self.best

    def at(self, place: int) -> "SolverRecord":
        """This person's line of the leaderboard, at this place."""
        return SolverRecord(
            user=self.user, place=place, solved=self.solved, streak=self.streak, best=self.best
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SolverRecord(TallyRecord):
    """A line of a server's puzzle leaderboard."""

    place: int
    """From 1; equal lines share a place."""


_DAY_HOURS: Final = 24

_CHUNK: Final = 2000
"""Answers read at a time: counting them blocks the event loop for some milliseconds."""

_ANSWER: Final = Columns(AnswerRecord, puzzle_answers)


class PuzzleRepository(Repository):
    async def add(self, answer: AnswerRecord) -> bool:
        """Store an answer; returns False if the person has answered on that day."""
        written = await self._connection.execute(
            upsert(puzzle_answers)
            .values(**_ANSWER.values(answer))
            .on_conflict_do_nothing(index_elements=["day", "user"])
        )
        return written.rowcount == 1

    async def answer(self, day: int, user: int) -> AnswerRecord | None:
        """A person's answer on a day, or None."""
        query = select(*_ANSWER.columns).where(
            puzzle_answers.c.day == day, puzzle_answers.c.user == user
        )
        row = (await self._connection.execute(query)).one_or_none()
        return None if row is None else _ANSWER.of(row)

    async def last_answer(self, user: int, until: int) -> AnswerRecord | None:
        """A person's last answer before day `until`, or None."""
        query = (
            select(*_ANSWER.columns)
            .where(puzzle_answers.c.user == user, puzzle_answers.c.day < until)
            .order_by(puzzle_answers.c.day.desc())
            .limit(1)
        )
        row = (await self._connection.execute(query)).one_or_none()
        return None if row is None else _ANSWER.of(row)

    async def streak(self, user: int, until: int) -> int:
        """The days in a row before `until` that this person has solved, wherever they answered."""
        answers = puzzle_answers.c
        count = _Count(await self._resting_days(until), until)
        query = (
            select(answers.day, answers.user, answers.solved)
            .where(answers.user == user, answers.day < until)
            .order_by(answers.day)
        )
        count.add(await self._connection.execute(query))
        return next((tally.streak for tally in count.tallies()), 0)

    async def note_presence(self, hour: int) -> None:
        """Record that the bot is reachable in this hour (hours since 1970), once per hour.

        Days since the last recorded one get a row with 0 hours, because the bot wasn't there.
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
        """The last recorded hour in which the bot was reachable, up to `until`; None without one.

        Later ones were recorded while the clock was ahead.
        """
        query = select(func.max(puzzle_days.c.hour)).where(puzzle_days.c.hour <= until)
        found: int | None = (await self._connection.execute(query)).scalar()
        return found or None  # the hour of a day without the bot is 0

    async def counts(self, guild: int, day: int) -> Mapping[str, int]:
        """How often each move was chosen in a server on a day."""
        query = (
            select(puzzle_answers.c.choice, func.count().label("number"))
            .where(puzzle_answers.c.guild == guild, puzzle_answers.c.day == day)
            .group_by(puzzle_answers.c.choice)
        )
        return {row.choice: row.number for row in await self._connection.execute(query)}

    async def is_final(self, until: int) -> bool:
        """Whether the reachable hours of all days before `until` are recorded."""
        query = select(func.max(puzzle_days.c.day))
        last: int | None = (await self._connection.execute(query)).scalar()
        return last is not None and last >= until - 1

    async def tallies(self, guild: int, until: int) -> Sequence[TallyRecord]:
        """What each person has solved in a server before day `until`, the best first.

        Includes hidden people. Reads all answers ever given there, in parts, so that others can run
        in between.
        """
        answers = puzzle_answers.c
        count = _Count(await self._resting_days(until), until)
        query = (
            select(answers.day, answers.user, answers.solved)
            .where(answers.guild == guild, answers.day < until)
            .order_by(answers.day, answers.user)
            .limit(_CHUNK)
        )
        rows = (await self._connection.execute(query)).all()
        while rows:
            count.add(rows)
            last = rows[-1]
            further = or_(answers.day > last.day, answers.user > last.user)
            rest = query.where(answers.day >= last.day, further)
            rows = (await self._connection.execute(rest)).all()
        return await asyncio.to_thread(count.tallies)

    async def _resting_days(self, until: int) -> Sequence[int]:
        """The days before `until` that rested, in order."""
        query = select(puzzle_days.c.day).where(puzzle_days.c.day < until, _RESTS)
        return (await self._connection.execute(query.order_by(puzzle_days.c.day))).scalars().all()


class _Count:
    """Counts answers, added in the order of days: what each person has solved, and their streaks.

    A streak stores how many days had been offered up to its last one. It has ended if more were
    offered before the next answer.
    """

    def __init__(self, rests: Sequence[int], until: int) -> None:
        self._resting_days = rests
        self._offered = until - len(rests)
        self._people: dict[int, list[int]] = {}
        """By user id: solved, streak, best streak, and the number of days offered up to its last
        day."""

    def add(self, rows: Iterable[Row[*tuple[Any, ...]]]) -> None:
        """Add answers as (day, user, whether it was right), in the order of days."""
        of_day = offered = step = -1
        for day, user, solved in rows:
            if day != of_day:
                of_day, before = day, bisect_left(self._resting_days, day)
                offered = day - before
                step = self._resting_days[before : before + 1] != [day]
            person = self._people.get(user)
            if person is None:
                person = self._people[user] = [0, 0, 0, offered]
            if not solved:
                person[1] = 0
                continue
            person[0] += 1
            person[1] = person[1] + 1 if person[3] >= offered else 1
            person[2] = max(person[2], person[1])
            person[3] = offered + step

    def tallies(self) -> Sequence[TallyRecord]:
        """The tallies of everybody who has solved any, the best first."""
        found = [
            TallyRecord(
                user=user,
                solved=solved,
                streak=streak if until >= self._offered else 0,
                best=best,
            )
            for user, (solved, streak, best, until) in self._people.items()
            if solved
        ]
        return sorted(found, key=lambda tally: (*tally.merits, tally.user), reverse=True)
