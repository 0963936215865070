"""What happened in a server in a week, for its digest.

Only people who are on leaderboards are named: nobody who was deleted or is hidden. They do count in
the totals, which identify nobody.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, FromClause, Select, and_, case, exists, func, select
from sqlalchemy.orm import aliased

from bot.ratings import PROVISIONAL
from bot.storage.puzzles import puzzle_answers
from bot.storage.repository import Repository
from bot.storage.schema import people, results

_SOLVERS: Final = 10
_UPSETS: Final = 20
_STREAKS: Final = 20
_PAIRS: Final = 20
"""At most this many are read; fewer are shown, because some people may have left the server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Week:
    """A week of a server, as Unix times and as days; `until` and `end_day` are exclusive."""

    guild: int
    since: int
    until: int
    first_day: int
    """In days since 1970, like `end_day`."""

    end_day: int


@dataclass(frozen=True, slots=True)
class UpsetRecord:
    """A rated match won against a player with a higher rating."""

    game: str
    winner: int
    winner_rating: int
    winner_settled: bool
    """Whether that rating was no longer provisional."""

    loser: int
    loser_rating: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CountRecord:
    """A person's number of wins in a row, or of solved puzzles."""

    user: int
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRecord:
    """Two people who played each other, and how often each of them finished ahead."""

    users: tuple[int, int]
    ahead: tuple[int, int]
    matches: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WeekRecord:
    """What the database says about a week of a server."""

    matches: Mapping[str, int]
    """Matches between people by game, the most played first."""

    players: int
    """The number of people in those; not those who played only computers."""

    with_computers: int
    """The number of matches with a computer."""

    upsets: Sequence[UpsetRecord]
    """The greatest first; only the greatest of each match."""

    streaks: Sequence[CountRecord]
    """Wins in a row up to the end of the week, of people who won in it; the longest first."""

    pairs: Sequence[PairRecord]
    """The pairs that met most often first; of equal ones, the closest."""

    answers: int
    """The number of answers to daily puzzles."""

    solved: int
    solvers: Sequence[CountRecord]
    """How many puzzles each person solved, the most first."""


