"""The ladder of those who have played against computers: wins, draws and losses by level.

A match with several computers counts once against each level that played in it: against the best of
that level. Wins against the strongest level decide the place, then draws with it, then fewer losses
to it, then the same of the next level. Who is hidden, forgotten or named as gone has no place.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import BigInteger, Row, Text

from bot.storage.leaderboards import BoardRecord
from bot.storage.pages import ASKED_BY_PAGE, PAGE, PageRecord, page_of
from bot.storage.repository import Repository
from bot.storage.statements import Statement

LEVELS: Final = ("perfect", "strong", "steady", "easy", "beginner")
"""The strongest first."""


@dataclass(frozen=True, slots=True)
class Tally:
    won: int
    drawn: int
    lost: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RungRecord:
    """A line of the ladder."""

    user: int
    place: int
    """From 1; equal lines share a place."""

    against: Mapping[str, Tally]
    """By level, the strongest first; levels never met are left out."""


def _sums() -> str:
    return ", ".join(
        f"count(*) FILTER (WHERE level = '{level}' AND {test}) AS {level}_{name}"
        for level in LEVELS
        for name, test in (
            ("won", "rank < best"),
            ("drawn", "rank = best"),
            ("lost", "rank > best"),
        )
    )


_ORDER: Final = ", ".join(f"{level}_won DESC, {level}_drawn DESC, {level}_lost" for level in LEVELS)
# Text, not Core: see `standings`. The index of the ladder counts only where its own condition
# stands in the words.
_MET: Final = """
    SELECT own.user AS "user", own.rank AS rank, other.computer AS level, min(other.rank) AS best
    FROM results AS own
    JOIN results AS other ON other.match = own.match AND other.computer IS NOT NULL
    WHERE own.guild = :guild AND own.game = :game AND own.levels IS NOT NULL
      AND own.ended_at >= :since AND (:season = 0 OR own.season = :season)
      AND own.computer IS NULL AND own.user > 0
      AND own.user NOT IN :gone
      AND NOT EXISTS (SELECT 1 FROM people WHERE people.user = own.user AND people.hidden{is_true})
    GROUP BY own.match, own.seat, own.user, own.rank, other.computer
"""
_OF_BOARD: Final[Mapping[str, Any]] = {
    "game": Text,
    **dict.fromkeys(("guild", "season", "since", "count"), BigInteger),
}
_FIRST: Final = Statement(
    f"""
    WITH met AS ({_MET}),
    summed AS (SELECT "user", {_sums()} FROM met GROUP BY "user")
    SELECT "user" FROM summed ORDER BY {_ORDER}, "user" DESC LIMIT :count
    """,  # noqa: S608 - our own words
    _OF_BOARD,
    lists=("gone",),
)
_LADDER: Final = Statement(
    f"""
    WITH met AS ({_MET}),
    summed AS (SELECT "user", {_sums()} FROM met GROUP BY "user"),
    ranked AS (
      SELECT *, rank() OVER (ORDER BY {_ORDER}) AS place,
             row_number() OVER (ORDER BY {_ORDER}, "user" DESC) AS position,
             count(*) OVER () AS total
      FROM summed
    )
    {PAGE}
    """,  # noqa: S608 - our own words
    {**_OF_BOARD, **ASKED_BY_PAGE},
    lists=("gone",),
)


class ComputerLadderRepository(Repository):
    async def page(
        self,
        board: BoardRecord,
        *,
        first: int,
        count: int,
        me: int,
        gone: Collection[int] = (),
    ) -> PageRecord[RungRecord]:
        """So many lines after the first ones; the last page where it would begin beyond the end."""
        values = {**_asked(board, count, gone), "first": first, "me": me}
        rows = (await self._connection.execute(_LADDER.on(self._connection), values)).all()
        return page_of(rows, _line, first=first, count=count, me=me)

    async def first_users(self, board: BoardRecord, count: int) -> Sequence[int]:
        """So many people from the top of the ladder on, also those who may be gone."""
        found = _FIRST.on(self._connection)
        return [row.user for row in await self._connection.execute(found, _asked(board, count, ()))]


def _asked(board: BoardRecord, count: int, gone: Collection[int]) -> dict[str, Any]:
    """What both statements ask for."""
    return {
        "guild": board.guild,
        "game": board.game,
        "season": board.season,
        "since": board.since or 0,
        "count": count,
        "gone": sorted(gone),
    }


def _line(row: Row[*tuple[Any, ...]]) -> RungRecord:
    found = {level: _tally(row, level) for level in LEVELS}
    against = {level: tally for level, tally in found.items() if tally != Tally(0, 0, 0)}
    return RungRecord(user=row.user, place=row.place, against=against)


def _tally(row: Row[*tuple[Any, ...]], level: str) -> Tally:
    return Tally(*(row._mapping[f"{level}_{name}"] for name in ("won", "drawn", "lost")))  # noqa: SLF001 - public, says SQLAlchemy
