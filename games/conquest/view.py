"""What a seat or a spectator may see."""

from dataclasses import dataclass

from games.conquest.battalions import TEAMS, Battalion, Teams, owner
from games.conquest.board import Board
from games.conquest.options import Options
from games.conquest.ranking import final, objectives_held
from games.conquest.report import Report
from games.conquest.state import Contest, Pending, Phase, State, clockwise
from games.conquest.turn import awaited
from games.core import Outcome, Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What one player may see; `seat` is the owner of the view, None for a spectator.

    Views differ only in `seat` and `written`.
    """

    seat: Seat | None
    options: Options
    teams: Teams
    left: tuple[Seat, ...]
    turn: int
    initiative: Battalion
    order: tuple[Battalion, ...]
    """The battalions that are still commanded, in the order of initiative in this turn."""

    phase: Phase
    board: Board
    banks: tuple[int, ...]
    objectives: tuple[int, ...]
    """The number of its objectives that each battalion holds."""

    pending: tuple[Battalion, ...]
    """The battalions whose orders are written but not yet executed, in the order of execution."""

    written: tuple[Pending, ...]
    """The pending orders of the view's owner."""

    contest: Contest | None
    """The order for which a Commander's Choice is awaited, if any."""

    reserve: tuple[Seat, ...]
    """The seats that may still reinforce in this turn, in order."""

    current: Report
    """The report of the current turn, so far."""

    last: Report | None
    """The report of the previous turn; None in the first."""

    awaiting: tuple[Seat, ...]
    outcome: Outcome | None


def observe(state: State, seat: Seat | None) -> View:
    return View(
        seat=seat,
        options=state.options,
        teams=TEAMS[state.seats],
        left=state.left,
        turn=state.turn,
        initiative=state.initiative,
        order=clockwise(state, state.initiative),
        phase=state.phase,
        board=state.board,
        banks=state.banks,
        objectives=tuple(objectives_held(state.board, battalion) for battalion in Battalion),
        pending=tuple(item.battalion for item in state.pending),
        written=tuple(p for p in state.pending if owner(state.seats, p.battalion) == seat),
        contest=state.contest,
        reserve=state.reserve,
        current=state.current,
        last=state.last,
        awaiting=tuple(sorted(awaited(state))),
        outcome=final(state) if state.phase == "over" else None,
    )
