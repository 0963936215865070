"""The picture of a shared result: the course of the score, who won, ratings, the turning point.

It's the same for every game. Lines differ by color, dashes and the mark of the seat at their end.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, pairwise
from typing import Final

from bot.drawing.box import Box
from bot.drawing.canvas import PICTURE_WIDTH, Canvas
from bot.drawing.outlines import CROWN
from bot.drawing.palette import GOLD, GROUND, MUTED, PANEL, PANEL_OWN, TEXT
from bot.drawing.plots import spread_apart
from bot.drawing.seats import Mark, draw_mark
from bot.text import counted

_MARGIN, _GAP = 20, 14
_TITLE, _LABEL, _CHART, _ROW = 60, 46, 290, 64
_SMALL: Final = 42
_BADGE: Final = 46
_CROWN: Final = 50
_NUMBERS: Final = 90
"""Pixels left of the lines for the highest and the lowest score."""

_ENDS: Final = 144
"""Pixels right of the lines for marks and scores."""

_SIGN: Final = 50
"""The diameter of the turning point's sign, which may be at the end of the lines."""

_STROKE: Final = 8
_BESIDE: Final = 10
"""Pixels between the lines of two seats that have the same score."""

_DASHES: Final[Sequence[tuple[int, ...]]] = ((10_000, 0), (30, 12), (10, 10), (40, 10, 10, 10))
"""Lengths of strokes and gaps in pixels, by seat."""

Point = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """What the picture says about a seat."""

    mark: Mark
    score: str
    """The final score; "" if the game has none."""

    note: str
    """How it ended for this seat; for a winner, only `shared` or the wins in a row, or ""."""

    rating: str
    won: bool
    """Whether it won, alone or with others; False if all seats share first place."""

    own: bool
    """Whether it's the seat of the player who shares."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurningPoint:
    """The turning point of the player who shares, as the picture shows it."""

    step: int
    """Counted from 1."""

    lines: tuple[str, ...]
    """Lines of text, of at most 30 characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultPicture:
    title: str
    counts: str
    """What the score counts; "" if the game has no score."""

    steps: int
    changes: tuple[tuple[int, tuple[int, ...]], ...]
    """The number of steps played and the score of each seat after them: at step 0, and whenever it
    changed."""

    sides: tuple[Side, ...]
    turn: TurningPoint | None


def draw(picture: ResultPicture) -> bytes:
    """The result as PNG."""
    parts = [_TITLE, *([_LABEL, _CHART] if picture.changes else [])]
    parts += [len(picture.sides) * (_ROW + _GAP) - _GAP]
    parts += [] if picture.turn is None else [_LABEL * len(picture.turn.lines) + 22]
    canvas = Canvas(PICTURE_WIDTH, 2 * _MARGIN + sum(parts) + _GAP * (len(parts) - 1))
    title, rest = canvas.area.inset(_MARGIN).cut_top(_TITLE, _GAP)
    canvas.text(title, picture.title, size=48, align="left")
    if picture.changes:
        label, rest = rest.cut_top(_LABEL, _GAP)
        _draw_label(canvas, label, picture)
        chart, rest = rest.cut_top(_CHART, _GAP)
        _draw_chart(canvas, chart, picture)
    rows, rest = rest.cut_top(parts[-1 if picture.turn is None else -2], _GAP)
    for seat, row in enumerate(rows.rows(len(picture.sides), _GAP)):
        _draw_side(canvas, row, seat, picture.sides[seat])
    if picture.turn is not None:
        _draw_turn(canvas, rest, picture.turn)
    return canvas.png()


def _draw_label(canvas: Canvas, box: Box, picture: ResultPicture) -> None:
    steps, counts = box.cut_right(240)
    canvas.text(counts, picture.counts, size=_SMALL, fill=MUTED, align="left", bold=False)
    number = counted(picture.steps, "step")
    canvas.text(steps, number, size=_SMALL, fill=MUTED, align="right", bold=False)


