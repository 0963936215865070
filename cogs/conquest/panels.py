"""Draws the cells below the board: each battalion's standing and latest order.

The board has the whole width, because phones are narrow. So there's room for only a few words in a
readable size. A cell says what an order's arrow on the board can't; the turn and its phase are in
the message above the picture. Sizes are in pixels.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.drawing.box import Box
from bot.drawing.canvas import Canvas
from bot.drawing.fonts import font
from bot.drawing.outlines import ARROW_RIGHT, CHECK, CROSS, CROWN
from bot.drawing.palette import GOLD, MUTED, PANEL, PANEL_OWN, TEXT, TRAY
from cogs.conquest.battalions import MARKS, battalions, first_to_move, latest_report
from cogs.conquest.board import draw_shape, draw_token
from cogs.conquest.scene import Scene
from games.conquest import (
    LAYOUT,
    Battalion,
    Movement,
    Order,
    Redeployment,
    Reinforcement,
    Report,
    View,
)
from games.conquest.board import troops_of
from games.conquest.report import Lapse
from games.core import Seat, winners

LAPSES: Final[Mapping[Lapse, str]] = {"empty": "none left", "taken": "taken", "partner": "blocked"}
"""Why an order lapsed."""

_RADIUS: Final = 14
_GAP: Final = 8
_SIZE: Final = 42
_STANDING: Final = 52
_LINE: Final = 42
_BELOW: Final = 4
"""How far letters reach below a line."""

_SIGNAL: Final = 40
"""The height of one more row, if players have signaled who is ahead."""

_TWO_DIGITS: Final = 10

_GOALS, _OUT = 46, 69
"""The widths of the signs of the four objectives, and of `out` for a player who has left."""

_NARROW_GOALS: Final = 40
"""The width of those signs when all ten troops are in the bank, which needs more room."""

_LONG: Final = 8
"""The length from which an order has no room for bold letters, in characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """A battalion's order in a turn, in the few words that fit a cell."""

    order: str
    short: str = ""
    """The order without its source, which its arrow on the board shows."""

    result: str = ""
    foe: Battalion | None = None
    """The battalion whose troops it met."""

    won: bool | None = None
    """Whether it holds the square that it fought for; None if nobody does, or without a battle."""

    placed: str = ""
    """The battalion's reinforcement in this turn."""


def height_of(scene: Scene) -> int:
    """The height of the cells."""
    return _STANDING + 2 * _LINE + 8 + (_SIGNAL if scene.signals else 0)


def draw_cells(canvas: Canvas, box: Box, scene: Scene) -> None:
    """Draw a panel for each seat, with a cell for each of its battalions, side by side.

    While there are no orders to show, a legend explains the signs instead.
    """
    view, lines = scene.view, _lines(scene)
    cells = iter(box.columns(len(battalions(view)), _GAP))
    if not lines:
        box, legend = box.cut_bottom(_BELOW)[1].cut_top(box.height - 2 * _LINE - _BELOW)
        cells = iter(box.columns(len(battalions(view)), _GAP))
        _draw_legend(canvas, legend, view)
    for i, team in enumerate(view.teams):
        own = [next(cells) for _ in team]
        _draw_team(canvas, own, scene, Seat(i), lines)


def _draw_team(
    canvas: Canvas,
    cells: Sequence[Box],
    scene: Scene,
    seat: Seat,
    lines: Mapping[Battalion, _Line],
) -> None:
    view, signals = scene.view, dict(scene.signals)
    left, right = cells[0], cells[-1]
    place = Box(left.left, left.top, right.right - left.left, left.height)
    fill = PANEL_OWN if view.seat == seat else PANEL
    edge = GOLD if seat in winners(view.outcome) else TEXT if view.seat == seat else None
    canvas.box(place, fill, radius=_RADIUS, edge=edge, width=4)
    if signals:
        cells = [cell.cut_bottom(_SIGNAL)[1] for cell in cells]
        if seat in signals:
            below = place.cut_bottom(_SIGNAL)[0].inset(12, 0)
            _draw_signal(canvas, below, view.teams[signals[seat]])
    for battalion, cell in zip(view.teams[seat], cells, strict=True):
        above, below = cell.inset(6, 4).cut_top(min(_STANDING, cell.height - 8))
        _draw_standing(canvas, above, view, battalion)
        if battalion in lines:
            _draw_line(canvas, below, lines[battalion])


