"""Leaderboards, page by page: all-time, of a season, or of recent days.

The first two are ordered by rating, with established ratings before provisional ones, which are
based on too few matches. Recent days are ordered by wins, then draws, then fewer losses. Only rated
matches count. People who are hidden, were deleted or are named in `gone` have no place.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import BigInteger, Row, Text

from bot.storage.pages import ASKED_BY_PAGE, PAGE, PageRecord, page_of
from bot.storage.repository import Repository
from bot.storage.statements import Statement


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardRecord:
    """Which leaderboard: of a season, 0 for all time, unless `since` is given."""

    guild: int
    game: str
    season: int = 0
    since: int | None = None
    """If not None, the leaderboard of matches that ended at this Unix time or later, in any
    season."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingRecord:
    """A line of a leaderboard."""

    user: int
    place: int
    """From 1; equal lines share a place."""

    rating: int | None
    """None on a leaderboard of recent days."""

    established: bool
    won: int
    drawn: int
    lost: int


# Text, not Core, in which windows over a common table are unreadable; a test checks the query
# plans. SQLite uses a partial index only if its condition appears literally. `+"user"` keeps it
# from looking people up by id where an index has them in order.
_LISTED: Final = """
    +"user" > 0
    AND "user" NOT IN :gone
    AND NOT EXISTS (
      SELECT 1 FROM people WHERE people.user = lines.user AND people.hidden{is_true}
    )
"""
_OF_BOARD: Final[dict[str, Any]] = {"guild": BigInteger, "game": Text}
_OF_PAGE: Final = {**_OF_BOARD, **ASKED_BY_PAGE}
_FIRST_RATED: Final = Statement(
    f"""
    SELECT "user" FROM ratings AS lines
    WHERE guild = :guild AND game = :game AND season = :season AND {_LISTED}
    ORDER BY established DESC, rating DESC, "user" DESC LIMIT :count
    """,  # noqa: S608 - no input in it
    {"season": BigInteger, "count": BigInteger, **_OF_BOARD},
    lists=("gone",),
)
_FIRST_RECENT: Final = Statement(
    f"""
    SELECT "user" FROM results AS lines
    WHERE guild = :guild AND game = :game AND rated{{is_true}} AND ended_at >= :since AND {_LISTED}
    GROUP BY "user" ORDER BY sum(won) DESC, sum(drawn) DESC, sum(lost) LIMIT :count
    """,  # noqa: S608 - no input in it
    {"since": BigInteger, "count": BigInteger, **_OF_BOARD},
    lists=("gone",),
)
_RATED: Final = Statement(
    f"""
    WITH ranked AS (
      SELECT "user", rating, established, won, drawn, lost,
             rank() OVER (ORDER BY established DESC, rating DESC) AS place,
             row_number() OVER (ORDER BY established DESC, rating DESC, "user" DESC) AS position,
             count(*) OVER () AS total
      FROM ratings AS lines
      WHERE guild = :guild AND game = :game AND season = :season AND {_LISTED}
    )
    {PAGE}
    """,  # noqa: S608 - no input in it
    {"season": BigInteger, **_OF_PAGE},
    lists=("gone",),
)
_RECENT: Final = Statement(
    f"""
    WITH summed AS (
      SELECT "user", CAST(sum(won) AS BIGINT) AS won, CAST(sum(drawn) AS BIGINT) AS drawn,
             CAST(sum(lost) AS BIGINT) AS lost
      FROM results AS lines
      WHERE guild = :guild AND game = :game AND rated{{is_true}} AND ended_at >= :since
        AND {_LISTED}
      GROUP BY "user"
    ),
    ranked AS (
      SELECT "user", NULL AS rating, 1 AS established, won, drawn, lost,
             rank() OVER (ORDER BY won DESC, drawn DESC, lost) AS place,
             row_number() OVER (ORDER BY won DESC, drawn DESC, lost, "user" DESC) AS position,
             count(*) OVER () AS total
      FROM summed
    )
    {PAGE}
    """,  # noqa: S608 - no input in it
    {"since": BigInteger, **_OF_PAGE},
    lists=("gone",),
)


class LeaderboardRepository(Repository):
    async def page(
        self,
        board: BoardRecord,
        *,
        first: int,
        count: int,
        me: int,
        gone: Collection[int] = (),
    ) -> PageRecord[StandingRecord]:
        """The `count` lines after the `first` ones; the last page if there are fewer."""
        statement, own = board_query(board)
        values = {**own, "first": first, "count": count, "me": me, "gone": sorted(gone)}
        rows = (await self._connection.execute(statement.on(self._connection), values)).all()
        return page_of(rows, _line, first=first, count=count, me=me)

    async def first_users(self, board: BoardRecord, count: int) -> Sequence[int]:
        """The first `count` people of a leaderboard, including any who may have left the server."""
        statement = _FIRST_RATED if board.since is None else _FIRST_RECENT
        values = {**board_query(board)[1], "count": count, "gone": []}
        return [
            row.user
            for row in await self._connection.execute(statement.on(self._connection), values)
        ]


def board_query(board: BoardRecord) -> tuple[Statement, dict[str, Any]]:
    """The statement for a leaderboard and its parameters; a test checks its query plan."""
    values = {"guild": board.guild, "game": board.game}
    if board.since is None:
        return _RATED, {**values, "season": board.season}
    return _RECENT, {**values, "since": board.since}


def _line(row: Row[*tuple[Any, ...]]) -> StandingRecord:
    return StandingRecord(
        user=row.user,
        place=row.place,
        rating=row.rating,
        established=bool(row.established),
        won=row.won,
        drawn=row.drawn,
        lost=row.lost,
    )