def _draw_chart(canvas: Canvas, box: Box, picture: ResultPicture) -> None:
    canvas.box(box, PANEL, radius=16)
    numbers, rest = box.inset(12, 0).cut_left(_NUMBERS)
    ends, room = rest.cut_right(_ENDS, _SIGN // 2 + 5)
    room = room.inset(0, 44)
    low, high = _range(picture)
    for value in (low, high):
        y = _height(room, value, low, high)
        canvas.box(Box(room.left, y - 1, room.width, 2), GROUND)
        canvas.text(
            Box(numbers.left, y - 24, numbers.width - 12, 48),
            str(value),
            size=_SMALL,
            fill=MUTED,
            align="right",
            bold=False,
        )
    own_last = sorted(range(len(picture.sides)), key=lambda seat: picture.sides[seat].own)
    for seat in own_last:
        _draw_line(canvas, picture.sides[seat].mark.color, seat, _path(room, picture, seat))
    if picture.turn is not None:
        _draw_turning_point(canvas, room, picture, picture.turn.step)
    _draw_ends(canvas, ends, room, picture)


def _range(picture: ResultPicture) -> tuple[int, int]:
    points = [value for _, counted in picture.changes for value in counted]
    low = min(0, *points)
    return low, max(low + 1, *points)


def _height(room: Box, value: float, low: int, high: int) -> int:
    return round(room.bottom - (value - low) / (high - low) * room.height)


def _across(room: Box, picture: ResultPicture, step: int) -> int:
    return round(room.left + step / max(picture.steps, 1) * room.width)


def _path(room: Box, picture: ResultPicture, seat: int) -> list[Point]:
    """The corners of a seat's line, shifted a little by seat, so that equal lines don't overlap."""
    low, high = _range(picture)
    beside = round((seat - (len(picture.sides) - 1) / 2) * _BESIDE)
    corners: list[Point] = []
    for step, counts in picture.changes:
        x = _across(room, picture, step) + (beside if step else 0)
        y = _height(room, counts[seat], low, high) + beside
        if corners:
            corners.append((x, corners[-1][1]))
        corners.append((x, y))
    return [*corners, (max(room.right, corners[-1][0]), corners[-1][1])]


def _draw_line(canvas: Canvas, color: str, seat: int, path: Sequence[Point]) -> None:
    for (x, y), (to_x, to_y) in _strokes(path, _DASHES[seat % len(_DASHES)]):
        left, top = min(x, to_x), min(y, to_y)
        width, height = abs(to_x - x) + _STROKE, abs(to_y - y) + _STROKE
        canvas.box(Box(left - _STROKE // 2, top - _STROKE // 2, width, height), color)


def _strokes(path: Sequence[Point], dashes: Sequence[int]) -> Iterator[tuple[Point, Point]]:
    """The ends of each dash along a path whose parts are horizontal or vertical."""
    lengths = cycle(enumerate(dashes))
    number, left = next(lengths)
    for (x, y), (to_x, to_y) in pairwise(path):
        whole = abs(to_x - x) + abs(to_y - y)
        way = ((to_x > x) - (to_x < x), (to_y > y) - (to_y < y))
        at = 0
        while at < whole:
            part = min(left, whole - at)
            if number % 2 == 0 and part:
                yield (
                    (x + way[0] * at, y + way[1] * at),
                    (x + way[0] * (at + part), y + way[1] * (at + part)),
                )
            at, left = at + part, left - part
            while not left:
                number, left = next(lengths)


def _draw_turning_point(canvas: Canvas, room: Box, picture: ResultPicture, step: int) -> None:
    """A dashed line down the chart, with a sign on the line of the player who shares."""
    low, high = _range(picture)
    x = _across(room, picture, step)
    top, bottom = room.top - 24, room.bottom + 24
    for y in range(top, bottom, 24):
        canvas.box(Box(x - 2, y, 4, min(12, bottom - y)), GOLD)
    own = next(seat for seat, side in enumerate(picture.sides) if side.own)
    before = [counted for at, counted in picture.changes if at <= step]
    _draw_sign(canvas, x, _height(room, before[-1][own], low, high))


def _draw_sign(canvas: Canvas, x: int, y: int) -> None:
    """The sign of the turning point, which is unlike the mark of any seat."""
    disc = Box(x - _SIGN // 2, y - _SIGN // 2, _SIGN, _SIGN)
    canvas.disc(disc, GROUND, edge=GOLD, width=5)
    canvas.text(disc, "!", size=_SMALL, fill=GOLD)


def _draw_ends(canvas: Canvas, box: Box, room: Box, picture: ResultPicture) -> None:
    """The mark and score of each seat at the end of its line, moved apart if they'd overlap."""
    low, high = _range(picture)
    last = picture.changes[-1][1]
    shares = [(value - low) / (high - low) for value in last]
    heights = spread_apart(shares, (_BADGE + 8) / room.height)
    spare = max(0.0, -min(heights))  # if there are too many, `spread_apart` puts the lowest below 0
    for seat, height in enumerate(heights):
        y = round(room.bottom - (height + spare) * room.height)
        badge, number = Box(box.left, y - _BADGE // 2, box.width, _BADGE).cut_left(_BADGE, 10)
        draw_mark(canvas, badge, picture.sides[seat].mark, seat)
        canvas.text(number, str(last[seat]), size=_SMALL, align="left")


def _draw_side(canvas: Canvas, row: Box, seat: int, side: Side) -> None:
    if side.own:
        canvas.box(row.inset(-4), GOLD, radius=18)
    canvas.box(row, PANEL_OWN if side.own else PANEL, radius=14)
    badge, rest = row.inset(12, 0).cut_left(_BADGE, 12)
    draw_mark(canvas, badge.centered(_BADGE, _BADGE), side.mark, seat)
    score, rest = rest.cut_left(84, 6)
    canvas.text(score, side.score, size=42, align="left")
    rating, note = rest.cut_right(324, 8)
    if side.won:
        crown, note = note.cut_left(_CROWN, 10)
        canvas.outline(crown.centered(_CROWN, _CROWN - 4), CROWN, GOLD)
    text, fill = (side.note or "won", GOLD) if side.won else (side.note, TEXT)
    canvas.text(note, text, size=_SMALL, align="left", fill=fill)
    canvas.text(rating, side.rating, size=_SMALL, align="right", fill=TEXT, bold=False)


def _draw_turn(canvas: Canvas, box: Box, turn: TurningPoint) -> None:
    canvas.box(box, PANEL, radius=14)
    sign, rest = box.inset(12, 11).cut_left(_BADGE, 16)
    rows = rest.rows(len(turn.lines))
    _draw_sign(canvas, sign.left + _BADGE // 2, rows[0].top + rows[0].height // 2)
    for i, (row, line) in enumerate(zip(rows, turn.lines, strict=True)):
        fill = TEXT if i else GOLD
        canvas.text(row, line, size=_SMALL, align="left", fill=fill, bold=not i)
