"""The battalions: their marks, who commands them, and what of them a view says.

The marks are the rulebook's four colors, each with a shape of its own. They are not the marks of
the seats, for a seat may command two battalions. The colors differ in lightness too, and the emoji
is the same mark for text beside a picture.
"""

from dataclasses import dataclass
from math import cos, pi, sin
from typing import Final

from bot.drawing.outlines import ROUND_DIAMOND, SQUARE, Outline
from bot.drawing.seats import Mark
from bot.text import listed
from games.conquest import LAYOUT, Battalion, Report, Square, View
from games.conquest.board import holder
from games.core import Seat


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
    Battalion.SOUTH: BattalionMark("#5b9dff", ROUND_DIAMOND, "diamond", "\N{LARGE BLUE DIAMOND}"),
    Battalion.WEST: BattalionMark("#ffe04d", _star(5, 0.72), "star", "\N{WHITE MEDIUM STAR}"),
}

SEAT_MARKS: Final = tuple(
    Mark(mark.color, mark.outline, f"{battalion.color} {mark.shape}", mark.emoji)
    for battalion, mark in MARKS.items()
)
"""The mark of a seat is that of the battalion with its number: red is always of the first seat."""


def name_of(battalion: Battalion) -> str:
    """What a battalion is called where its mark does not stand beside it: `Red`."""
    return battalion.color.capitalize()


def battalions(view: View) -> tuple[Battalion, ...]:
    """The battalions in play, also of seats that left, seat by seat."""
    return tuple(battalion for team in view.teams for battalion in team)


def commander(view: View, battalion: Battalion) -> Seat:
    """The seat that commands a battalion, or did until it left."""
    (seat,) = (Seat(i) for i, team in enumerate(view.teams) if battalion in team)
    return seat


def commanded(view: View, seat: Seat) -> str:
    """What a seat is called where there are no names: `Red and Blue`."""
    return listed(map(name_of, view.teams[seat]))


def own(view: View) -> tuple[Battalion, ...]:
    """The battalions of the seat whose view it is."""
    return () if view.seat is None else view.teams[view.seat]


def first(view: View) -> Battalion:
    """The battalion that goes first in this turn: one whose player has left goes no more (R20)."""
    return view.order[0]


def told(view: View) -> Report | None:
    """The turn of which something happened last; None before the first reveal."""
    report = view.current
    return report if report.movements or report.reserves or view.contest else view.last


def standing_on(view: View, square: Square) -> Battalion | None:
    """The battalion whose troops stand on a square now."""
    return holder(view.board, square)


def is_objective(battalion: Battalion, square: Square) -> bool:
    return square in LAYOUT.objectives[battalion]
