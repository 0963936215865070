"""A page of a leaderboard as a bar chart: places and numbers, without names."""

from dataclasses import dataclass
from math import ceil
from typing import Final

from bot.drawing.box import Box
from bot.drawing.canvas import PICTURE_WIDTH, Canvas
from bot.drawing.fonts import font
from bot.drawing.outlines import ARROW_RIGHT
from bot.drawing.palette import GOLD, GROUND, MUTED, PANEL, PANEL_OWN, TEXT, ink_on, mix
from bot.ratings import rating_text

_MARGIN: Final = 20
_HEADER: Final = 52
_SMALL: Final = 42
_ROW: Final = 64
_GAP: Final = 8

_PLACE: Final = 124
_COUNT: Final = 134
_ARROW: Final = 30
_BESIDE: Final = 16
"""Pixels that stay free beside a number when its column grows."""

_MAX_DIGITS: Final = 5
"""Columns grow for up to this many digits; more would leave no room for the bars."""

_MEDALS: Final = {1: GOLD, 2: "#c8d2e0", 3: "#d99a5b"}
_BAR: Final = "#5aa2ff"
_GUESS: Final = mix(_BAR, GROUND, 0.55)
_BAR_EDGE: Final = 8
_LEAST_SHARE: Final = 0.5
"""The length of the shortest bar, as a share of the longest, so that its number fits in it."""

_WON, _DRAWN, _LOST = "#b6f26b", "#c8d2e0", "#ff8a65"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    place: int
    rating: int | None
    established: bool
    won: int
    drawn: int
    lost: int
    own: bool


@dataclass(frozen=True, slots=True)
class Chart:
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class _Columns:
    """The widths, in pixels, of the columns left and right of the bars, which get the rest."""

    place: int
    record: int


def draw(chart: Chart) -> bytes:
    """The page as PNG."""
    count = len(chart.lines)
    canvas = Canvas(PICTURE_WIDTH, 2 * _MARGIN + _HEADER + count * (_ROW + _GAP) - _GAP)
    header, body = canvas.area.inset(_MARGIN).cut_top(_HEADER)
    columns = _columns(chart)
    _draw_header(canvas, header, columns, rated=chart.lines[0].rating is not None)
    for row, line in zip(body.rows(count, _GAP), chart.lines, strict=True):
        _draw_line(canvas, row, line, columns, _share(chart, line))
    return canvas.png()


def _columns(chart: Chart) -> _Columns:
    """The usual widths, or wider if a number on the page needs it."""
    places = (_width(line.place) + _ARROW * line.own for line in chart.lines)
    counts = (_width(n) for line in chart.lines for n in (line.won, line.drawn, line.lost))
    return _Columns(max(_PLACE, *places), 3 * max(_COUNT, *counts))


def _width(number: int) -> int:
    """The width, in pixels, of a column for this number."""
    return ceil(font(_SMALL).getlength(str(number)[:_MAX_DIGITS])) + _BESIDE


def _share(chart: Chart, line: Line) -> float:
    """The length of a bar as a share of the room (0.5 to 1); the best of the page has all of it."""
    values = [_value(other) for other in chart.lines]
    low, high = min(values), max(values)
    if line.rating is None:
        low = 0  # bars of wins begin at 0
    if high == low:
        return 1.0 if line.rating is not None or high else _LEAST_SHARE  # 0 wins: shortest
    return _LEAST_SHARE + (1 - _LEAST_SHARE) * (_value(line) - low) / (high - low)


def _value(line: Line) -> int:
    return line.won if line.rating is None else line.rating


def _draw_header(canvas: Canvas, header: Box, columns: _Columns, *, rated: bool) -> None:
    place, rest = header.cut_left(columns.place)
    bar, record = rest.cut_left(rest.width - columns.record, 0)
    canvas.text(place, "place", size=_SMALL, fill=MUTED, bold=False)
    what = "rating" if rated else "wins"
    canvas.text(bar.inset(14, 0), what, size=_SMALL, fill=MUTED, bold=False, align="left")
    for box, word in zip(record.columns(3), ("won", "drawn", "lost"), strict=True):
        canvas.text(box, word, size=_SMALL, fill=MUTED, bold=False)


def _draw_line(canvas: Canvas, row: Box, line: Line, columns: _Columns, share: float) -> None:
    if line.own:
        canvas.box(row.inset(-4), GOLD, radius=14)
    canvas.box(row, PANEL_OWN if line.own else PANEL, radius=12)
    place, rest = row.cut_left(columns.place)
    _draw_place(canvas, place, line)
    room, record = rest.cut_left(rest.width - columns.record, 0)
    room = room.inset(0, 9)
    number = str(line.won)
    if line.rating is not None:
        number = rating_text(line.rating, established=line.established)
    least = min(ceil(font(_SMALL).getlength(number)) + 2 * _BAR_EDGE, room.width)
    bar = Box(room.left, room.top, max(round(room.width * share), least), room.height)
    color = _BAR if line.established else _GUESS
    canvas.box(bar, color, radius=8)
    canvas.text(bar.inset(_BAR_EDGE, 0), number, size=_SMALL, fill=ink_on(color), align="left")
    counts = ((line.won, _WON), (line.drawn, _DRAWN), (line.lost, _LOST))
    for box, (n, tone) in zip(record.columns(3), counts, strict=True):
        canvas.text(box, str(n), size=_SMALL, fill=tone if n else MUTED)


def _draw_place(canvas: Canvas, box: Box, line: Line) -> None:
    if line.own:
        arrow, box = box.cut_left(_ARROW, 0)
        canvas.outline(arrow.centered(22, 22).moved(4, 0), ARROW_RIGHT, GOLD)
    medal = _MEDALS.get(line.place)
    if medal is None:
        canvas.text(box.inset(4, 0), str(line.place), size=_SMALL, fill=TEXT)
        return
    disc = box.centered(52, 52)
    canvas.disc(disc, medal)
    canvas.text(disc, str(line.place), size=_SMALL, fill=ink_on(medal))