def _draw_standing(canvas: Canvas, box: Box, view: View, battalion: Battalion) -> None:
    """Whether a battalion goes first or has won, its troops, objectives (gold if held) and bank."""
    sign, rest = box.cut_left(24, 0)
    if view.awaiting:
        if battalion == first_to_move(view):
            canvas.outline(sign.centered(24, 30), ARROW_RIGHT, GOLD)
    elif any(battalion in view.teams[seat] for seat in winners(view.outcome)):
        canvas.outline(sign.centered(26, 24), CROWN, GOLD)
    is_left = any(battalion in view.teams[seat] for seat in view.left)
    troops, bank = troops_of(view.board, battalion), view.banks[battalion]
    goals_width, gap = _GOALS, 2
    if bank >= _TWO_DIGITS and not is_left:
        sign, rest = rest.cut_left(44, 3)
        draw_token(canvas, sign.centered(44, 44), battalion, str(troops))
        goals_width, gap = _NARROW_GOALS, 3
    elif troops < _TWO_DIGITS:
        sign, rest = rest.cut_left(54, 4)
        draw_token(canvas, sign.centered(52, 52), battalion, str(troops))
    else:  # two digits would hide the sign's shape; with no bank there's room for them beside it
        sign, rest = rest.cut_left(48, 0 if is_left else 4)
        draw_token(canvas, sign.centered(44, 44), battalion, "")
        number, rest = rest.cut_left(56 if is_left else 60, 0 if is_left else 6)
        canvas.text(number, str(troops), size=_SIZE, align="left")
    if not is_left or rest.width >= _GOALS + _OUT:  # else only the board shows them
        goals, rest = rest.cut_left(goals_width, gap)
        square = goals.centered(goals_width, goals_width)
        places = [goal for row in square.rows(2, 4) for goal in row.columns(2, 4)]
        for i, goal in enumerate(places[: len(LAYOUT.objectives[battalion])]):
            _draw_goal(canvas, goal, held=i < view.objectives[battalion])
    if is_left:
        # Not "left": a cell that says "10 left" seems to count the troops that remain.
        canvas.text(rest, "out", size=_SIZE, fill=MUTED, align="right", bold=False)
    elif bank:
        canvas.text(rest, f"+{bank}", size=_SIZE, align="right", bold=False)


def _draw_goal(canvas: Canvas, box: Box, *, held: bool) -> None:
    """The sign of an objective."""
    canvas.box(box, GOLD if held else TRAY, radius=6, edge=GOLD if held else MUTED, width=3)


def _draw_signal(canvas: Canvas, box: Box, ahead: Sequence[Battalion]) -> None:
    """The battalions of the player that a seat says is ahead."""
    arrow, place = box.cut_left(36, 8)
    canvas.outline(arrow.centered(36, 30), ARROW_RIGHT, TEXT)
    for battalion in ahead:
        sign, place = place.cut_left(36, 6)
        draw_token(canvas, sign.centered(34, 34), battalion, "")


