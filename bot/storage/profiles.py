"""What a person has played: each result, their opponents, and their favorite variant.

Only matches among people, and solo matches, which only their player is shown. Other matches with a
computer are on the computer ladder.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal, NamedTuple

from sqlalchemy import BigInteger, Text, TextClause, func, select

from bot.storage.columns import Columns
from bot.storage.pages import PageRecord
from bot.storage.records import MatchId
from bot.storage.repository import Repository
from bot.storage.results import ALL_TIME
from bot.storage.schema import ratings, results
from bot.storage.statements import Statement

End = Literal["won", "drawn", "lost"]
"""What a match was for one player: alone in first place, sharing it, or neither."""

FORMER: Final = 0
"""The `user` of an opponent who stands for everybody who was deleted."""

LATELY: Final = 500
"""How many of the last matches count for the favorite variant: reading each takes time, and tastes
change."""

PRIVATE: Final = -1
"""The `user` of an opponent who stands for everybody that the viewer may not see statistics of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeRecord:
    """Whose matches are counted, and which."""

    user: int
    guild: int | None = None
    """None for all servers."""

    game: str | None = None
    """None for all games."""


class PlayedRecord(NamedTuple):
    """A finished match, from the view of one of its players.

    Not a dataclass, because there may be thousands, and this is created from rows in a fifth of the
    time.
    """

    match: MatchId
    guild: int
    game: str
    end: End
    ended_at: int
    before: int | None
    """The all-time rating before it; None if the match didn't change it."""

    after: int | None
    nth: int | None
    """The player's number of rated matches of this game in this server, including this one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FavoriteRecord:
    """The variant played most in the last LATELY matches."""

    game: str
    options: str
    matches: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentRecord:
    """A person's record against another, whoever else was in the match."""

    user: int
    """Or FORMER or PRIVATE, for several people together."""

    matches: int
    ahead: int
    """Matches in which the other finished behind."""

    level: int
    behind: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MeetingRecord:
    """A match that two people have played."""

    match: MatchId
    guild: int
    game: str
    end: End
    """For the first of the two: whether they finished ahead of the other, level or behind."""

    ended_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingRecord:
    user: int
    game: str
    rating: int
    established: bool


class SoloRecord(NamedTuple):
    """A person's solo matches of a game."""

    game: str
    matches: int
    won: int
    drawn: int


_RATING: Final = Columns(RatingRecord, ratings)

# Text, not Core: tests check the query plans, and an index is used as intended only with exactly
# this wording. Matches with a computer aren't counted.
_PEOPLE: Final = "mine.levels IS NULL"

_PLAYED: Final = """
    SELECT match, guild, game,
           CASE WHEN won = 1 THEN 'won' WHEN drawn = 1 THEN 'drawn' ELSE 'lost' END AS "end",
           ended_at, before, after, nth
    FROM results AS mine WHERE {scope} ORDER BY sequence
"""
_FAVORITE: Final = """
    SELECT matches.game, matches.options, count(*) AS number
    FROM (SELECT match, sequence FROM results AS mine WHERE {scope}
          ORDER BY sequence DESC LIMIT :lately) AS latest
    JOIN matches ON matches.id = latest.match
    GROUP BY matches.game, matches.options
    ORDER BY number DESC, max(latest.sequence) DESC LIMIT 1
"""
# Hidden opponents are looked up after counting, once per opponent instead of once per match.
_OPPONENTS: Final = """
    WITH met AS (
      SELECT other.user AS "user", count(*) AS matches,
             count(*) FILTER (WHERE mine.rank < other.rank) AS ahead,
             count(*) FILTER (WHERE mine.rank = other.rank) AS level,
             max(mine.sequence) AS latest
      FROM results AS mine JOIN results AS other ON other.match = mine.match
      WHERE {scope} AND other.user <> mine.user
      GROUP BY other.user
    ),
    lines AS MATERIALIZED (
      SELECT CASE WHEN met.user <= 0 THEN :former
                  WHEN people.hidden AND :onlooker NOT IN (met.user, :user) THEN :private
                  ELSE met.user END AS opponent,
             CAST(sum(matches) AS BIGINT) AS matches, CAST(sum(ahead) AS BIGINT) AS ahead,
             CAST(sum(level) AS BIGINT) AS level,
             max(latest) AS latest
      FROM met LEFT JOIN people ON people.user = met.user
      GROUP BY opponent
    ),
    page AS (
      SELECT count(*) AS total,
             {least}(:first, {greatest}(count(*) - 1, 0) / :count * :count) AS first
      FROM lines
    )
    SELECT lines.*, page.total, page.first FROM lines, page
    ORDER BY matches DESC, latest DESC, opponent DESC
    LIMIT :count OFFSET (SELECT first FROM page)
"""
_MEETINGS: Final = """
    SELECT mine.match, mine.guild, mine.game, mine.rank < other.rank AS won,
           mine.rank = other.rank AS drawn, mine.ended_at
    FROM results AS mine JOIN results AS other ON other.match = mine.match
    WHERE {scope} AND other.user = :rival ORDER BY mine.sequence
"""
_SERVERS: Final = """
    SELECT mine.guild, count(*) AS number FROM results AS mine WHERE {scope}
    GROUP BY mine.guild ORDER BY number DESC, mine.guild
"""
_NUMBERS: Final = ("user", "guild", "lately", "former", "onlooker", "private", "first", "count")
_BINDS: Final[Mapping[str, Any]] = {**dict.fromkeys((*_NUMBERS, "rival"), BigInteger), "game": Text}
"""The types of these statements' parameters."""

