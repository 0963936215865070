"""Pages of long lists: so many lines, and in a ranking the line of the person who asks."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from sqlalchemy import BigInteger, Row

LineT = TypeVar("LineT")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRecord(Generic[LineT]):
    lines: tuple[LineT, ...]
    first: int
    """How many lines come before."""

    count: int
    """How many lines a full page has."""

    total: int
    own: LineT | None = None
    """In a ranking the line of the person who asks, wherever it is."""

    @property
    def number(self) -> int:
        """Which page it is, from 0."""
        return self.first // self.count

    @property
    def last(self) -> int:
        """The number of the last page."""
        return max(self.total - 1, 0) // self.count


PAGE: Final = """
    SELECT * FROM ranked
    WHERE (position > {least}(:first, (total - 1) / :count * :count)
           AND position <= {least}(:first, (total - 1) / :count * :count) + :count)
       OR "user" = :me
    ORDER BY position
"""
"""The end of a statement whose rows are a page of a ranking, which it calls `ranked`."""

ASKED_BY_PAGE: Final = dict.fromkeys(("first", "count", "me"), BigInteger)
"""The types of what `PAGE` asks for."""


def page_of(
    rows: Sequence[Row[*tuple[Any, ...]]],
    line: Callable[[Row[*tuple[Any, ...]]], LineT],
    *,
    first: int,
    count: int,
    me: int,
) -> PageRecord[LineT]:
    """A page of a ranking: the last one where it would begin beyond the end.

    In the rows, `position` numbers the lines from 1; `total` is the same in all.
    """
    total = rows[0].total if rows else 0
    first = min(first, max(total - 1, 0) // count * count)
    return PageRecord(
        lines=tuple(line(row) for row in rows if first < row.position <= first + count),
        first=first,
        count=count,
        total=total,
        own=next((line(row) for row in rows if row.user == me), None),
    )
