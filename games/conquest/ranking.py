"""Who has won, and the places of the others (R19, R21, R23, R37)."""

from games.conquest.battalions import Battalion
from games.conquest.board import Board, troops_of, troops_on
from games.conquest.layout import LAYOUT, OBJECTIVES_PER_BATTALION
from games.conquest.state import State, playing, team
from games.core import Outcome, Seat


def objectives_held(board: Board, battalion: Battalion) -> int:
    """The objectives on which a battalion itself has a troop."""
    return sum(troops_on(board, battalion, square) > 0 for square in LAYOUT.objectives[battalion])


def has_won(state: State, seat: Seat) -> bool:
    """Whether a seat holds all objectives that the goal of the match asks for, right now."""
    complete = [
        objectives_held(state.board, b) == OBJECTIVES_PER_BATTALION for b in team(state, seat)
    ]
    return all(complete) if state.options.goal == "both" else any(complete)


def standing(state: State, seat: Seat) -> tuple[int, int]:
    """The objectives held, then the troops on the board; a team's battalions are added (R23)."""
    battalions = team(state, seat)
    return (
        sum(objectives_held(state.board, battalion) for battalion in battalions),
        sum(troops_of(state.board, battalion) for battalion in battalions),
    )


def final(state: State) -> Outcome:
    """The result of a match that is over: the winner, then the others by standing, then leavers."""
    active = playing(state)
    standings = [standing(state, Seat(i)) for i in range(state.seats)]
    # A win comes before any standing: the winner holds four objectives, and a team whose two
    # battalions are added may hold more.
    keys = {seat: (has_won(state, seat), *standings[seat]) for seat in active}
    ranks = [0] * state.seats
    for seat in active:
        ranks[seat] = 1 + sum(keys[other] > keys[seat] for other in active)
    for i, seat in enumerate(state.left):  # earlier leavers rank below later ones (R37)
        ranks[seat] = state.seats - i
    scores = tuple(objectives for objectives, _ in standings)
    return Outcome(ranks=tuple(ranks), scores=scores, reason=_reason(state, standings))


def _reason(state: State, standings: list[tuple[int, int]]) -> str:
    active = playing(state)
    if len(active) == 1:
        return "everybody else has left"
    for seat in active:
        if has_won(state, seat):
            return _victory(state, seat)
    limit = state.options.turn_limit
    after = f"after {limit} turn{'s' if limit > 1 else ''}"
    best, second = sorted((standings[seat] for seat in active), reverse=True)[:2]
    if best[0] > second[0]:
        return f"more objectives {after}, {best[0]} to {second[0]}"
    if best[1] > second[1]:
        return f"as many objectives but more troops {after}, {best[1]} to {second[1]}"
    return f"the same number of objectives and of troops {after}"


def _victory(state: State, seat: Seat) -> str:
    complete = [
        b for b in team(state, seat) if objectives_held(state.board, b) == OBJECTIVES_PER_BATTALION
    ]
    return f"all objectives of {' and '.join(map(str, complete))} held on turn {state.turn}"
