"""Texts of Divide & Conquer puzzles: win this turn or next, whatever the others order."""

from bot.text import counted, listed
from games.conquest import LAYOUT, Battalion, Order, Plan, State
from games.conquest.notation import parse
from games.conquest.puzzles import NOW, stop_next
from games.puzzle import Assessed, Puzzle


def task(puzzle: Puzzle[State]) -> str:
    when = "this turn" if puzzle.aim == NOW else "this turn or next"
    color = Battalion(puzzle.seat).color
    return (
        f"**You're {color}. Win {when}, whatever the others order.** What do you order now? "
        "Nobody else can enter your objectives."
    )


def choice(puzzle: Puzzle[State], move: str) -> str:
    del puzzle
    order = _order(move)
    return "Pass" if order is None else _march(order)


def reason(puzzle: Puzzle[State]) -> str:
    right = listed([f"**{choice(puzzle, move)}**" for move in puzzle.best], "or")
    when = "this turn" if puzzle.aim == NOW else "this turn or next"
    verdict = f"{right} wins {when}, whatever anyone orders."
    tempting = [known for known in puzzle.choices if _is_instructive(puzzle, known)]
    if not tempting:
        return f"{verdict} {_later(puzzle) or 'Nothing else is sure to.'}"
    nearest = max(tempting, key=lambda known: _nearness(puzzle, known))
    answers = [
        f"{Battalion(seat).color} orders {_march(order)}"
        for seat, order in zip(_others(puzzle), map(_order, nearest.line), strict=True)
        if order is not None
    ]
    return f"{verdict} {choice(puzzle, nearest.move)} can fail: {listed(answers)}."


def _later(puzzle: Puzzle[State]) -> str:
    """How a wrong order would be stopped next turn, as an example; "" if there is none."""
    if puzzle.aim == NOW:
        return ""
    for known in puzzle.choices:
        stop = None
        if known.move not in puzzle.best:
            stop = stop_next(puzzle.state, Battalion(puzzle.seat), _order(known.move))
        if stop is not None:
            first = "after reinforcing, " if stop.reinforced else ""
            answers = [f"{other.color} orders {_march(order)}" for other, order in stop.orders]
            return (
                f"{choice(puzzle, known.move)} can fail: {first}{listed(answers)} next turn, "
                f"before you go on to {stop.goal}."
            )
    return ""


def _is_instructive(puzzle: Puzzle[State], known: Assessed) -> bool:
    """Whether an order is wrong only because of what others can order."""
    return known.move not in puzzle.best and any(map(_order, known.line))


def _nearness(puzzle: Puzzle[State], known: Assessed) -> int:
    """How tempting a wrong order is: 0 to 3, most if it enters an objective."""
    order = _order(known.move)
    if order is None:
        return 0
    right = {best.target for best in map(_order, puzzle.best) if best is not None}
    is_goal = order.target in LAYOUT.objectives[Battalion(puzzle.seat)]
    return 2 * is_goal + (order.target in right)


def _others(puzzle: Puzzle[State]) -> list[int]:
    return [seat for seat in range(puzzle.state.seats) if seat != puzzle.seat]


def _order(text: str) -> Order | None:
    plan = parse(text)
    assert isinstance(plan, Plan)  # the choices of puzzles are all plans
    return plan.orders[0]


def _march(order: Order) -> str:
    return f"{counted(order.troops, 'troop')} {order.source} to {order.target}"
