"""Seats in pictures: the mark of each, so that none needs anybody's name, their order and panels.

A mark is a color, a shape and a number. The colors differ in lightness too, the shapes differ
without color, the number differs without both. The emoji is the same mark for text beside a
picture.
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
"""How round the corners of panels are."""

_WORD: Final = 42
"""The size of what is said of a seat."""


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
    """The seats from top to bottom: in their order, but on a hand its own seat last."""
    first = 0 if own is None else own + 1
    return tuple(Seat((first + i) % count) for i in range(count))


def called(seat: Seat, own: Seat | None) -> str:
    """What a seat is called where a picture is told in words, by its onlooker's own seat.

    Alt texts show no mention, and nobody's name is kept: the message has these marks before names.
    """
    return YOU if seat == own else MARKS[seat].name


def introduced(seat: Seat, own: Seat | None) -> str:
    """The same with all of the mark, where a seat has a line of its own: `You, blue circle 1`."""
    mark = f"{MARKS[seat].name} {seat + 1}"
    return capitalized(f"{YOU}, {mark}" if seat == own else mark)


def draw_panel(canvas: Canvas, box: Box, *, own: bool = False, marked: bool = False) -> None:
    """The ground of what is a seat's; gold around the one that has won or moves."""
    fill = PANEL_OWN if own else PANEL
    canvas.box(box, fill, radius=RADIUS, edge=GOLD if marked else None, width=5)


def draw_head(canvas: Canvas, box: Box, seat: Seat, *, own: bool, left: bool, won: bool) -> Box:
    """Whose a panel is, and a crown if they have won; the room that remains to the right."""
    badge, rest = box.cut_left(box.height, 14)
    draw_badge(canvas, badge, seat)
    if won:
        crown, rest = rest.cut_left(54, 12)
        canvas.outline(crown.centered(54, 50), CROWN, GOLD)
    word, rest = rest.cut_left(104, 14)
    said = "out" if left else "you" if own else ""
    canvas.text(word, said, size=_WORD, fill=MUTED if left else TEXT, align="left")
    return rest


def draw_badge(canvas: Canvas, box: Box, seat: int) -> None:
    """The mark of a seat in a square box, with its number counted from 1."""
    draw_mark(canvas, box, MARKS[seat], seat)


def draw_mark(canvas: Canvas, box: Box, mark: Mark, seat: int) -> None:
    """The mark that a game gives to a seat, in the same way."""
    number = box
    if mark.outline is None:
        canvas.disc(box, mark.color)
    else:
        canvas.outline(box, mark.outline, mark.color)
    if mark.outline is TRIANGLE:  # its middle lies low
        number = box.moved(0, box.height // 8)
    canvas.text(number, str(seat + 1), size=box.height * 5 // 9, fill=ink_on(mark.color))
