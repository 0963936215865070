"""Pages of long lists: so many lines, and in a ranking the line of the person who asks."""

from bisect import bisect_left
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, TypeVar

from sqlalchemy import BigInteger, Row

LineT = TypeVar("LineT")
PlacedT_co = TypeVar("PlacedT_co", covariant=True)


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


class Ranked(Protocol[PlacedT_co]):
    """Somebody in a ranking that is all in memory, best first."""

    @property
    def user(self) -> int: ...

    @property
    def merits(self) -> tuple[int, ...]:
        """What decides the place, the more the better."""

    def at(self, place: int) -> PlacedT_co:
        """Their line of a page."""


def page_of_ranking(
    ranking: Sequence[Ranked[LineT]], *, first: int, count: int, me: int, gone: Collection[int] = ()
) -> PageRecord[LineT]:
    """A page of a ranking: the last one where it would begin beyond the end.

    Who is named as gone has no place.
    """
    here = [one for one in ranking if one.user not in gone]
    first = min(first, max(len(here) - 1, 0) // count * count)
    own = next((one for one in here if one.user == me), None)
    return PageRecord(
        lines=tuple(_placed(here, one) for one in here[first : first + count]),
        first=first,
        count=count,
        total=len(here),
        own=None if own is None else _placed(here, own),
    )


def _placed(here: Sequence[Ranked[LineT]], one: Ranked[LineT]) -> LineT:
    """The line of somebody, whose place is one after all who are better."""
    return one.at(1 + bisect_left(here, _downwards(one), key=_downwards))


def _downwards(one: Ranked[object]) -> tuple[int, ...]:
    return tuple(-merit for merit in one.merits)
