"""What happened in a turn, order by order."""

from dataclasses import dataclass
from typing import Literal

from games.conquest.battalions import Battalion
from games.conquest.board import Board
from games.conquest.moves import Order, Placement

Result = Literal["pass", "lapse", "march", "battle", "bounce", "hold", "void"]
"""The result of an order. "pass": none was given; "lapse": it couldn't be executed; "march": troops
moved without a battle; "battle": they fought. Of troops that met as many: "bounce" by the option
(R16), "hold" by Commander's Choice; "void": the Choice was still awaited when the seat left or the
match ended (R37)."""

Lapse = Literal["empty", "taken", "partner"]
"""Why an order lapsed: its source was empty by then, another battalion was there (R14), or the
partner was on its target (R21)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """An order onto a square with troops of another seat (R15, R16)."""

    defender: Battalion
    attackers: int
    """The number of troops that really moved, or would have."""

    defenders: int
    attackers_lost: int
    defenders_lost: int
    holder: Battalion | None
    """The battalion that holds the square afterward; None if it's empty."""

    choice: Literal["fight", "hold"] | None
    """The Commander's Choice that was made, if any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Movement:
    """An order that has been revealed."""

    battalion: Battalion
    order: Order | None
    """None for a pass."""

    moved: int
    """The number of troops that set out: fewer than ordered if fewer were left, or 0."""

    result: Result
    lapse: Lapse | None
    conflict: Conflict | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reserve:
    """What a battalion did in the reinforcement phase; `placement` is None for nothing."""

    battalion: Battalion
    placement: Placement | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One turn, as far as it was played."""

    turn: int
    initiative: Battalion
    board: Board
    """The position when the orders were written."""

    movements: tuple[Movement, ...]
    """In the order of execution. Orders that were void because their seat left are missing."""

    reserves: tuple[Reserve, ...]
