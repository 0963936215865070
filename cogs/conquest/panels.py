"""Beside the board: how each battalion stands, and the orders of a turn one below the other.

There is room for few words in a size that can be read on a phone. Of each order stands here what
its arrow on the board cannot say; the message and the alternative text tell all of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.drawing.box import Box
from bot.drawing.canvas import Canvas
from bot.drawing.outlines import ARROW_RIGHT, CROWN
from bot.drawing.palette import GOLD, MUTED, PANEL, PANEL_OWN, TEXT, TRAY
from cogs.conquest.battalions import MARKS, champions, told
from cogs.conquest.board import draw_shape, draw_token
from cogs.conquest.scene import Scene
from games.conquest import LAYOUT, Battalion, Movement, Redeployment, Reinforcement, Report, View
from games.conquest.board import troops_of
from games.core import Seat

_RADIUS: Final = 14
_GAP: Final = 8
_SIZE: Final = 42
_HEAD: Final = 100
_ROW: Final = 72
_SIGNALLING_ROW, _SIGNAL = 60, 36
"""The same where players signal, and a row more for each seat."""

_LINE: Final = 92
_LONG: Final = 9
"""Characters of an order that has no room for bold letters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """An order of a turn in a few words, as the picture has room for."""

    battalion: Battalion
    order: str
    result: str = ""
    foe: Battalion | None = None
    """Whose troops it met."""

    placed: str = ""
    """Its reinforcement of this turn."""


def draw_head(canvas: Canvas, box: Box, view: View) -> Box:
    """Which turn it is, or who has won; what remains of the box below."""
    place, rest = box.cut_top(_HEAD, _GAP)
    canvas.box(place, PANEL, radius=_RADIUS)
    above, below = place.inset(14, 6).rows(2)
    if view.outcome is None:
        stage = {"planning": "secret orders", "movement": "fight or hold?"}
        canvas.text(above, f"Turn {view.turn}", size=_SIZE, align="left")
        text = stage.get(view.phase, "reinforce")
        canvas.text(below, text, size=_SIZE, fill=MUTED, align="left", bold=False)
        return rest
    winners = champions(view)
    title = "Draw" if not winners else "Winner" if len(winners) == 1 else "Winners"
    canvas.text(above, title, size=_SIZE, align="left")
    signs = [battalion for seat in winners for battalion in view.teams[seat]]
    if signs:
        crown, below = below.cut_left(56, 10)
        canvas.outline(crown.centered(50, 42), CROWN, GOLD)
        for sign, battalion in zip(below.columns(5), signs, strict=False):
            draw_token(canvas, sign.centered(40, 40), battalion, "")
    return rest


def draw_teams(canvas: Canvas, box: Box, scene: Scene) -> Box:
    """How the battalions of each seat stand; what remains of the box below."""
    view, signals = scene.view, dict(scene.signals)
    row, extra = (_SIGNALLING_ROW, _SIGNAL) if signals else (_ROW, 0)
    for i, team in enumerate(view.teams):
        place, box = box.cut_top(row * len(team) + extra, _GAP)
        fill = PANEL_OWN if view.seat == i else PANEL
        edge = GOLD if Seat(i) in champions(view) else TEXT if view.seat == i else None
        canvas.box(place, fill, radius=_RADIUS, edge=edge, width=4)
        inner = place.inset(10, 3)
        if extra:
            below, inner = inner.cut_bottom(extra)
            if Seat(i) in signals:
                _draw_signal(canvas, below.inset(34, 0), view.teams[signals[Seat(i)]])
        for battalion, line in zip(team, inner.rows(len(team)), strict=True):
            _draw_battalion(canvas, line, view, battalion)
    return box


def _draw_battalion(canvas: Canvas, box: Box, view: View, battalion: Battalion) -> None:
    """Whether it is first, its troops, its objectives (gold where they are held), its bank."""
    first, rest = box.cut_left(30, 4)
    if battalion == view.initiative and view.outcome is None:
        canvas.outline(first.centered(30, 34), ARROW_RIGHT, GOLD)
    sign, rest = rest.cut_left(64, 8)
    troops, bank = troops_of(view.board, battalion), view.banks[battalion]
    size = min(62, sign.height - 2)
    draw_token(canvas, sign.centered(size, size), battalion, str(troops))
    goals, rest = rest.cut_left(112, 4)
    for i, goal in enumerate(goals.columns(len(LAYOUT.objectives[battalion]), 4)):
        _draw_goal(canvas, goal.centered(25, 25), held=i < view.objectives[battalion])
    if any(battalion in view.teams[seat] for seat in view.left):
        canvas.text(rest, "left", size=_SIZE, fill=MUTED, align="right", bold=False)
    elif bank:
        canvas.text(rest, f"+{bank}", size=_SIZE, align="right", bold=False)


