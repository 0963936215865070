"""Pages of long lists; in a ranking, also the line of the person who asks."""

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
    """How many lines come before this page."""

    count: int
    """The number of lines of a full page."""

    total: int
    own: LineT | None = None
    """In a ranking, the line of the person who asks, whichever page it's on."""

    @property
    def number(self) -> int:
        """The number of this page, from 0."""
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
"""The end of a statement for one page of a ranking; `ranked` is the common table with all lines."""

ASKED_BY_PAGE: Final = dict.fromkeys(("first", "count", "me"), BigInteger)
"""The types of the parameters of `PAGE`."""


def page_of(
    rows: Sequence[Row[*tuple[Any, ...]]],
    line: Callable[[Row[*tuple[Any, ...]]], LineT],
    *,
    first: int,
    count: int,
    me: int,
) -> PageRecord[LineT]:
    """A page of a ranking; the last one if `first` is beyond the end.

    In each row, `position` is the number of its line from 1, and `total` the number of lines.
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
    """A person in a ranking that is in memory as a whole, the best first."""

    @property
    def user(self) -> int: ...

    @property
    def merits(self) -> tuple[int, ...]:
        """What the ranking compares, most important first; more is better."""

    def at(self, place: int) -> PlacedT_co:
        """The person's line, at this place."""


def page_of_ranking(
    ranking: Sequence[Ranked[LineT]], *, first: int, count: int, me: int, gone: Collection[int] = ()
) -> PageRecord[LineT]:
    """A page of a ranking in memory; the last one if `first` is beyond the end.

    People named in `gone` have no place.
    """
    here = [one for one in ranking if one.user not in gone]
    first = min(first, max(len(here) - 1, 0) // count * count)
    own = next((one for one in here if one.user == me), None)
    return PageRecord(
        lines=tuple(_line_of(here, one) for one in here[first : first + count]),
        first=first,
        count=count,
        total=len(here),
        own=None if own is None else _line_of(here, own),
    )


def _line_of(here: Sequence[Ranked[LineT]], one: Ranked[LineT]) -> LineT:
    """A person's line; their place is one more than the number of people who are better."""
    return one.at(1 + bisect_left(here, _ascending_key(one), key=_ascending_key))


def _ascending_key(one: Ranked[object]) -> tuple[int, ...]:
    return tuple(-merit for merit in one.merits)