class DigestRepository(Repository):
    async def week(self, week: Week, *, upset: int, streak: int, met: int) -> WeekRecord:
        """Everything about a week.

        `upset` is the minimum rating difference in points, `streak` the minimum number of wins,
        `met` the minimum number of matches of a pair.
        """
        ended = _ended(week)
        games = await self._matches_by_game(ended, results.c.levels.is_(None))
        computers = await self._matches_by_game(ended, results.c.levels.is_not(None))
        answers, solved = await self._answers(week)
        return WeekRecord(
            matches=games,
            players=await self._players(ended),
            with_computers=sum(computers.values()),
            upsets=await self._upsets(week, upset),
            streaks=await self._streaks(week, streak),
            pairs=await self._pairs(week, met),
            answers=answers,
            solved=solved,
            solvers=await self._solvers(week),
        )

    async def _matches_by_game(self, *conditions: ColumnElement[bool]) -> Mapping[str, int]:
        number = func.count(results.c.match.distinct()).label("number")
        query = (
            select(results.c.game, number)
            .where(*conditions)
            .group_by(results.c.game)
            .order_by(number.desc(), results.c.game)
        )
        return {row.game: row.number for row in await self._connection.execute(query)}

    async def _players(self, ended: ColumnElement[bool]) -> int:
        query = select(func.count(results.c.user.distinct())).where(
            ended, results.c.levels.is_(None)
        )
        return int((await self._connection.execute(query)).scalar_one())

    async def _upsets(self, week: Week, least: int) -> Sequence[UpsetRecord]:
        won, lost = aliased(results), aliased(results)
        margin = lost.c.before - won.c.before
        query = (
            select(
                won.c.match,
                won.c.game,
                won.c.user.label("winner"),
                won.c.before.label("winner_rating"),
                (won.c.nth > PROVISIONAL).label("winner_settled"),
                lost.c.user.label("loser"),
                lost.c.before.label("loser_rating"),
            )
            .join(lost, and_(lost.c.match == won.c.match, lost.c.user != won.c.user))
            .where(
                won.c.guild == week.guild,
                won.c.ended_at >= week.since,
                won.c.ended_at < week.until,
                won.c.won == 1,
                lost.c.nth > PROVISIONAL,  # includes this match, so it was settled before
                margin >= least,
                _may_be_named(won.c.user),
                _may_be_named(lost.c.user),
            )
            .order_by(margin.desc(), won.c.sequence.desc(), lost.c.seat)
            .limit(_UPSETS)
        )
        by_match: dict[int, UpsetRecord] = {}
        for row in await self._connection.execute(query):
            by_match.setdefault(row.match, UpsetRecord(*row[1:]))
        return list(by_match.values())

    async def _streaks(self, week: Week, least: int) -> Sequence[CountRecord]:
        """Wins in a row of the week's winners.

        For each winner, only the matches since the last one that they didn't win are read.
        """
        winners = (
            select(results.c.user)
            .where(
                _ended(week),
                results.c.levels.is_(None),
                results.c.won == 1,
                # `+ 0` keeps SQLite from reading all people in the order of an index.
                _may_be_named(results.c.user + 0),
            )
            .group_by(results.c.user)
            .subquery("winners")
        )
        lost, streak = aliased(results), aliased(results)
        last = (
            select(lost.c.sequence)
            .where(_played(lost, winners.c.user, week), lost.c.won == 0)
            .order_by(lost.c.sequence.desc())
            .limit(1)
            .correlate(winners)
            .scalar_subquery()
        )
        number = (
            select(func.count())
            .select_from(streak)
            .where(_played(streak, winners.c.user, week))
            .where(streak.c.sequence > func.coalesce(last, -1))
            .correlate(winners)
            .scalar_subquery()
            .label("number")
        )
        query = (
            select(winners.c.user, number)
            .order_by(number.desc(), winners.c.user.desc())
            .limit(_STREAKS)
        )
        # Compared here, because a condition in SQL would count each of them twice.
        return [line for line in await self._load_counts(query) if line.number >= least]

    async def _pairs(self, week: Week, least: int) -> Sequence[PairRecord]:
        one, other = aliased(results), aliased(results)
        number = func.count()
        ahead = func.sum(case((one.c.rank < other.c.rank, 1), else_=0))
        behind = func.sum(case((one.c.rank > other.c.rank, 1), else_=0))
        query = (
            select(
                one.c.user.label("one"),
                other.c.user.label("other"),
                number.label("number"),
                ahead.label("ahead"),
                behind.label("behind"),
            )
            .join(other, and_(other.c.match == one.c.match, other.c.user > one.c.user))
            .where(
                one.c.guild == week.guild,
                one.c.levels.is_(None),
                one.c.ended_at >= week.since,
                one.c.ended_at < week.until,
                _may_be_named(one.c.user),
                _may_be_named(other.c.user),
            )
            .group_by(one.c.user, other.c.user)
            .having(number >= least)
            .order_by(number.desc(), func.abs(ahead - behind), one.c.user, other.c.user)
            .limit(_PAIRS)
        )
        return [
            PairRecord(
                users=(row.one, row.other), ahead=(row.ahead, row.behind), matches=row.number
            )
            for row in await self._connection.execute(query)
        ]

    async def _answers(self, week: Week) -> tuple[int, int]:
        query = (
            select(puzzle_answers.c.solved, func.count().label("number"))
            .where(_answered(week))
            .group_by(puzzle_answers.c.solved)
        )
        counts = {row.solved: row.number for row in await self._connection.execute(query)}
        return sum(counts.values()), counts.get(True, 0)

    async def _solvers(self, week: Week) -> Sequence[CountRecord]:
        number = func.count()
        query = (
            select(puzzle_answers.c.user, number.label("number"))
            .where(_answered(week), puzzle_answers.c.solved.is_(True))
            .where(_may_be_named(puzzle_answers.c.user))
            .group_by(puzzle_answers.c.user)
            .order_by(number.desc(), puzzle_answers.c.user.desc())
            .limit(_SOLVERS)
        )
        return await self._load_counts(query)

    async def _load_counts(self, query: Select[*tuple[Any, ...]]) -> Sequence[CountRecord]:
        rows = await self._connection.execute(query)
        return [CountRecord(user=row.user, number=row.number) for row in rows]


def _ended(week: Week) -> ColumnElement[bool]:
    return and_(
        results.c.guild == week.guild,
        results.c.ended_at >= week.since,
        results.c.ended_at < week.until,
    )


def _played(lines: FromClause, user: ColumnElement[int], week: Week) -> ColumnElement[bool]:
    """The matches of a person against people that ended before the end of the week."""
    return and_(
        lines.c.user == user,
        lines.c.guild == week.guild,
        lines.c.levels.is_(None),
        # `+ 0` keeps databases from reading everything the person ever played in the server.
        lines.c.ended_at + 0 < week.until,
    )


def _answered(week: Week) -> ColumnElement[bool]:
    return and_(
        puzzle_answers.c.guild == week.guild,
        puzzle_answers.c.day >= week.first_day,
        puzzle_answers.c.day < week.end_day,
    )


def _may_be_named(user: ColumnElement[int]) -> ColumnElement[bool]:
    """Whether a user may be named: a person who wasn't deleted and isn't hidden."""
    is_hidden = exists().where(people.c.user == user, people.c.hidden)
    return and_(user > 0, ~is_hidden)