def _draw_goal(canvas: Canvas, box: Box, *, held: bool) -> None:
    """The sign of an objective."""
    canvas.box(box, GOLD if held else TRAY, radius=6, edge=GOLD if held else MUTED, width=3)


def _draw_signal(canvas: Canvas, box: Box, ahead: Sequence[Battalion]) -> None:
    """Whom a seat calls ahead."""
    arrow, place = box.cut_left(62, 8)
    canvas.outline(arrow.centered(36, 30), ARROW_RIGHT, TEXT)
    for sign, battalion in zip(place.columns(3), ahead, strict=False):
        draw_token(canvas, sign.centered(34, 34), battalion, "")


def draw_orders(canvas: Canvas, box: Box, scene: Scene) -> None:
    """The own orders that were put together, or those of the turn as they were executed.

    Before the first reveal there is room to say what the signs above mean.
    """
    found = _lines(scene.view)
    if scene.orders:
        found = tuple(_Line(battalion=b, order=str(o or "pass")) for b, o in scene.orders)
    canvas.box(box, PANEL, radius=_RADIUS)
    inner = box.inset(10, 6)
    if not found:
        _draw_legend(canvas, inner, scene.view)
        return
    height = min(inner.height // max(len(found), 2), _LINE)
    for line in found:
        place, inner = inner.cut_top(height)
        _draw_line(canvas, place, line)


def _draw_line(canvas: Canvas, box: Box, line: _Line) -> None:
    """An order, and below it what came of it that its arrow does not say."""
    sign, rest = box.cut_left(40, 8)
    draw_token(canvas, sign.centered(38, 38), line.battalion, "")
    words = line.result or line.placed
    above, below = (
        rest.centered(rest.width, min(rest.height, 82)).rows(2) if words else (rest, rest)
    )
    canvas.text(above, line.order, size=_SIZE, align="left", bold=len(line.order) < _LONG)
    if line.foe is not None:
        against, below = below.cut_left(32, 6)
        draw_shape(canvas, against.centered(30, 30), line.foe, MARKS[line.foe].color)
    if words:
        fill = MUTED if line.result else GOLD
        canvas.text(below, words, size=_SIZE, align="left", fill=fill, bold=False)


def _draw_legend(canvas: Canvas, box: Box, view: View) -> None:
    """What the signs above mean."""
    height = min(box.height // 4, 64)
    for text in ("goes first", "troops", "objectives", "in the bank"):
        row, box = box.cut_top(height)
        sign, word = row.cut_left(56, 8)
        canvas.text(word, text, size=_SIZE, align="left", fill=MUTED, bold=False)
        match text:
            case "goes first":
                canvas.outline(sign.centered(30, 34), ARROW_RIGHT, GOLD)
            case "troops":
                draw_token(canvas, sign.centered(44, 44), view.initiative, "")
            case "objectives":
                _draw_goal(canvas, sign.centered(25, 25), held=False)
            case _:
                canvas.text(sign, "+3", size=_SIZE, bold=False)


def _lines(view: View) -> tuple[_Line, ...]:
    """One of each battalion that had an order, executed ones before those that wait."""
    report = told(view)
    if report is None:
        return ()
    done = [_revealed(movement, report) for movement in report.movements]
    if view.contest is not None:
        contest = view.contest
        done.append(
            _Line(
                battalion=contest.battalion,
                order=str(contest.order),
                result=f"{contest.troops} : {contest.troops}?",
                foe=contest.defender,
            )
        )
    sealed = [_Line(battalion=b, order="sealed") for b in view.pending]
    return (*done, *sealed)


def _revealed(movement: Movement, report: Report) -> _Line:
    conflict = movement.conflict
    return _Line(
        battalion=movement.battalion,
        order="pass" if movement.order is None else str(movement.order),
        result=_result(movement),
        foe=None if conflict is None else conflict.defender,
        placed=_placement(movement.battalion, report),
    )


def _result(movement: Movement) -> str:
    """What the arrow of an order does not say."""
    conflict, order = movement.conflict, movement.order
    if order is None:
        return ""
    if movement.lapse is not None:
        return {"empty": "nobody left", "taken": "was taken"}.get(movement.lapse, "blocked")
    if conflict is None:
        return f"only {movement.moved}" if movement.moved < order.troops else ""
    if movement.result == "battle":
        lost = f"\N{MINUS SIGN}{conflict.attackers_lost}"
        if conflict.holder is None:
            return f"all {lost}"
        return f"{'wins' if conflict.holder is movement.battalion else 'fails'} {lost}"
    return {"bounce": "stopped", "hold": "held back"}.get(movement.result, "stays")


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
