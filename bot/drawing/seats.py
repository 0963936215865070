"""Seats in pictures: their marks, so that no picture needs a name, their order and their panels.

A mark is a color, a shape and a number, each of which tells the seats apart by itself; the colors
differ in lightness too. The emoji is the same mark for text beside a picture.
"""

from dataclasses import dataclass
from typing import Final

from bot.drawing.box import Box
from bot.drawing.canvas import Canvas
from bot.drawing.outlines import CROWN, ROUND_DIAMOND, SQUARE, TRIANGLE, Outline
from bot.drawing.palette import GOLD, MUTED, PANEL, PANEL_OWN, TEXT, ink_on
from bot.text import YOU, capitalized
from games.core import Seat

RADIUS: Final = 20
"""The radius of the corners of panels, in pixels."""

_WORD: Final = 42
"""The font size of `you` and `out` at a seat, in pixels."""


@dataclass(frozen=True, slots=True)
class Mark:
    color: str
    outline: Outline | None
    """None for a disc."""

    name: str
    emoji: str


MARKS: Final = (
    Mark("#5aa2ff", None, "blue circle", "\N{LARGE BLUE CIRCLE}"),
    Mark("#ffab40", ROUND_DIAMOND, "orange diamond", "\N{LARGE ORANGE DIAMOND}"),
    Mark("#b6f26b", SQUARE, "green square", "\N{LARGE GREEN SQUARE}"),
    Mark("#dc4550", TRIANGLE, "red triangle", "\N{UP-POINTING RED TRIANGLE}"),
)


def arrangement(own: Seat | None, count: int) -> tuple[Seat, ...]:
    """The seats from top to bottom: in turn order, and on a hand its own seat last."""
    first = 0 if own is None else own + 1
    return tuple(Seat((first + i) % count) for i in range(count))


def seat_name(seat: Seat, own: Seat | None) -> str:
    """The name of a seat in an alt text: `YOU` for the viewer's own seat, else its mark.

    Alt texts show no mentions, and names aren't stored; the message has the marks before mentions.
    """
    return YOU if seat == own else MARKS[seat].name


def full_seat_name(seat: Seat, own: Seat | None) -> str:
    """The same with the whole mark, for a seat's own line in an alt text: `You, blue circle 1`."""
    mark = f"{MARKS[seat].name} {seat + 1}"
    return capitalized(f"{YOU}, {mark}" if seat == own else mark)


def draw_panel(canvas: Canvas, box: Box, *, own: bool = False, marked: bool = False) -> None:
    """The background of a seat's panel; `marked` gives it a gold edge."""
    fill = PANEL_OWN if own else PANEL
    canvas.box(box, fill, radius=RADIUS, edge=GOLD if marked else None, width=5)


def draw_head(canvas: Canvas, box: Box, seat: Seat, *, own: bool, left: bool, won: bool) -> Box:
    """The beginning of a panel: its seat's mark, a crown if it won, and `you` or `out`.

    Returns the box that remains to the right.
    """
    badge, rest = box.cut_left(box.height, 14)
    draw_badge(canvas, badge, seat)
    if won:
        crown, rest = rest.cut_left(54, 12)
        canvas.outline(crown.centered(54, 50), CROWN, GOLD)
    word, rest = rest.cut_left(104, 14)
    label = "out" if left else "you" if own else ""
    canvas.text(word, label, size=_WORD, fill=MUTED if left else TEXT, align="left")
    return rest


def draw_badge(canvas: Canvas, box: Box, seat: int) -> None:
    """The mark of a seat in a square box, with its number counted from 1."""
    draw_mark(canvas, box, MARKS[seat], seat)


def draw_mark(canvas: Canvas, box: Box, mark: Mark, seat: int) -> None:
    """The same with a mark that a game gives to the seat."""
    number = box
    if mark.outline is None:
        canvas.disc(box, mark.color)
    else:
        canvas.outline(box, mark.outline, mark.color)
    if mark.outline is TRIANGLE:  # it's widest at the bottom
        number = box.moved(0, box.height // 8)
    canvas.text(number, str(seat + 1), size=box.height * 5 // 9, fill=ink_on(mark.color))
