"""The leaderboard of results against computers: wins, draws and losses by level.

A match with several computers counts once for each level among them, against the best-placed
computer of that level. Wins against the strongest level decide the place, then draws with it, then
fewer losses to it, then the same of the next level. People who are hidden or were deleted have no
place.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from sqlalchemy import BigInteger, Row, Text

from bot.storage.leaderboards import BoardRecord
from bot.storage.repository import Repository
from bot.storage.statements import Statement
from games.computer import LEVEL_KEYS

LEVELS: Final = tuple(reversed(LEVEL_KEYS))
"""All levels, the strongest first."""


@dataclass(frozen=True, slots=True)
class Tally:
    won: int
    drawn: int
    lost: int


_NEVER_MET: Final = Tally(0, 0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClimberRecord:
    """A person's results against computers."""

    user: int
    against: Mapping[str, Tally]
    """By level, the strongest first; levels never met are missing."""

    @property
    def merits(self) -> tuple[int, ...]:
        """What the ranking compares, most important first; more is better."""
        tallies = [self.against.get(level, _NEVER_MET) for level in LEVELS]
        return tuple(n for tally in tallies for n in (tally.won, tally.drawn, -tally.lost))

    def at(self, place: int) -> "RungRecord":
        """This person's line of the ladder, at this place."""
        return RungRecord(user=self.user, place=place, against=self.against)


@dataclass(frozen=True, slots=True, kw_only=True)
class RungRecord(ClimberRecord):
    """A line of the ladder."""

    place: int
    """From 1; equal lines share a place."""


# Text, not Core: see `leaderboards`. SQLite uses the ladder's partial index only if its condition
# appears literally. What ended before or after a season isn't even read, except for an hour: an act
# takes the time before it waits to write, and the season may have begun or ended in between.
_CLIMBED: Final = Statement(
    """
    WITH met AS (
      SELECT own.user AS "user", own.rank AS rank, other.computer AS level, min(other.rank) AS best
      FROM results AS own
      JOIN results AS other ON other.match = own.match AND other.computer IS NOT NULL
      WHERE own.guild = :guild AND own.game = :game AND own.levels IS NOT NULL
        AND own.ended_at >= {greatest}(
          :since, coalesce((SELECT started_at - 3600 FROM seasons WHERE id = :season), 0)
        )
        AND own.ended_at <= coalesce(
          (SELECT started_at + 3600 FROM seasons
           WHERE guild = :guild AND id > :season AND :season > 0 ORDER BY id LIMIT 1),
          9223372036854775807
        )
        AND (:season = 0 OR own.season = :season)
        AND own.computer IS NULL AND own.user > 0
      GROUP BY own.match, own.seat, own.user, own.rank, other.computer
    ),
    summed AS (
      SELECT "user", level, count(*) FILTER (WHERE rank < best) AS won,
             count(*) FILTER (WHERE rank = best) AS drawn,
             count(*) FILTER (WHERE rank > best) AS lost
      FROM met GROUP BY "user", level
    )
    SELECT * FROM summed
    WHERE NOT EXISTS (
      SELECT 1 FROM people WHERE people.user = summed.user AND people.hidden{is_true}
    )
    ORDER BY "user"
    """,
    {"game": Text, **dict.fromkeys(("guild", "season", "since"), BigInteger)},
)


class ComputerLadderRepository(Repository):
    async def ranking(self, board: BoardRecord) -> Sequence[ClimberRecord]:
        """Everybody on the ladder, the best first.

        It's read once for all pages, because most of the time goes into reading the matches.
        """
        values = {
            "guild": board.guild,
            "game": board.game,
            "season": board.season,
            "since": board.since or 0,
        }
        statement = _CLIMBED.on(self._connection)
        rows = (await self._connection.execute(statement, values)).all()
        return await asyncio.to_thread(_ranking, rows)


def _ranking(rows: Sequence[Row[*tuple[Any, ...]]]) -> Sequence[ClimberRecord]:
    """The ranking from rows of one user and level each, sorted by user."""
    climbers = []
    for user, own in groupby(rows, key=lambda row: row.user):
        met = {row.level: Tally(row.won, row.drawn, row.lost) for row in own}
        against = {level: met[level] for level in LEVELS if level in met}
        climbers.append(ClimberRecord(user=user, against=against))
    return sorted(climbers, key=lambda climber: (*climber.merits, climber.user), reverse=True)
