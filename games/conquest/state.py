"""What is true about a match of Divide & Conquer."""

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
    """An order that was written and not executed yet; None is a pass."""

    battalion: Battalion
    order: Order | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """A revealed order that meets as many troops, while its Commander's Choice is awaited."""

    battalion: Battalion
    order: Order
    defender: Battalion
    troops: int
    """The troops that would move, and as many on the target."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    options: Options
    seats: int
    left: tuple[Seat, ...]
    """The seats that conceded, in the order they did."""

    turn: int
    """The turn being played, from 1; once the match is over, the last that was."""

    initiative: Battalion
    """The battalion whose turn it is to go first, even after its seat has left (R20)."""

    phase: Phase
    board: Board
    banks: tuple[int, ...]
    """The casualties of each battalion that have not come back."""

    pending: tuple[Pending, ...]
    """In the order of execution. Each order is hidden from everybody but the seat that wrote it,
    until it is executed and also when the match ends before; whose orders they are is public."""

    contest: Contest | None
    """What a Commander's Choice is awaited about; None whenever none is."""

    reserve: tuple[Seat, ...]
    """The seats that may still reinforce in this turn, in their order; empty in other phases."""

    current: Report
    """The turn being played, so far."""

    last: Report | None
    """The turn before."""


def playing(state: State) -> tuple[Seat, ...]:
    """The seats that have not left."""
    return tuple(Seat(i) for i in range(state.seats) if i not in state.left)


def team(state: State, seat: Seat) -> tuple[Battalion, ...]:
    """The battalions of a seat, in the order in which it writes their parts."""
    return TEAMS[state.seats][seat]


def clockwise(state: State, first: Battalion) -> tuple[Battalion, ...]:
    """The battalions that are still commanded, clockwise from one of them on (R20)."""
    active = [b for b in in_play(state.seats) if owner(state.seats, b) not in state.left]
    return tuple(sorted(active, key=lambda battalion: (battalion - first) % len(Battalion)))
