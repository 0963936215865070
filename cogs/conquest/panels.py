"""Beside the board: how each battalion stands, and the orders of a turn one below the other."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.drawing.box import Box
from bot.drawing.canvas import Canvas
from bot.drawing.outlines import ARROW_RIGHT, CROWN
from bot.drawing.palette import GOLD, INK, MUTED, PANEL, PANEL_OWN, TEXT, TRAY
from cogs.conquest.battalions import MARKS, champions, own, told
from cogs.conquest.board import draw_shape, draw_token
from cogs.conquest.scene import Scene
from games.conquest import LAYOUT, Battalion, Movement, Redeployment, Reinforcement, Report, View
from games.conquest.board import troops_of, troops_on
from games.core import Seat

_RADIUS: Final = 14
_GAP: Final = 8
_ROW: Final = 84


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


def draw_head(canvas: Canvas, box: Box, view: View) -> None:
    """Which turn it is, or who has won."""
    canvas.box(box, PANEL, radius=_RADIUS)
    inner = box.inset(14, 4)
    if view.outcome is None:
        canvas.text(inner, f"Turn {view.turn}", size=38, align="left")
        stage = {"planning": "secret orders", "movement": "fight or hold?"}
        text = stage.get(view.phase, "reinforcement")
        place, _ = inner.cut_right(inner.width * 58 // 100)
        canvas.text(place, text, size=28, fill=MUTED, align="right")
        return
    winners = champions(view)
    title = "Draw" if not winners else "Winner" if len(winners) == 1 else "Winners"
    canvas.text(inner, title, size=38, align="left")
    signs = [battalion for seat in winners for battalion in view.teams[seat]]
    for i, battalion in enumerate(reversed(signs)):
        place = Box(inner.right - 52 * (i + 1), inner.top, 48, inner.height)
        draw_token(canvas, place.centered(44, 44), battalion, "")
    if signs:
        place = Box(inner.right - 52 * (len(signs) + 1) - 8, inner.top, 52, inner.height)
        canvas.outline(place.centered(50, 44), CROWN, GOLD)


def draw_teams(canvas: Canvas, box: Box, scene: Scene) -> Box:
    """How the battalions of each seat stand; what remains of the box below."""
    view = scene.view
    for i, team in enumerate(view.teams):
        place, box = box.cut_top(_ROW * len(team), _GAP)
        fill = PANEL_OWN if view.seat == i else PANEL
        edge = GOLD if Seat(i) in champions(view) else None
        canvas.box(place, fill, radius=_RADIUS, edge=edge, width=4)
        ahead = [view.teams[pointed] for seat, pointed in scene.signals if seat == i]
        for battalion, row in zip(team, place.inset(12, 5).rows(len(team)), strict=True):
            _draw_battalion(canvas, row, view, battalion, ahead=ahead.pop() if ahead else ())
    return box


def _draw_battalion(
    canvas: Canvas, box: Box, view: View, battalion: Battalion, *, ahead: Sequence[Battalion]
) -> None:
    """Its shape, its troops, its bank, and its objectives: gold where they are held.

    At the right of the first row of a seat, whom it calls ahead.
    """
    sign, rest = box.cut_left(58, 10)
    draw_token(canvas, sign.centered(54, 54), battalion, "")
    if battalion == view.initiative and view.outcome is None:
        canvas.text(sign.inset(3, 0), "1st", size=26, fill=INK)
    above, below = rest.rows(2)
    if ahead:
        sign, above = above.cut_right(34 * len(ahead) + 42, 6)
        _draw_signal(canvas, sign, ahead)
    troops, bank = troops_of(view.board, battalion), view.banks[battalion]
    words = f"{troops} on board"
    if bank:
        words = f"{words}, {bank} in bank"
    has_left = any(battalion in view.teams[seat] for seat in view.left)
    if has_left:
        words = f"left, {words}"
    elif battalion in own(view):
        words = f"you: {words}"
    canvas.text(above, words, size=29, align="left", fill=MUTED if has_left else TEXT, bold=False)
    for square, chip in zip(LAYOUT.objectives[battalion], below.columns(4, 6), strict=True):
        held = troops_on(view.board, battalion, square) > 0
        place = chip.centered(chip.width, 36)
        canvas.box(place, GOLD if held else TRAY, radius=9)
        canvas.text(place, square, size=29, fill=INK if held else TEXT)


def _draw_signal(canvas: Canvas, box: Box, ahead: Sequence[Battalion]) -> None:
    arrow, place = box.cut_left(38, 4)
    canvas.outline(arrow.centered(36, 30), ARROW_RIGHT, GOLD)
    for sign, battalion in zip(place.columns(len(ahead)), ahead, strict=True):
        draw_token(canvas, sign.centered(30, 30), battalion, "")


def draw_orders(canvas: Canvas, box: Box, view: View) -> None:
    """The orders of the turn in the order of execution, and what became of them.

    Before the first reveal there is room to say what the signs above mean.
    """
    found = _lines(view)
    canvas.box(box, PANEL, radius=_RADIUS)
    inner = box.inset(12, 6)
    if not found:
        _draw_legend(canvas, inner, view)
        return
    height = min(inner.height // max(4, len(found)), 84)
    for number, line in enumerate(found, start=1):
        place, inner = inner.cut_top(height)
        _draw_line(canvas, place, number, line)


def _draw_line(canvas: Canvas, box: Box, number: int, line: _Line) -> None:
    """An order above, what came of it below."""
    count, rest = box.cut_left(26, 4)
    canvas.text(count, str(number), size=30, fill=MUTED)
    sign, rest = rest.cut_left(42, 10)
    draw_token(canvas, sign.centered(40, 40), line.battalion, "")
    if not line.result:
        canvas.text(rest, line.order, size=32, align="left")
        return
    above, below = rest.centered(rest.width, 62).rows(2)
    canvas.text(above, line.order, size=32, align="left")
    if line.placed:
        canvas.text(above, line.placed, size=30, align="right", fill=GOLD)
    if line.foe is not None:
        against, below = below.cut_left(30, 8)
        draw_shape(canvas, against.centered(28, 28), line.foe, MARKS[line.foe].color)
    canvas.text(below, line.result, size=28, align="left", fill=MUTED, bold=False)


def _draw_legend(canvas: Canvas, box: Box, view: View) -> None:
    battalion = view.initiative
    goals = LAYOUT.objectives[battalion]
    signs, words = box.cut_top(min(box.height, 260))[0].inset(0, 12).cut_left(94, 16)
    texts = ("its order is first", "objective to take", "objective held")
    places = zip(signs.rows(3, 8), words.rows(3, 8), texts, (None, TRAY, GOLD), strict=True)
    for sign, word, text, fill in places:
        canvas.text(word, text, size=29, align="left", fill=MUTED, bold=False)
        if fill is None:
            draw_token(canvas, sign.centered(54, 54), battalion, "")
            canvas.text(sign.centered(48, 54), "1st", size=26, fill=INK)
            continue
        chip = sign.centered(sign.width, 36)
        canvas.box(chip, fill, radius=9)
        canvas.text(chip, goals[0], size=29, fill=INK if fill == GOLD else TEXT)


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
                result=f"{contest.troops} against {contest.troops}?",
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
    conflict, order = movement.conflict, movement.order
    if order is None:
        return ""
    if movement.lapse is not None:
        return {"empty": "lapses: nobody left", "taken": "lapses: taken"}.get(
            movement.lapse, "lapses: partner there"
        )
    if conflict is None:
        return f"only {movement.moved} march" if movement.moved < order.troops else "marches"
    if movement.result == "battle":
        lost = conflict.attackers_lost
        if conflict.holder is None:
            return f"all {lost} and {lost} lost"
        return f"{'wins' if conflict.holder is movement.battalion else 'fails'}, {lost} lost each"
    return {"bounce": "turned away", "hold": "holds back"}.get(movement.result, "stays")


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
