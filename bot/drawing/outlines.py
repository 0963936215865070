"""Outlines of signs and marks: polygons in a square from (0, 0), top left, to (1, 1)."""

from math import copysign, cos, pi, sin
from typing import Final

Outline = tuple[tuple[float, float], ...]

DIAMOND: Final[Outline] = ((0.5, 0.0), (1.0, 0.5), (0.5, 1.0), (0.0, 0.5))


_ROUND_CORNERS: Final = 40
"""Corners of an outline that looks round."""


def _bent_diamond(bend: float) -> Outline:
    """A diamond whose edges bend outwards: 1 is a straight diamond, 0.5 a disc."""
    turns = (2 * pi * i / _ROUND_CORNERS for i in range(_ROUND_CORNERS))
    sides = ((sin(turn), -cos(turn)) for turn in turns)
    return tuple(
        (0.5 + copysign(abs(x) ** (2 * bend), x) / 2, 0.5 + copysign(abs(y) ** (2 * bend), y) / 2)
        for x, y in sides
    )


ROUND_DIAMOND: Final = _bent_diamond(0.74)
"""A diamond with room for a number."""

TRIANGLE: Final[Outline] = ((0.5, 0.04), (1.0, 0.93), (0.0, 0.93))
SQUARE: Final[Outline] = ((0.07, 0.07), (0.93, 0.07), (0.93, 0.93), (0.07, 0.93))
CROWN: Final[Outline] = (
    (0.0, 0.22), (0.26, 0.50), (0.5, 0.10), (0.74, 0.50), (1.0, 0.22), (0.88, 0.88), (0.12, 0.88),
)  # fmt: skip
CHECK: Final[Outline] = (
    (0.02, 0.55), (0.17, 0.40), (0.39, 0.62), (0.83, 0.14), (0.98, 0.29), (0.39, 0.92),
)  # fmt: skip
CROSS: Final[Outline] = (
    (0.06, 0.20), (0.20, 0.06), (0.5, 0.36), (0.80, 0.06), (0.94, 0.20), (0.64, 0.5),
    (0.94, 0.80), (0.80, 0.94), (0.5, 0.64), (0.20, 0.94), (0.06, 0.80), (0.36, 0.5),
)  # fmt: skip
ARROW_RIGHT: Final[Outline] = (
    (0.0, 0.36), (0.6, 0.36), (0.6, 0.08), (1.0, 0.5), (0.6, 0.92), (0.6, 0.64), (0.0, 0.64),
)  # fmt: skip
ARROW_LEFT: Final[Outline] = tuple((1 - x, y) for x, y in ARROW_RIGHT)
ARROW_DOWN: Final[Outline] = tuple((y, x) for x, y in ARROW_RIGHT)
ARROW_UP: Final[Outline] = tuple((y, 1 - x) for x, y in ARROW_RIGHT)
