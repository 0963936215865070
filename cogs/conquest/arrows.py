"""Draws orders as arrows from square to square: executed, failed, waiting or planned."""

from dataclasses import dataclass
from math import hypot
from typing import Final

from bot.drawing.box import Box
from bot.drawing.canvas import Canvas
from bot.drawing.outlines import CROSS, Outline
from bot.drawing.palette import EDGE, GOLD, INK, RED_ON_DARK, TEXT, mix
from cogs.conquest.battalions import MARKS, battalions, standing_on
from cogs.conquest.board import DARK, Field
from games.conquest import Battalion, Movement, Order, Square, View

_RIMS: Final = (6, 3, 0)
"""How far an arrow's dark outline, light outline and fill reach beyond it, in pixels.

The outlines make it stand out on troops of its own color.
"""

_BURST: Final[Outline] = tuple(
    (0.5 + r * x, 0.5 + r * y)
    for r, (x, y) in zip(
        (0.5, 0.36) * 8,
        (
            (0.0, -1.0), (0.38, -0.92), (0.71, -0.71), (0.92, -0.38),
            (1.0, 0.0), (0.92, 0.38), (0.71, 0.71), (0.38, 0.92),
            (0.0, 1.0), (-0.38, 0.92), (-0.71, 0.71), (-0.92, 0.38),
            (-1.0, 0.0), (-0.92, -0.38), (-0.71, -0.71), (-0.38, -0.92),
        ),
        strict=True,
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Path:
    """The path from the center of a square, at (x, y), to the center of the next one, in pixels.

    A share of it is from 0 at the source to 1 at the target.
    """

    x: float
    y: float
    dx: float
    dy: float

    def at(self, share: float) -> tuple[float, float]:
        return self.x + self.dx * share, self.y + self.dy * share

    def around(self, share: float, size: int) -> Box:
        x, y = self.at(share)
        return Box(round(x) - size // 2, round(y) - size // 2, size, size)


def draw_burst(canvas: Canvas, field: Field, order: Order) -> None:
    """The burst of a battle on an order's target; drawn before the troops that are there now."""
    box = field.square(order.target)
    size = field.side * 98 // 100
    canvas.outline(box.centered(size, size), _BURST, RED_ON_DARK)
    canvas.outline(box.centered(size * 3 // 4, size * 3 // 4), _BURST, GOLD)


def draw_movement(canvas: Canvas, field: Field, view: View, movement: Movement) -> None:
    """The arrow of a revealed order, by its result; nothing for a pass."""
    battalion, order = movement.battalion, movement.order
    if order is None:
        return
    empty = standing_on(view, order.source) is None
    wide = _has_two_digits(view, order.target)
    if movement.lapse is not None:
        draw_lapse(canvas, field, battalion, order, empty=empty, wide=wide)
    elif movement.result in {"march", "battle"}:
        draw_march(canvas, field, battalion, order, empty=empty, wide=wide)
    else:
        draw_stop(canvas, field, battalion, order)


def draw_march(
    canvas: Canvas,
    field: Field,
    battalion: Battalion,
    order: Order,
    *,
    empty: bool = True,
    wide: bool = False,
) -> None:
    path = _path(field, order)
    ends = _ends(path, empty=empty, wide=wide)
    _draw_arrow(canvas, field, path, ends, MARKS[battalion].color)


def draw_lapse(
    canvas: Canvas,
    field: Field,
    battalion: Battalion,
    order: Order,
    *,
    empty: bool = False,
    wide: bool = False,
) -> None:
    """An order that lapsed: a cross on a paler arrow."""
    path = _path(field, order)
    ends = _ends(path, empty=empty, wide=wide)
    _draw_arrow(canvas, field, path, ends, mix(MARKS[battalion].color, DARK, 0.55))
    _draw_cross(canvas, path.around(0.5, field.side * 40 // 100))


def draw_stop(canvas: Canvas, field: Field, battalion: Battalion, order: Order) -> None:
    """An order that met equals without a battle: an arrow that stops at a bar."""
    path, color = _path(field, order), MARKS[battalion].color
    _draw_arrow(canvas, field, path, (0.27, 0.58), color)
    _draw_bar(canvas, field, path, 0.62, color)


def draw_contest(canvas: Canvas, field: Field, battalion: Battalion, order: Order) -> None:
    """An order that waits for its Commander's Choice: an arrow with a question mark."""
    path = _path(field, order)
    _draw_arrow(canvas, field, path, (0.34, 0.80), MARKS[battalion].color)
    _draw_number(canvas, path.around(0.5, field.side * 50 // 100), "?")


def draw_plan(canvas: Canvas, field: Field, battalion: Battalion, order: Order) -> None:
    """An order that only its player may see, with the number of troops if there's room for it."""
    path, size = _path(field, order), field.side * 50 // 100
    _draw_arrow(canvas, field, path, (0.34, 0.92), MARKS[battalion].color, rim=GOLD)
    if size > canvas.least_size:
        _draw_number(canvas, path.around(0.55, size), str(order.troops))


def _path(field: Field, order: Order) -> _Path:
    start, end = field.square(order.source), field.square(order.target)
    x, y = start.left + start.width / 2, start.top + start.height / 2
    return _Path(x, y, end.left - start.left, end.top - start.top)


def _has_two_digits(view: View, square: Square) -> bool:
    stacks = (stack for battalion in battalions(view) for stack in view.board[battalion])
    return any(stack.square == square and stack.troops >= 10 for stack in stacks)


def _ends(path: _Path, *, empty: bool, wide: bool) -> tuple[float, float]:
    """The shares of a path between which an arrow covers no numbers of troops.

    `empty` means no troops at the source, `wide` a two-digit number at the target.
    """
    beside = wide and path.dy == 0
    return 0.06 if empty else 0.27, 0.54 if beside else 0.72


def _draw_arrow(
    canvas: Canvas,
    field: Field,
    path: _Path,
    ends: tuple[float, float],
    fill: str,
    *,
    rim: str = TEXT,
) -> None:
    for width, color in zip(_RIMS, (EDGE, rim, fill), strict=True):
        _draw_polygon(canvas, _corners(path, ends, field.side, width), color)


def _corners(
    path: _Path, ends: tuple[float, float], side: int, rim: int
) -> tuple[tuple[float, float], ...]:
    """The corners of an arrow between two shares of a path, wider by `rim` pixels on each side."""
    length = hypot(path.dx, path.dy)
    ux, uy = path.dx / length, path.dy / length
    tail = ends[0] * length - rim
    tip = ends[1] * length + rim * 1.6
    shaft, head = side * 0.09 + rim, side * 0.22 + rim * 1.6
    neck = tip - min(side * 0.30, (ends[1] - ends[0]) * length * 0.62) - rim
    along = ((tail, shaft), (neck, shaft), (neck, head), (tip, 0.0))
    mirrored = [(distance, -aside) for distance, aside in reversed(along[:-1])]
    return tuple(
        (path.x + ux * distance - uy * aside, path.y + uy * distance + ux * aside)
        for distance, aside in (*along, *mirrored)
    )


def _draw_bar(canvas: Canvas, field: Field, path: _Path, share: float, fill: str) -> None:
    """A bar across a path, at a share of it."""
    length = hypot(path.dx, path.dy)
    ux, uy = path.dx / length, path.dy / length
    x, y = path.at(share)
    for rim, color in zip(_RIMS, (EDGE, TEXT, fill), strict=True):
        half, thick = field.side * 0.30 + rim, field.side * 0.06 + rim
        corners = [
            (x + ux * a * thick - uy * b * half, y + uy * a * thick + ux * b * half)
            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]
        _draw_polygon(canvas, tuple(corners), color)


def _draw_polygon(canvas: Canvas, corners: tuple[tuple[float, float], ...], fill: str) -> None:
    """Fill a polygon with corners in pixels; `Canvas.outline` takes shares of a box instead."""
    left, top = (int(min(corner[i] for corner in corners)) for i in (0, 1))
    right, bottom = (int(max(corner[i] for corner in corners)) + 1 for i in (0, 1))
    box = Box(left, top, right - left, bottom - top)
    outline = tuple(
        (round((x - left) / box.width, 4), round((y - top) / box.height, 4)) for x, y in corners
    )
    canvas.outline(box, outline, fill)


def _draw_cross(canvas: Canvas, box: Box) -> None:
    """A cross, with an outline."""
    canvas.outline(box.inset(-_RIMS[0]), CROSS, EDGE)
    canvas.outline(box, CROSS, TEXT)


def _draw_number(canvas: Canvas, box: Box, text: str) -> None:
    canvas.disc(box, GOLD, edge=INK, width=3)
    canvas.text(box, text, size=box.height * 68 // 100, fill=INK, bold=len(text) == 1)
