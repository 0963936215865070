"""What happened in a turn, order by order, so that it can be told and drawn."""

from dataclasses import dataclass
from typing import Literal

from games.conquest.battalions import Battalion
from games.conquest.board import Board
from games.conquest.moves import Order, Placement

Result = Literal["pass", "lapse", "march", "battle", "bounce", "hold", "void"]
"""What became of an order: none was given; it could not be executed; the troops moved without a
battle; they fought; a clash of equals was turned away (R16), or held back by Commander's Choice;
its Commander's Choice was still awaited when the seat left or the match ended (R37)."""

Lapse = Literal["empty", "taken", "partner"]
"""Why an order lapsed: nobody stood on its source any more, somebody else did (R14), or the
partner stood on its target (R21)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """A move onto a square where troops of another seat stood (R15, R16)."""

    defender: Battalion
    attackers: int
    """Troops that really moved."""

    defenders: int
    attackers_lost: int
    defenders_lost: int
    holder: Battalion | None
    """Who holds the square afterwards."""

    choice: Literal["fight", "hold"] | None
    """The Commander's Choice that was made, if one was asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Movement:
    """An order that has been revealed."""

    battalion: Battalion
    order: Order | None
    """None for a pass."""

    moved: int
    """Troops that set out, fewer than ordered where fewer were left; 0 if none did."""

    result: Result
    lapse: Lapse | None
    conflict: Conflict | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reserve:
    """What a battalion did in the reinforcement phase; None is nothing."""

    battalion: Battalion
    placement: Placement | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One turn, as far as it has been played."""

    turn: int
    initiative: Battalion
    board: Board
    """The position when the orders were written."""

    movements: tuple[Movement, ...]
    """In the order of execution; orders that a seat took with it when it left do not appear."""

    reserves: tuple[Reserve, ...]
