"""Who commands which battalion, and what of a turn is told: small facts about a view."""

from games.conquest import LAYOUT, Battalion, Report, Square, View
from games.conquest.board import holder
from games.core import Seat


def battalions(view: View) -> tuple[Battalion, ...]:
    """The battalions in play, also of seats that left, seat by seat."""
    return tuple(battalion for team in view.teams for battalion in team)


def commander(view: View, battalion: Battalion) -> Seat:
    """The seat that commands a battalion, or did until it left."""
    (seat,) = (Seat(i) for i, team in enumerate(view.teams) if battalion in team)
    return seat


def own(view: View) -> tuple[Battalion, ...]:
    """The battalions of the seat whose view it is."""
    return () if view.seat is None else view.teams[view.seat]


def told(view: View) -> Report | None:
    """The turn of which something happened last; None before the first reveal."""
    report = view.current
    return report if report.movements or report.reserves or view.contest else view.last


def standing_on(view: View, square: Square) -> Battalion | None:
    """The battalion whose troops stand on a square now."""
    return holder(view.board, square)


def is_objective(battalion: Battalion, square: Square) -> bool:
    return square in LAYOUT.objectives[battalion]


def champions(view: View) -> tuple[Seat, ...]:
    """The seats that have won; nobody while the match goes on or where all are equal."""
    if view.outcome is None:
        return ()
    first = tuple(Seat(i) for i, rank in enumerate(view.outcome.ranks) if rank == 1)
    return () if len(first) == len(view.teams) else first
