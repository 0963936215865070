"""The state of a match of Divide & Conquer (board)."""

from dataclasses import dataclass
from typing import Literal

from games.conquest.battalions import TEAMS, Battalion, in_play, owner
from games.conquest.board import Board
from games.conquest.moves import Order
from games.conquest.options import Options
from games.conquest.report import Report
from games.core import Seat

Phase = Literal["planning", "movement", "reinforcement", "over"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """An order that was written but not yet executed; None is a pass."""

    battalion: Battalion
    order: Order | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """A revealed order that met equal troops and awaits its Commander's Choice (R16)."""

    battalion: Battalion
    order: Order
    defender: Battalion
    troops: int
    """The number of troops that would move, and also of those on the target."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    options: Options
    seats: int
    left: tuple[Seat, ...]
    """The seats that conceded, in the order in which they left."""

    turn: int
    """The turn being played, from 1; once the match is over, the last one played."""

    initiative: Battalion
    """The battalion that goes first in this turn, even after its seat has left (R20)."""

    phase: Phase
    board: Board
    banks: tuple[int, ...]
    """The number of casualties of each battalion that haven't come back."""

    pending: tuple[Pending, ...]
    """In the order of execution. Each order is hidden from everybody but the seat that wrote it
    until it's executed, even if the match ends before. Whose orders are pending is public."""

    contest: Contest | None
    """The order for which a Commander's Choice is awaited, if any."""

    reserve: tuple[Seat, ...]
    """The seats that may still reinforce in this turn, in order; empty in other phases."""

    current: Report
    """The report of the current turn, so far."""

    last: Report | None
    """The report of the previous turn; None in the first."""


def playing(state: State) -> tuple[Seat, ...]:
    """The seats that haven't left."""
    return tuple(Seat(i) for i in range(state.seats) if i not in state.left)


def team(state: State, seat: Seat) -> tuple[Battalion, ...]:
    """The battalions of a seat, in the order in which their parts of a move are written."""
    return TEAMS[state.seats][seat]


def clockwise(state: State, first: Battalion) -> tuple[Battalion, ...]:
    """The battalions that are still commanded, clockwise from `first` on (R20)."""
    active = [b for b in in_play(state.seats) if owner(state.seats, b) not in state.left]
    return tuple(sorted(active, key=lambda battalion: (battalion - first) % len(Battalion)))
