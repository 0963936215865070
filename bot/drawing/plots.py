"""Plots of ratings over time: one line with its best and its provisional part, or several lines.

The only pictures that matplotlib draws, each on a `Figure` of its own: pyplot would keep them all.
It's imported with the first plot, because that takes a second and most workers draw none.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from PIL import Image

from bot.drawing.canvas import PICTURE_WIDTH
from bot.drawing.fonts import BOLD, REGULAR, folder
from bot.drawing.palette import GROUND, MUTED, PANEL, TEXT
from bot.time_units import DAY_SECONDS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, HEIGHT = PICTURE_WIDTH, 600
_DPI: Final = 100
_SMALL, _ALONE = 31, 34  # font sizes in points; 72 points are an inch, which is 100 pixels
_LEFT: Final = 0.15
_ABOVE, _DAYS = 28, 128
"""Pixels above the plot, and below it for the dates."""

_ROOM_ALONE, _ROOM = 0.22, 0.26
"""Shares of the picture's width for the ratings right of the plot: of one line, or of several."""

_NAMES_ROW: Final = 56
"""Pixels: the names of several lines are below the plot, one a row, because some are long."""

_LABELS_APART: Final = 0.12
"""The least distance between the middles of two labels, as a share of the plot's height."""

_MIN_RATING_SPAN: Final = 120
"""Rating points that the plot covers at least, so that small changes look small."""

_MAX_MARKED_POINTS: Final = 40
"""Lines of more points than this have a mark only at their end."""

_FEW_DAYS_SECONDS: Final = 2 * DAY_SECONDS


@dataclass(frozen=True, slots=True)
class Style:
    """What tells a line from others: its color (also by lightness), its mark and its dashes."""

    color: str
    mark: str
    """In matplotlib's notation."""

    sign: str
    """The mark as a character, for labels."""

    dashes: tuple[float, ...] | None
    """Lengths of strokes and gaps, as matplotlib takes them; None for a solid line."""


STYLES: Final = (
    Style("#5aa2ff", "o", "●", None),
    Style("#ffab40", "D", "◆", (5, 1.5)),
    Style("#b6f26b", "s", "■", (1.5, 1.2)),
    Style("#f0626c", "^", "▲", (6, 1.5, 1.5, 1.5)),
    Style("#e3c7ff", "v", "▼", (3, 1, 1, 1, 1, 1)),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    name: str
    """The title of a game; never text by a user."""

    style: int
    """The index in STYLES, which is always the same for a game."""

    points: tuple[tuple[int, int], ...]
    """Unix time in seconds and rating, in order of time; at least one."""

    provisional: int
    """How many points, counted from the first, are provisional."""

    best: int
    """The index of the point with the highest rating."""


@dataclass(frozen=True, slots=True)
class Plot:
    lines: tuple[Line, ...]


def draw(plot: Plot) -> bytes:
    """The plot as PNG."""
    canvas: Any = figure_of(plot).canvas
    canvas.draw()
    return _png(Image.frombytes("RGBA", canvas.get_width_height(), bytes(canvas.buffer_rgba())))


def figure_of(plot: Plot) -> "Figure":
    """The plot before it is drawn."""
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it warns about its cache folder
    import matplotlib as mpl  # noqa: PLC0415 - see above
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415

    mpl.rcdefaults()  # a `matplotlibrc` in the home directory would change the picture
    names = 0 if len(plot.lines) == 1 else _NAMES_ROW * len(plot.lines)
    height = HEIGHT + names
    figure = Figure(figsize=(WIDTH / _DPI, height / _DPI), dpi=_DPI, facecolor=GROUND)
    FigureCanvasAgg(figure)  # the figure keeps it
    width = 1 - _LEFT - (_ROOM if names else _ROOM_ALONE)
    place = (_LEFT, (names + _DAYS) / height, width, (HEIGHT - _ABOVE - _DAYS) / height)
    axes = figure.add_axes(place, facecolor=PANEL)
    _frame(axes, plot)
    for line in plot.lines:
        _draw_line(axes, line, alone=len(plot.lines) == 1)
    _draw_labels(figure, axes, plot)
    if names:
        _draw_names(figure, plot, height)
    return figure


def _png(image: Image.Image) -> bytes:
    """The image as PNG, with a palette, which takes a third of the bytes."""
    file = BytesIO()
    image.convert("RGB").quantize(128, dither=Image.Dither.NONE).save(file, "PNG")
    return file.getvalue()


def _font(size: int, *, bold: bool = False) -> Any:  # noqa: ANN401 - the library is imported late
    from matplotlib.font_manager import FontProperties  # noqa: PLC0415

    return FontProperties(fname=str(folder() / (BOLD if bold else REGULAR)), size=size)


def _frame(axes: "Axes", plot: Plot) -> None:
    """Ratings on the left, dates below, and a grid for the ratings."""
    times = [at for line in plot.lines for at, _ in line.points]
    ratings = [rating for line in plot.lines for _, rating in line.points]
    axes.set_xlim(*_widened(min(times), max(times), share=0.02, least=60))
    axes.set_ylim(*_widened(min(ratings), max(ratings), share=0.16, least=_MIN_RATING_SPAN))
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0, colors=MUTED, pad=8)
    axes.grid(axis="y", color=GROUND, linewidth=2)
    axes.set_axisbelow(True)
    axes.locator_params(axis="y", nbins=5, integer=True)
    ticks = _days(min(times), max(times))
    axes.set_xticks([at for at, _ in ticks], [label for _, label in ticks])
    for label in (*axes.get_xticklabels(), *axes.get_yticklabels()):
        label.set_fontproperties(_font(_SMALL))
        label.set_color(MUTED)
    edges = axes.get_xticklabels()
    if len(edges) > 1:
        edges[0].set_horizontalalignment("left")
        edges[-1].set_horizontalalignment("right")


