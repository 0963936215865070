"""Playing cards: a large face, with a row of pips above and below it."""

from dataclasses import dataclass
from typing import Final

from bot.drawing.box import Box
from bot.drawing.canvas import Canvas
from bot.drawing.outlines import DIAMOND
from bot.drawing.palette import BACK, BACK_SIGN, EDGE, GOLD, INK, PANEL, PAPER, RED, mix

_SLIM: Final = 0.7  # the width of a card divided by its height


@dataclass(frozen=True, slots=True)
class Tone:
    """The colors of a card."""

    paper: str
    ink: str
    pip: str


PLAIN: Final = Tone(PAPER, INK, RED)
DIM: Final = Tone(mix(PAPER, PANEL, 0.36), INK, mix(RED, INK, 0.25))


def card_width(height: int) -> int:
    return round(height * _SLIM)


def card_height(width: int) -> int:
    return round(width / _SLIM)


def draw_card(
    canvas: Canvas, box: Box, face: str, *, pips: int = 0, tone: Tone = PLAIN, framed: bool = False
) -> None:
    """A card face up; `framed` puts a gold frame around it."""
    radius = box.width // 9
    rim = max(2, box.width // 60)
    if framed:
        width = max(5, box.width // 14)
        canvas.box(box.inset(-width), GOLD, radius=radius + width)
    canvas.box(box, tone.paper, radius=radius, edge=EDGE, width=rim)
    canvas.text(box.inset(box.width // 16, 0), face, size=box.height * 4 // 9, fill=tone.ink)
    for row in _pip_rows(box):
        draw_pips(canvas, row, pips, tone.pip)


def draw_back(canvas: Canvas, box: Box) -> None:
    """A card face down."""
    radius = box.width // 9
    canvas.box(box, BACK, radius=radius, edge=PAPER, width=max(3, box.width // 20))
    canvas.outline(box.centered(box.width // 2, box.height // 2), DIAMOND, BACK_SIGN)


def draw_pips(canvas: Canvas, box: Box, count: int, color: str = RED) -> None:
    """A row of discs in the middle of a box, as high as the box."""
    step = round(box.height * 1.3)
    left = box.left + (box.width - step * (count - 1) - box.height) // 2
    for i in range(count):
        canvas.disc(Box(left + i * step, box.top, box.height, box.height), color)


def _pip_rows(box: Box) -> tuple[Box, Box]:
    size = box.width * 2 // 13
    margin = box.height // 12
    top = Box(box.left, box.top + margin, box.width, size)
    return top, Box(box.left, box.bottom - margin - size, box.width, size)