STATEMENTS: Final = (_PLAYED, _FAVORITE, _OPPONENTS, _MEETINGS, _SERVERS)


class ProfileRepository(Repository):
    async def played(self, scope: ScopeRecord) -> Sequence[PlayedRecord]:
        """The matches that a person finished, in the order in which they ended."""
        rows = await self._connection.execute(*self._asked(_PLAYED, scope))
        return list(map(PlayedRecord._make, rows))

    async def favorite(self, scope: ScopeRecord) -> FavoriteRecord | None:
        """The variant played most lately; the later one if two are equal; None without matches."""
        statement, values = self._asked(_FAVORITE, scope)
        rows = await self._connection.execute(statement, {**values, "lately": LATELY})
        row = rows.one_or_none()
        if row is None:
            return None
        return FavoriteRecord(game=row.game, options=row.options, matches=row.number)

    async def opponents(
        self, scope: ScopeRecord, *, onlooker: int, first: int, count: int
    ) -> PageRecord[OpponentRecord]:
        """`count` opponents after the `first` ones, those met most first; the last page if fewer.

        Hidden opponents are named only to themselves and to the person whose opponents they were.
        """
        statement, values = self._asked(_OPPONENTS, scope)
        values |= {"onlooker": onlooker, "first": first, "count": count}
        values |= {"former": FORMER, "private": PRIVATE}
        rows = (await self._connection.execute(statement, values)).all()
        return PageRecord(
            lines=tuple(
                OpponentRecord(
                    user=row.opponent,
                    matches=row.matches,
                    ahead=row.ahead,
                    level=row.level,
                    behind=row.matches - row.ahead - row.level,
                )
                for row in rows
            ),
            first=rows[0].first if rows else 0,
            count=count,
            total=rows[0].total if rows else 0,
        )

    async def solo(self, user: int, game: str | None) -> Sequence[SoloRecord]:
        """A person's record in solo matches by game, the most played first."""
        number = func.count().label("matches")
        won, drawn = func.sum(results.c.won), func.sum(results.c.drawn)
        query = (
            select(results.c.game, number, won.label("won"), drawn.label("drawn"))
            .where(results.c.user == user, results.c.guild.is_(None))
            .group_by(results.c.game)
            .order_by(number.desc(), results.c.game)
        )
        if game is not None:
            query = query.where(results.c.game == game)
        rows = await self._connection.execute(query)
        return [SoloRecord(row.game, row.matches, row.won, row.drawn) for row in rows]

    async def meetings(self, scope: ScopeRecord, rival: int) -> Sequence[MeetingRecord]:
        """The matches that two people have played together, in the order in which they ended."""
        statement, values = self._asked(_MEETINGS, scope)
        rows = await self._connection.execute(statement, {**values, "rival": rival})
        return [
            MeetingRecord(
                match=MatchId(row.match),
                guild=row.guild,
                game=row.game,
                end=end_of(row.won, row.drawn),
                ended_at=row.ended_at,
            )
            for row in rows
        ]

    async def guilds(self, scope: ScopeRecord) -> Mapping[int, int]:
        """How many matches a person has played in each server, the most first."""
        rows = await self._connection.execute(*self._asked(_SERVERS, scope))
        return {row.guild: row.number for row in rows}

    async def ratings(self, guild: int, users: Collection[int]) -> Sequence[RatingRecord]:
        """The all-time ratings of these people in a server."""
        query = select(*_RATING.columns).where(
            ratings.c.user.in_(users), ratings.c.guild == guild, ratings.c.season == ALL_TIME
        )
        return [_RATING.of(row) for row in await self._connection.execute(query)]

    def _asked(self, statement: str, scope: ScopeRecord) -> tuple[TextClause, dict[str, Any]]:
        query, values = scope_query(statement, scope)
        return query.on(self._connection), values


def scope_query(statement: str, scope: ScopeRecord) -> tuple[Statement, dict[str, Any]]:
    """The statement for a scope and its parameters; a test checks its query plan."""
    wanted = {"user": scope.user, "guild": scope.guild, "game": scope.game}
    values = {name: value for name, value in wanted.items() if value is not None}
    return _scoped(statement, tuple(values)), values


@cache
def _scoped(statement: str, names: tuple[str, ...]) -> Statement:
    conditions = [f"mine.{name} = :{name}" for name in names]
    scope = " AND ".join([*conditions, _PEOPLE])
    binds = {name: kind for name, kind in _BINDS.items() if f":{name}" in statement + scope}
    return Statement(statement, binds, more={"scope": scope})


def end_of(won: int, drawn: int) -> End:
    """What a match was for a player, from the columns of their result."""
    return "won" if won else "drawn" if drawn else "lost"
