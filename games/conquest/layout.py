"""The board as data: its squares, neighbors and marks, read once from `layout.toml` (R10, R11).

The file can be replaced. No other module of this package names a square.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final, NewType

from games.conquest.battalions import Battalion, in_play, partner

Square = NewType("Square", str)
"""The name of a square, row before column: E5."""

OBJECTIVES_PER_BATTALION: Final = 4
"""The number of objectives of each battalion, by the rulebook."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    rows: str
    columns: int
    headquarters: tuple[Square, ...]
    """The headquarters of each battalion, in N-E-S-W order."""

    objectives: tuple[tuple[Square, ...], ...]
    """The objectives of each battalion, in N-E-S-W order."""

    def squares(self) -> tuple[Square, ...]:
        """All squares in reading order."""
        return tuple(
            Square(f"{row}{column}") for row in self.rows for column in range(1, self.columns + 1)
        )

    def marks(self, battalion: Battalion) -> tuple[Square, ...]:
        """The squares marked for a battalion: its headquarters and its objectives."""
        return (self.headquarters[battalion], *self.objectives[battalion])

    def neighbors(self, square: Square) -> tuple[Square, ...]:
        """The up to eight squares around a square, in reading order (R11)."""
        row, column = self.rows.index(square[0]), int(square[1:])
        return tuple(
            Square(f"{self.rows[i]}{j}")
            for i in range(max(row - 1, 0), min(row + 2, len(self.rows)))
            for j in range(max(column - 1, 1), min(column + 2, self.columns + 1))
            if (i, j) != (row, column)
        )


def read_layout(text: str) -> Layout:
    """Parse a layout in TOML; ValueError, with a sentence, if it isn't valid."""
    data: dict[str, object] = tomllib.loads(text)
    names = [battalion.name.lower() for battalion in Battalion]
    _expect_keys(data, {"rows", "columns", *names}, "a layout")
    tables = [_table(data[name], name) for name in names]
    layout = Layout(
        rows=_rows(data["rows"]),
        columns=_columns(data["columns"]),
        headquarters=tuple(Square(str(table["headquarters"])) for table in tables),
        objectives=tuple(_objectives(table["objectives"]) for table in tables),
    )
    _check_marks(layout)
    return layout


def _expect_keys(table: Mapping[str, object], names: set[str], whose: str) -> None:
    if set(table) != names:
        raise ValueError(
            f"The keys of {whose} are {', '.join(sorted(names))}, no more and no less."
        )


def _table(value: object, name: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise ValueError(f"[{name}] must be a table with headquarters and objectives.")  # noqa: TRY004 - an invalid file always raises ValueError
    _expect_keys(value, {"headquarters", "objectives"}, f"[{name}]")
    return value


def _rows(value: object) -> str:
    text = str(value)
    letters = text.isascii() and text.isalpha() and text.isupper()
    if not letters or len(set(text)) != len(text):
        raise ValueError(f"rows must be different capital letters from the top, not {value!r}.")
    return text


def _columns(value: object) -> int:
    if type(value) is not int or not 1 <= value <= 99:
        raise ValueError(f"columns must be a whole number from 1 to 99, not {value!r}.")
    return value


def _objectives(value: object) -> tuple[Square, ...]:
    if not isinstance(value, list) or len(value) != OBJECTIVES_PER_BATTALION:
        raise ValueError(f"A battalion has {OBJECTIVES_PER_BATTALION} objectives, not {value!r}.")
    return tuple(Square(str(square)) for square in value)


def _check_marks(layout: Layout) -> None:
    squares, seen = frozenset(layout.squares()), set[Square]()
    for battalion in Battalion:
        for square in layout.marks(battalion):
            if square not in squares:
                raise ValueError(f"{battalion.name} marks {square}, which is no square.")
            if square in seen:
                raise ValueError(f"{square} is marked twice; each mark needs its own square.")
            seen.add(square)


LAYOUT: Final = read_layout(files(__package__).joinpath("layout.toml").read_text("utf-8"))

POSITIONS: Final[Mapping[Square, int]] = MappingProxyType(
    {square: i for i, square in enumerate(LAYOUT.squares())}
)
"""The index of each square in reading order."""

NEIGHBORS: Final[Mapping[Square, tuple[Square, ...]]] = MappingProxyType(
    {square: LAYOUT.neighbors(square) for square in POSITIONS}
)


@cache
def closed_to(seats: int, battalion: Battalion) -> Mapping[Square, Battalion]:
    """The squares that a battalion may not enter, each with its battalion (R13, R21).

    Marks of a seat that conceded still count; those of the partner, or of a battalion that isn't in
    play, don't.
    """
    friends = (battalion, partner(seats, battalion))
    return MappingProxyType(
        {
            square: other
            for other in in_play(seats)
            if other not in friends
            for square in LAYOUT.marks(other)
        }
    )


@cache
def open_neighbors(seats: int, battalion: Battalion) -> Mapping[Square, tuple[Square, ...]]:
    """The neighbors of each square that a battalion may enter, by the marks alone."""
    closed = closed_to(seats, battalion)
    return MappingProxyType(
        {
            square: tuple(target for target in neighbors if target not in closed)
            for square, neighbors in NEIGHBORS.items()
        }
    )