def _widened(low: float, high: float, *, share: float, least: float) -> tuple[float, float]:
    """The range with a margin of `share` of it on both sides, and at least `least` wide in all."""
    margin = max((high - low) * share, (least - (high - low)) / 2)
    return low - margin, high + margin


def _days(begin: int, end: int) -> list[tuple[float, str]]:
    """The times and labels, in UTC, of the beginning, middle and end; equal labels only once."""
    form = "%b\n%Y" if end - begin >= _FEW_DAYS_SECONDS else "%b\n%H:%M"
    named: dict[str, float] = {}
    for at in (begin, end, (begin + end) / 2):  # of equal labels, the first is kept
        moment = datetime.fromtimestamp(at, UTC)
        named.setdefault(f"{moment.day} {moment:{form}}", at)
    return sorted((at, label) for label, at in named.items())


def _draw_line(axes: "Axes", line: Line, *, alone: bool) -> None:
    times, ratings = zip(*line.points, strict=True)
    style = STYLES[line.style]
    if alone:
        settled = max(line.provisional - 1, 0)  # so that the two parts meet
        _stroke(axes, line, slice(settled, None), None)
        if line.provisional > 1:
            _stroke(axes, line, slice(0, line.provisional), (1.5, 1.2))
        _draw_best(axes, line)
    else:
        _stroke(axes, line, slice(None), style.dashes)
    # On to the label at the edge: the rating hasn't changed since.
    edge = (times[-1], axes.get_xlim()[1])
    axes.plot(edge, (ratings[-1], ratings[-1]), color=style.color, linewidth=1, alpha=0.6)
    axes.plot(times[-1:], ratings[-1:], marker=style.mark, markersize=13, color=style.color)


def _stroke(axes: "Axes", line: Line, part: slice, dashes: tuple[float, ...] | None) -> None:
    times, ratings = zip(*line.points[part], strict=True)
    style = STYLES[line.style]
    (drawn,) = axes.plot(times, ratings, color=style.color, linewidth=4)
    if dashes is not None:
        drawn.set_dashes(list(dashes))
    if len(line.points) <= _MAX_MARKED_POINTS:
        drawn.set_marker(style.mark)
        drawn.set_markersize(9)


def _draw_best(axes: "Axes", line: Line) -> None:
    """A star at the highest rating, with its number, unless that's the last one."""
    at, rating = line.points[line.best]
    if line.best == len(line.points) - 1:
        return
    axes.plot([at], [rating], marker="*", markersize=22, color=TEXT, markeredgecolor=GROUND)
    begin, end = axes.get_xlim()
    side = "left" if at - begin < 0.15 * (end - begin) else "center"
    side = "right" if end - at < 0.15 * (end - begin) else side
    mark = "?" if line.best < line.provisional else ""
    axes.annotate(
        f"best {rating}{mark}",
        (at, rating),
        xytext=(0, 14),
        textcoords="offset points",
        ha=side,
        va="bottom",
        color=TEXT,
        fontproperties=_font(_SMALL, bold=True),
        annotation_clip=False,
    )


def _draw_labels(figure: "Figure", axes: "Axes", plot: Plot) -> None:
    """The sign and rating of each line, right of its end, moved apart if they would overlap."""
    low, high = axes.get_ylim()
    place = axes.get_position()
    ends = [(line.points[-1][1] - low) / (high - low) for line in plot.lines]
    for line, height in zip(plot.lines, spread_apart(ends, _LABELS_APART), strict=True):
        style, rating = STYLES[line.style], line.points[-1][1]
        mark = "?" if line.provisional == len(line.points) else ""
        sign = f"{style.sign} " if len(plot.lines) > 1 else ""
        figure.text(
            place.x1 + 0.012,
            place.y0 + height * place.height,
            f"{sign}{rating}{mark}",
            color=style.color,
            fontproperties=_font(_SMALL if sign else _ALONE, bold=True),
            va="center",
        )


def _draw_names(figure: "Figure", plot: Plot, height: int) -> None:
    """Which sign means which game, below the plot."""
    for row, line in enumerate(plot.lines):
        style = STYLES[line.style]
        figure.text(
            0.03,
            1 - (HEIGHT + (row + 0.5) * _NAMES_ROW) / height,
            f"{style.sign} {line.name}",
            color=style.color,
            fontproperties=_font(_SMALL, bold=True),
            va="center",
        )


def spread_apart(heights: Sequence[float], gap: float) -> list[float]:
    """The heights (0 to 1), moved so that any two are at least `gap` apart and none is above 1.

    If there are too many, the lowest become negative.
    """
    order = sorted(range(len(heights)), key=lambda i: heights[i])
    moved = list(heights)
    for low, high in pairwise(order):
        moved[high] = max(moved[high], moved[low] + gap)
    # Heights that were pushed above 1 come down, and push the others down.
    ceiling = 1.0
    for i in reversed(order):
        moved[i] = min(moved[i], ceiling)
        ceiling = moved[i] - gap
    return moved
