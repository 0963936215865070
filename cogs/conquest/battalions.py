"""Battalions: their marks, who commands them, and facts about them from a view.

The marks are the rulebook's four colors, each with its own shape. They aren't marks of seats,
because a seat can command two battalions. The colors also differ in lightness, and the emoji is the
same mark for text next to a picture.
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
    """A star that fills its square; `inner` is the share of the radius at the inner corners."""
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
"""Each seat's mark is that of the battalion with the same number; the first seat is always red."""


def name_of(battalion: Battalion) -> str:
    """What a battalion is called in text without its mark: `Red`."""
    return battalion.color.capitalize()


def battalions(view: View) -> tuple[Battalion, ...]:
    """The battalions in play by seat, including those of seats that have left."""
    return tuple(battalion for team in view.teams for battalion in team)


def commander(view: View, battalion: Battalion) -> Seat:
    """The seat that commands a battalion, or did until it left."""
    (seat,) = (Seat(i) for i, team in enumerate(view.teams) if battalion in team)
    return seat


def seat_name(view: View, seat: Seat) -> str:
    """What a seat is called in text without player names: `Red and Blue`."""
    return listed(map(name_of, view.teams[seat]))


def own_team(view: View) -> tuple[Battalion, ...]:
    """The viewer's battalions; none for a spectator."""
    return () if view.seat is None else view.teams[view.seat]


def first_to_move(view: View) -> Battalion:
    """The battalion whose order comes first this turn, skipping players who have left (R20)."""
    return view.order[0]


def latest_report(view: View) -> Report | None:
    """This turn's report if anything has been revealed in it, else the last turn's, if any."""
    report = view.current
    return report if report.movements or report.reserves or view.contest else view.last


def standing_on(view: View, square: Square) -> Battalion | None:
    """The battalion whose troops are on a square now."""
    return holder(view.board, square)


def is_objective(battalion: Battalion, square: Square) -> bool:
    return square in LAYOUT.objectives[battalion]
