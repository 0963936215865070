"""Draws the board: squares with their names and marks, troops, and signs of what happened.

Sizes are in pixels.
"""

from dataclasses import dataclass
from typing import Final

from bot.drawing.box import Box
from bot.drawing.canvas import Canvas
from bot.drawing.palette import EDGE, GOLD, INK, ink_on, mix
from cogs.conquest.battalions import MARKS, is_objective
from cogs.conquest.orientation import place_of
from games.conquest import LAYOUT, Battalion, Square, Stack

LIGHT: Final = "#3a4558"
DARK: Final = "#323c4e"
_GAP: Final = 2
_BAND: Final = 46
"""The width of the strips with the names of rows and columns."""


@dataclass(frozen=True, slots=True)
class Field:
    """Where the squares of the board are in a picture."""

    squares: Box
    """The box of the whole board, even if only a part of it is in the picture."""

    side: int
    """The side of a square, including the gap to the next one."""

    turns: int = 0
    """The number of quarter turns clockwise by which the board is turned."""

    def square(self, square: Square) -> Box:
        row, column = place_of(square, self.turns)
        left = self.squares.left + column * self.side
        return Box(left, self.squares.top + row * self.side, self.side - _GAP, self.side - _GAP)


def draw_ground(canvas: Canvas, box: Box, turns: int = 0) -> Field:
    """The empty board in a square box, with row and column names at the left and top."""
    rows = len(LAYOUT.rows)
    side = (box.height - _BAND) // rows
    squares = Box(box.right - side * rows, box.bottom - side * rows, side * rows, side * rows)
    field = Field(squares, side, turns)
    _draw_names(canvas, box, field)
    for i, square in enumerate(LAYOUT.squares()):
        shade = LIGHT if (i + i // LAYOUT.columns) % 2 else DARK
        canvas.box(field.square(square), shade, radius=5)
    return field


def _draw_names(canvas: Canvas, box: Box, field: Field) -> None:
    """The names of rows and columns; an odd number of turns puts the columns at the left."""
    band, side = field.squares.left - box.left, field.side
    rows = [(f"{letter}1", letter) for letter in LAYOUT.rows]
    columns = [(f"A{number + 1}", str(number + 1)) for number in range(LAYOUT.columns)]
    down, right = (columns, rows) if field.turns % 2 else (rows, columns)
    for square, name in down:
        place = field.square(Square(square))
        canvas.text(Box(box.left, place.top, band, side - _GAP), name, size=_BAND, bold=False)
    for square, name in right:
        place = field.square(Square(square))
        edge = Box(place.left, box.top, side - _GAP, field.squares.top - box.top)
        canvas.text(edge, name, size=_BAND, bold=False)


def draw_part(canvas: Canvas, box: Box, rows: str, columns: tuple[int, ...]) -> Field:
    """Some rows and columns of the board, enlarged, with their names and marks."""
    side = min(box.width * 2 // (2 * len(columns) + 1), box.height * 2 // (2 * len(rows) + 1))
    band = side // 2
    place = box.centered(side * len(columns) + band, side * len(rows) + band)
    left, top = place.left + band, place.top + band
    first_row, first_column = LAYOUT.rows.index(rows[0]), columns[0] - 1
    whole = side * len(LAYOUT.rows)
    field = Field(Box(left - first_column * side, top - first_row * side, whole, whole), side)
    for i, row in enumerate(rows):
        canvas.text(Box(place.left, top + i * side, band, side), row, size=band * 2 // 3)
    for i, column in enumerate(columns):
        edge = Box(left + i * side, place.top, side, band)
        canvas.text(edge, str(column), size=band * 2 // 3)
    for i, row in enumerate(rows):
        for j, column in enumerate(columns):
            square = Square(f"{row}{column}")
            canvas.box(field.square(square), LIGHT if (i + j) % 2 else DARK, radius=5)
            owner = marked_for(square)
            if owner is not None:
                _draw_mark(canvas, field, owner, square)
    return field


def draw_marks(canvas: Canvas, field: Field, battalion: Battalion) -> None:
    """The headquarters and objectives of a battalion, drawn before any troops on them."""
    for square in LAYOUT.marks(battalion):
        _draw_mark(canvas, field, battalion, square)


def _draw_mark(canvas: Canvas, field: Field, battalion: Battalion, square: Square) -> None:
    mark, box = MARKS[battalion], field.square(square)
    ground = mix(DARK, mark.color, 0.36)
    canvas.box(box, ground, radius=5, edge=mark.color, width=max(3, field.side // 17))
    is_home = square == LAYOUT.headquarters[battalion]
    size = field.side * (44 if is_home else 27) // 50
    place = box.centered(size, size)
    if is_home:
        draw_shape(canvas, place, battalion, _home_color(battalion))
        return
    draw_shape(canvas, place, battalion, mark.color)
    draw_shape(canvas, place.inset(max(3, field.side // 14)), battalion, ground)


def draw_home(canvas: Canvas, field: Field, battalion: Battalion) -> None:
    """The label on the headquarters of a battalion, for when no troops are on it."""
    box = field.square(LAYOUT.headquarters[battalion])
    size, fill = field.side * 15 // 50, ink_on(_home_color(battalion))
    canvas.text(box, "HQ", size=size, fill=fill, bold=size > canvas.least_size)


def _home_color(battalion: Battalion) -> str:
    return mix(DARK, MARKS[battalion].color, 0.7)


def draw_shape(canvas: Canvas, box: Box, battalion: Battalion, fill: str) -> None:
    """The shape of a battalion in a square box."""
    mark = MARKS[battalion]
    if mark.outline is None:
        canvas.disc(box, fill)
    else:
        canvas.outline(box, mark.outline, fill)


def draw_stack(canvas: Canvas, field: Field, battalion: Battalion, stack: Stack) -> None:
    """Troops on their square: framed on their own objective, smaller on a mark of another's."""
    box, objective = field.square(stack.square), is_objective(battalion, stack.square)
    if objective:
        width = max(4, field.side // 11)
        canvas.box(box, GOLD, radius=5)
        canvas.box(box.inset(width), mix(DARK, MARKS[battalion].color, 0.36), radius=3)
    size = field.side * 44 // 50
    if marked_for(stack.square) not in {None, battalion}:
        size = field.side * 41 // 50
    draw_token(canvas, box.centered(size, size), battalion, str(stack.troops))


def draw_token(canvas: Canvas, box: Box, battalion: Battalion, text: str) -> None:
    """A battalion's shape with a number, or another short text, on it."""
    mark = MARKS[battalion]
    draw_shape(canvas, box.inset(-max(2, box.width // 22)), battalion, EDGE)
    draw_shape(canvas, box, battalion, mark.color)
    low = box.height // 24 if mark.shape == "star" else 0
    share = {"circle": 64, "square": 68, "diamond": 62, "star": 58}[mark.shape]
    size, fill = box.height * share // 100, ink_on(mark.color)
    wide = len(text) > 1
    halo = mark.color if wide else None
    canvas.text(box.moved(0, low), text, size=size, fill=fill, bold=not wide, halo=halo)


def marked_for(square: Square) -> Battalion | None:
    """The battalion a square is marked for; None for an ordinary square."""
    for battalion in Battalion:
        if square in LAYOUT.marks(battalion):
            return battalion
    return None


def draw_hint(canvas: Canvas, box: Box, *, taken: bool = False) -> None:
    """A dot on a square that the selected troops can enter, in a corner if troops are on it."""
    size = box.width // 3
    place = Box(box.left, box.top, size, size) if taken else box.centered(size, size)
    canvas.disc(place, GOLD, edge=EDGE, width=3)


def draw_frame(canvas: Canvas, box: Box) -> None:
    """A frame around a square that is part of a draft."""
    width = max(4, box.width // 13)
    for bar in (
        box.cut_top(width)[0],
        box.cut_bottom(width)[0],
        box.cut_left(width)[0],
        box.cut_right(width)[0],
    ):
        canvas.box(bar, GOLD)


def draw_plus(canvas: Canvas, field: Field, square: Square) -> None:
    """A plus in the corner of a square: a troop was added."""
    box = field.square(square)
    size = field.side * 38 // 100
    place = Box(box.right - size, box.top, size, size)
    canvas.disc(place, GOLD, edge=EDGE, width=3)
    bar, thick = size * 54 // 100, max(3, size // 6)
    canvas.box(place.centered(bar, thick), INK)
    canvas.box(place.centered(thick, bar), INK)
