"""Alt text for the pictures of Divide & Conquer, read aloud by screen readers.

Blind players play from it, so it has every stack, mark and order. Players are called by the colors
of their battalions, which the message shows as marks before their names.
"""

from collections.abc import Mapping
from typing import Final

from bot.text import YOU
from cogs.conquest.battalions import (
    MARKS,
    battalions,
    commander,
    first_to_move,
    latest_report,
    name_of,
    seat_name,
)
from cogs.conquest.orientation import orientation_text, turns_of
from cogs.conquest.panels import LAPSES
from cogs.conquest.scene import Scene
from games.conquest import (
    LAYOUT,
    Battalion,
    Conflict,
    Movement,
    Order,
    Redeployment,
    Report,
    View,
)
from games.conquest.board import troops_on
from games.conquest.moves import Placement
from games.conquest.report import Result
from games.core import Seat, winners

_STAYED: Final[Mapping[Result, str]] = {"bounce": "turned back", "hold": "held back"}
"""Why nothing changed when equals met; if nobody made the Commander's Choice, just `stayed`."""


def describe(scene: Scene) -> str:
    """All that the picture of a scene shows, in at most 1024 characters (Discord's limit)."""
    view = scene.view
    parts = [_stage(view), *(_battalion(view, battalion) for battalion in battalions(view))]
    parts += [*_reveal(view), *_signals(scene), *_own(scene)]
    return "\n".join(parts)


def _stage(view: View) -> str:
    board = f"Board 10 by 10, {orientation_text(turns_of(view))}"
    turn = f"{board}. Turn {view.turn} of {view.options.turn_limit}"
    won = winners(view.outcome)
    if view.awaiting:
        stands = f"initiative: {name_of(first_to_move(view))}"
    elif won:
        players = ", ".join(_player(view, seat) for seat in won)
        stands = f"won by {players}"
    else:
        stands = "ended here" if view.outcome is None else "a draw"
    return f"{turn}, {stands}.{_sides(view)}"


def _sides(view: View) -> str:
    """The battalions of each player if any player has two, else ""."""
    if all(len(team) == 1 for team in view.teams):
        return ""
    sides = (seat_name(view, Seat(seat)) for seat in range(len(view.teams)))
    return f" {' against '.join(sides)}."


def _battalion(view: View, battalion: Battalion) -> str:
    seat = commander(view, battalion)
    stacks = ", ".join(f"{stack.square} {stack.troops}" for stack in view.board[battalion])
    you = ", you" if seat == view.seat else ""
    out = ", out" if seat in view.left else ""
    bank = f"; bank {view.banks[battalion]}" if view.banks[battalion] else ""
    return (
        f"{name_of(battalion)} ({MARKS[battalion].shape}{you}{out}, "
        f"HQ {LAYOUT.headquarters[battalion]}): {stacks or 'no troops'}{bank}; "
        f"objectives {_objectives(view, battalion)}."
    )


def _objectives(view: View, battalion: Battalion) -> str:
    """The objectives that a battalion holds, and those that it doesn't."""
    squares = LAYOUT.objectives[battalion]
    held = [square for square in squares if troops_on(view.board, battalion, square)]
    missing = " ".join(square for square in squares if square not in held)
    if not held:
        return f"{missing}, 0 held"
    return f"{' '.join(held)} held{missing and f', {missing} not'}"


def _reveal(view: View) -> list[str]:
    """The orders that were executed, whose orders are still sealed, and the reinforcements."""
    report = latest_report(view)
    if report is None:
        return []
    orders = [_movement(movement) for movement in report.movements]
    if view.contest is not None:
        contest = view.contest
        met = f"{contest.troops} {name_of(contest.defender)}"
        meets = f"meets {met}, to fight or hold" if view.awaiting else f"met {met}, stayed"
        ordered = _ordered(contest.order, contest.troops)
        orders.append(f"{name_of(contest.battalion)} {ordered} {meets}")
    lines = [f"Turn {report.turn}: {'; '.join(orders)}."] if orders else []
    if view.pending:
        sealed = ", ".join(name_of(battalion) for battalion in view.pending)
        lines.append(f"Sealed: {sealed}.")
    placed = _reserves(report)
    return [*lines, f"Reinforced: {placed}."] if placed else lines


def _movement(movement: Movement) -> str:
    name, order, conflict = name_of(movement.battalion), movement.order, movement.conflict
    if order is None:
        return f"{name} pass"
    if conflict is None:
        if movement.lapse:
            return f"{name} {order} lapsed: {LAPSES[movement.lapse]}"
        return f"{name} {_ordered(order, movement.moved)}"
    ordered, other = _ordered(order, conflict.attackers), name_of(conflict.defender)
    if movement.result == "battle":
        fared = _fared(movement.battalion, conflict)
        return f"{name} {ordered} {fared} {other}, -{conflict.attackers_lost} each"
    return f"{name} {ordered} met {other}, {_STAYED.get(movement.result, 'stayed')}"


def _ordered(order: Order, left: int) -> str:
    """An order, and how many troops were left for it if that's fewer than ordered."""
    return f"{order} only {left}" if left < order.troops else str(order)


def _fared(attacker: Battalion, conflict: Conflict) -> str:
    """How a battle ended for the attacker; `fought` if nobody holds the square."""
    if conflict.holder is None:
        return "fought"
    return "beat" if conflict.holder is attacker else "lost to"


def _reserves(report: Report) -> str:
    return ", ".join(
        _placed(reserve.battalion, reserve.placement)
        for reserve in report.reserves
        if reserve.placement is not None
    )


def _signals(scene: Scene) -> list[str]:
    signals = ", ".join(_signal(scene.view, *signal) for signal in scene.signals)
    return [f"Who is ahead: {signals}."] if signals else []


def _signal(view: View, seat: Seat, ahead: Seat) -> str:
    says = "say" if seat == view.seat or len(view.teams[seat]) > 1 else "says"
    return f"{_player(view, seat)} {says} {_player(view, ahead)}"


def _own(scene: Scene) -> list[str]:
    """The viewer's own draft or choice."""
    lines = []
    if scene.orders:
        orders = ", ".join(f"{name_of(troops)} {order or 'pass'}" for troops, order in scene.orders)
        lines.append(f"Your {'order' if len(scene.orders) == 1 else 'orders'}: {orders}.")
    if scene.source is not None:
        lines.append(f"From {scene.source} to {' '.join(scene.targets)}?")
    if scene.placements:
        placed = ", ".join(_placed(*placement) for placement in scene.placements)
        lines.append(f"You place {placed}.")
    return lines


def _placed(battalion: Battalion, placement: Placement) -> str:
    if isinstance(placement, Redeployment):
        return f"{name_of(battalion)} {placement.source} to HQ"
    return f"{name_of(battalion)} {placement}"


def _player(view: View, seat: Seat) -> str:
    return YOU if seat == view.seat else seat_name(view, seat)
