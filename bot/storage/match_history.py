"""The matches somebody has played to their end, the newest first, a page at a time.

A page is asked for by where it borders on another, not by its number: so page 400 takes no longer
than the first, and no match is shown twice because another one has ended meanwhile.
"""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, Select, func, select

from bot.storage.match_rows import load_all
from bot.storage.messages import load_tables
from bot.storage.profiles import End, end_of
from bot.storage.records import MatchId, MatchRecord, Spot
from bot.storage.repository import Repository
from bot.storage.schema import results

Line = Select[tuple[Any, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class BorderRecord:
    """Where a page begins: next to a match that is on the other side of the border."""

    sequence: int
    """Of that match, in the order in which matches ended."""

    newer: bool
    """Whether the page has the newer ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedMatchRecord:
    match: MatchRecord
    sequence: int
    rank: int
    """Of the person whose history it is, and what it was for them."""

    end: End
    ended_at: int
    """When its result counted, by which they are in order: of what time ended, a week later."""

    table: Spot | None
    """Where it stands, if that is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryRecord:
    """A page of somebody's matches."""

    lines: tuple[EndedMatchRecord, ...]
    first: int
    """How many newer ones there are."""

    total: int


class MatchHistoryRepository(Repository):
    async def page(
        self,
        user: int,
        guild: int | None,
        game: str | None,
        border: BorderRecord | None,
        count: int,
    ) -> HistoryRecord:
        """So many matches beyond the border, the newest first; of all servers or games for None.

        Where there is nothing beyond it, the last page on that side; without a border the newest.
        """
        own = lines_of(user, guild, game)
        rows = await self._rows(own, border, count)
        if not rows:
            return HistoryRecord(lines=(), first=0, total=0)
        counted = own.subquery()
        newer = func.count().filter(counted.c.sequence > rows[0].sequence)
        total, first = (
            await self._connection.execute(select(func.count(), newer).select_from(counted))
        ).one()
        found = {MatchId(row.match): row for row in rows}
        loaded = await load_all(self._connection, found)
        tables = await load_tables(self._connection, found)
        return HistoryRecord(
            lines=tuple(
                EndedMatchRecord(
                    match=loaded[match],
                    sequence=row.sequence,
                    rank=row.rank,
                    end=end_of(row.won, row.drawn),
                    ended_at=row.ended_at,
                    table=tables.get(match),
                )
                for match, row in found.items()
            ),
            first=first,
            total=total,
        )

    async def _rows(
        self, own: Line, border: BorderRecord | None, count: int
    ) -> list[Row[tuple[Any, ...]]]:
        """The lines of a page, the newest first."""
        rows = (await self._connection.execute(beyond(own, border, count))).all()
        if not rows and border is not None:
            turned = BorderRecord(sequence=0, newer=True) if not border.newer else None
            rows = (await self._connection.execute(beyond(own, turned, count))).all()
        return sorted(rows, key=lambda row: row.sequence, reverse=True)


def lines_of(user: int, guild: int | None, game: str | None) -> Line:
    """What an index knows of all matches of a person, or of those of one game."""
    wanted = ("match", "sequence", "rank", "won", "drawn", "ended_at")
    query: Line = select(*(results.c[name] for name in wanted))
    query = query.where(results.c.user == user)
    query = query if guild is None else query.where(results.c.guild == guild)
    return query if game is None else query.where(results.c.game == game)


def beyond(own: Line, border: BorderRecord | None, count: int) -> Line:
    """So many of them next to the border; a test looks at the plan."""
    order = results.c.sequence
    if border is None:
        return own.order_by(order.desc()).limit(count)
    if border.newer:
        return own.where(order > border.sequence).order_by(order).limit(count)
    return own.where(order < border.sequence).order_by(order.desc()).limit(count)
