"""The matches that a person has played to their end, newest first, page by page.

A page is requested by its neighbor, not by its number, so that page 400 takes no longer than the
first, and no match is shown twice because another has ended meanwhile.
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
class PageCursor:
    """Where a page begins: next to a match that isn't on it."""

    sequence: int
    """The `sequence` of that match."""

    newer: bool
    """Whether the page has newer matches than that one, or older ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedMatchRecord:
    match: MatchRecord
    sequence: int
    rank: int
    """The rank of the person whose history it is, like `end`."""

    end: End
    ended_at: int
    """When its result counted (Unix time), by which matches are ordered: for a held result, that's
    later than the end."""

    table: Spot | None
    """Where its table is; None if unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryRecord:
    """A page of a person's matches."""

    lines: tuple[EndedMatchRecord, ...]
    first: int
    """The number of newer matches."""

    total: int


class MatchHistoryRepository(Repository):
    async def page(
        self,
        user: int,
        guild: int | None,
        game: str | None,
        cursor: PageCursor | None,
        count: int,
    ) -> HistoryRecord:
        """Up to `count` matches next to the cursor, the newest first; None: all servers or games.

        Without a cursor, the newest page. If there is nothing beyond it, the last page on that
        side.
        """
        own = lines_of(user, guild, game)
        rows = await self._rows(own, cursor, count)
        if not rows:
            return HistoryRecord(lines=(), first=0, total=0)
        counted = own.subquery()
        newer = func.count().filter(counted.c.sequence > rows[0].sequence)
        total, first = (
            await self._connection.execute(select(func.count(), newer).select_from(counted))
        ).one()
        by_match = {MatchId(row.match): row for row in rows}
        loaded = await load_all(self._connection, by_match)
        tables = await load_tables(self._connection, by_match)
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
                for match, row in by_match.items()
            ),
            first=first,
            total=total,
        )

    async def _rows(
        self, own: Line, cursor: PageCursor | None, count: int
    ) -> list[Row[tuple[Any, ...]]]:
        """The rows of a page, the newest first."""
        rows = (await self._connection.execute(beyond(own, cursor, count))).all()
        if not rows and cursor is not None:
            opposite = PageCursor(sequence=0, newer=True) if not cursor.newer else None
            rows = (await self._connection.execute(beyond(own, opposite, count))).all()
        return sorted(rows, key=lambda row: row.sequence, reverse=True)


def lines_of(user: int, guild: int | None, game: str | None) -> Line:
    """A query for a person's matches, of one game or all, from the columns of an index."""
    wanted = ("match", "sequence", "rank", "won", "drawn", "ended_at")
    query: Line = select(*(results.c[name] for name in wanted))
    query = query.where(results.c.user == user)
    query = query if guild is None else query.where(results.c.guild == guild)
    return query if game is None else query.where(results.c.game == game)


def beyond(own: Line, cursor: PageCursor | None, count: int) -> Line:
    """A query for up to `count` of them next to the cursor; a test checks its query plan."""
    order = results.c.sequence
    if cursor is None:
        return own.order_by(order.desc()).limit(count)
    if cursor.newer:
        return own.where(order > cursor.sequence).order_by(order).limit(count)
    return own.where(order < cursor.sequence).order_by(order.desc()).limit(count)