def _draw_line(canvas: Canvas, box: Box, line: _Line) -> None:
    """An order, and below it the part of its result that its arrow doesn't show.

    In one of four cells, a long order (ten troops, or the tenth column) has no room for its source.
    """
    above, below = box.rows(2)
    is_long = font(_SIZE, bold=False).getlength(line.order) > above.width
    order = line.short if is_long and line.short else line.order
    canvas.text(above, order, size=_SIZE, align="left", bold=len(order) < _LONG)
    if line.foe is not None:
        against, below = below.cut_left(34, 6)
        draw_shape(canvas, against.centered(32, 32), line.foe, MARKS[line.foe].color)
    if line.won is not None:
        sign, below = below.cut_left(34, 6)
        shape, color = (CHECK, GOLD) if line.won else (CROSS, TEXT)
        canvas.outline(sign.centered(32, 32), shape, color)
    fill = MUTED if line.result else GOLD
    canvas.text(below, line.result or line.placed, size=_SIZE, align="left", fill=fill, bold=False)


def _draw_legend(canvas: Canvas, box: Box, view: View) -> None:
    """What the signs above mean."""
    signs = ("initiative", "troops", "objectives", "in the bank")
    upper, lower = box.rows(2)
    places = (*upper.columns(2, _GAP), *lower.columns(2, _GAP))
    for text, place in zip(signs, places, strict=True):
        sign, word = place.inset(16, 0).cut_left(64, 8)
        canvas.text(word, text, size=_SIZE, align="left", fill=MUTED, bold=False)
        match text:
            case "initiative":
                canvas.outline(sign.centered(28, 32), ARROW_RIGHT, GOLD)
            case "troops":
                draw_token(canvas, sign.centered(36, 36), first_to_move(view), "")
            case "objectives":
                _draw_goal(canvas, sign.centered(25, 25), held=False)
            case _:
                canvas.text(sign, "+3", size=_SIZE, bold=False)


def _lines(scene: Scene) -> Mapping[Battalion, _Line]:
    """The orders to show by battalion: the viewer's draft, or the turn's orders so far.

    The turn's orders include sealed ones, in which only the viewer's own can be read.
    """
    own = {b: _ordered(order) for b, order in scene.orders}
    view, report = scene.view, latest_report(scene.view)
    if report is None or (own and scene.is_draft):
        return own
    lines = {done.battalion: _revealed(done, report) for done in report.movements}
    if view.contest is not None:
        contest = view.contest
        lines[contest.battalion] = replace(
            _ordered(contest.order),
            result=f"{contest.troops}:{contest.troops}?" if view.awaiting else "stays",
            foe=contest.defender,
        )
    return lines | {battalion: _Line(order="sealed") for battalion in view.pending} | own


def _ordered(order: Order | None) -> _Line:
    if order is None:
        return _Line(order="pass")
    return _Line(order=str(order), short=f"{order.troops}\N{RIGHTWARDS ARROW}{order.target}")


def _revealed(movement: Movement, report: Report) -> _Line:
    conflict = movement.conflict
    return replace(
        _ordered(movement.order),
        result=_result(movement),
        foe=None if conflict is None else conflict.defender,
        won=_won(movement),
        placed=_placement(movement.battalion, report),
    )


def _won(movement: Movement) -> bool | None:
    conflict = movement.conflict
    if conflict is None or movement.result != "battle" or conflict.holder is None:
        return None
    return conflict.holder is movement.battalion


def _result(movement: Movement) -> str:
    """The part of an order's result that its arrow doesn't show."""
    conflict, order = movement.conflict, movement.order
    if order is None:
        return ""
    if movement.lapse is not None:
        return LAPSES[movement.lapse]
    if conflict is None:
        return f"only {movement.moved}" if movement.moved < order.troops else ""
    if movement.result == "battle":
        lost = f"\N{MINUS SIGN}{conflict.attackers_lost}"
        return f"all {lost}" if conflict.holder is None else lost
    return {"bounce": "back", "hold": "holds"}.get(movement.result, "stays")


def _placement(battalion: Battalion, report: Report) -> str:
    for reserve in report.reserves:
        if reserve.battalion is battalion:
            match reserve.placement:
                case Reinforcement(square):
                    return f"+{square}"
                case Redeployment(source):
                    return f"{source}\N{RIGHTWARDS ARROW}HQ"
                case None:
                    return ""
    return ""
