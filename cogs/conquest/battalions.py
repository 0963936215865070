"""The marks of the battalions: the rulebook's four colors, each with a shape of its own.

They are not the marks of the seats, for a seat may command two battalions. The colors differ in
lightness too, and the emoji is the same mark for text beside a picture.
"""

from dataclasses import dataclass
from math import cos, pi, sin
from typing import Final

from bot.drawing.outlines import DIAMOND, SQUARE, Outline
from games.conquest import Battalion


def _star(points: int, inner: float) -> Outline:
    """A star that fills its square; the inner corners lie at this share of the radius."""
    corners = []
    for i in range(2 * points):
        radius = 0.5 * (inner if i % 2 else 1.0)
        turn = pi * i / points
        corners.append((0.5 + radius * sin(turn), 0.53 - radius * 1.04 * cos(turn)))
    return tuple(corners)


@dataclass(frozen=True, slots=True)
class BattalionMark:
    color: str
    outline: Outline | None
    """None for a disc."""

    shape: str
    emoji: str


MARKS: Final = {
    Battalion.NORTH: BattalionMark("#e4434f", None, "circle", "\N{LARGE RED CIRCLE}"),
    Battalion.EAST: BattalionMark("#52c765", SQUARE, "square", "\N{LARGE GREEN SQUARE}"),
    Battalion.SOUTH: BattalionMark("#5b9dff", DIAMOND, "diamond", "\N{LARGE BLUE DIAMOND}"),
    Battalion.WEST: BattalionMark("#ffe04d", _star(5, 0.66), "star", "\N{WHITE MEDIUM STAR}"),
}
