"""Dominoes with up to nine pips on each half, standing or lying."""

from typing import Final

from bot.drawing.box import Box
from bot.drawing.canvas import Canvas
from bot.drawing.cards import PLAIN, Tone
from bot.drawing.outlines import DIAMOND
from bot.drawing.palette import BACK, BACK_SIGN, EDGE, GOLD, PAPER

Halves = tuple[int, int]

_LEFT, _MIDDLE, _RIGHT = -1, 0, 1
_TWO: Final = ((_LEFT, -1), (_RIGHT, 1))
_FOUR: Final = (*_TWO, (_RIGHT, -1), (_LEFT, 1))
_SIX: Final = (*_FOUR, (_LEFT, 0), (_RIGHT, 0))
_EIGHT: Final = (*_SIX, (_MIDDLE, -1), (_MIDDLE, 1))
_CENTER: Final = ((_MIDDLE, 0),)
_PIPS: Final[tuple[tuple[tuple[int, int], ...], ...]] = (
    (),
    _CENTER,
    _TWO,
    (*_TWO, *_CENTER),
    _FOUR,
    (*_FOUR, *_CENTER),
    _SIX,
    (*_SIX, *_CENTER),
    _EIGHT,
    (*_EIGHT, *_CENTER),
)
"""The pips of a standing half, by number: steps right and down from its middle."""


def domino_box(box: Box, *, lying: bool = False) -> Box:
    """The largest domino that fits in the middle of a box: two squares in a column or a row."""
    side = min(box.width // 2, box.height) if lying else min(box.width, box.height // 2)
    return box.centered(2 * side, side) if lying else box.centered(side, 2 * side)


def draw_domino(
    canvas: Canvas, box: Box, halves: Halves, *, tone: Tone = PLAIN, framed: bool = False
) -> None:
    """A domino face up: the first half above the second, or left of it if the box is wide.

    `framed` puts a gold frame around it.
    """
    lying = box.width > box.height
    side = min(box.width, box.height)
    radius = side // 6
    if framed:
        width = max(4, side // 11)
        canvas.box(box.inset(-width), GOLD, radius=radius + width)
    canvas.box(box, tone.paper, radius=radius, edge=EDGE, width=max(2, side // 40))
    parts = box.columns(2) if lying else box.rows(2)
    for part, count in zip(parts, halves, strict=True):
        _draw_half(canvas, part, count, tone.ink, lying=lying)
    thick = max(2, side // 28)
    line = box.centered(thick, side * 4 // 5) if lying else box.centered(side * 4 // 5, thick)
    canvas.box(line, tone.ink)


def draw_domino_back(canvas: Canvas, box: Box) -> None:
    """A domino face down."""
    side = min(box.width, box.height)
    canvas.box(box, BACK, radius=side // 6, edge=PAPER, width=max(2, side // 16))
    canvas.outline(box.centered(side // 2, side // 2), DIAMOND, BACK_SIGN)


def _draw_half(canvas: Canvas, box: Box, count: int, ink: str, *, lying: bool) -> None:
    side = min(box.width, box.height)
    size = max(3, side // 5)
    step = side * 27 // 100
    place = box.centered(size, size)
    for right, down in _PIPS[count]:
        x, y = (down, -right) if lying else (right, down)
        canvas.disc(place.moved(x * step, y * step), ink)
