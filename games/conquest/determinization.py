"""Determinization: random states that are consistent with a view."""

from games.chance import Chance
from games.conquest.planning import orders_of
from games.conquest.state import Pending, State
from games.conquest.view import View


def determinize(view: View, chance: Chance) -> State:
    """A random state that is consistent with a view.

    Only pending orders of other seats are hidden. An order is a free choice, so nothing that was
    played since is evidence: each is drawn from all orders that were valid when it was written, on
    the board of that time.
    """
    written = {item.battalion: item.order for item in view.written}
    seats, board = len(view.teams), view.current.board
    pending = tuple(
        Pending(
            battalion=battalion,
            order=written[battalion]
            if battalion in written
            else chance.pick(orders_of(board, seats, battalion)),
        )
        for battalion in view.pending
    )
    return State(
        options=view.options,
        seats=seats,
        left=view.left,
        turn=view.turn,
        initiative=view.initiative,
        phase=view.phase,
        board=view.board,
        banks=view.banks,
        pending=pending,
        contest=view.contest,
        reserve=view.reserve,
        current=view.current,
        last=view.last,
    )
