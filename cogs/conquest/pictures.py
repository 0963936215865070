"""The pictures of Divide & Conquer: the board, and below it a cell for each battalion.

Pure top-level functions from a scene to a PNG, so that a process pool can run them.
"""

from typing import Final

from bot.drawing.box import Box
from bot.drawing.canvas import MAX_PICTURE_HEIGHT, PICTURE_WIDTH, Canvas
from bot.drawing.palette import EDGE
from cogs.conquest.arrows import draw_burst, draw_contest, draw_movement, draw_plan, draw_stop
from cogs.conquest.battalions import MARKS, battalions, latest_report, standing_on
from cogs.conquest.board import (
    Field,
    draw_frame,
    draw_ground,
    draw_hint,
    draw_home,
    draw_marks,
    draw_plus,
    draw_shape,
    draw_stack,
)
from cogs.conquest.orientation import turns_of
from cogs.conquest.panels import draw_cells, height_of
from cogs.conquest.scene import Scene
from games.conquest import LAYOUT, Redeployment, Reinforcement, Report, View

_MARGIN: Final = 8


def draw(scene: Scene) -> bytes:
    """The table if `scene.view.seat` is None, else that seat's hand."""
    width, cells = PICTURE_WIDTH - 2 * _MARGIN, height_of(scene)
    side = min(width, MAX_PICTURE_HEIGHT - cells - 3 * _MARGIN)
    canvas = Canvas(PICTURE_WIDTH, side + cells + 3 * _MARGIN)
    board, below = canvas.area.inset(_MARGIN).cut_top(side, _MARGIN)
    board = board.centered(side, side)
    draw_board(canvas, board, scene)
    draw_cells(canvas, below, scene)
    return canvas.png()


def draw_board(canvas: Canvas, box: Box, scene: Scene) -> Field:
    """The board with its troops, what was revealed, and the viewer's draft or choice."""
    view = scene.view
    field = draw_ground(canvas, box, turns_of(view))
    for battalion in battalions(view):
        draw_marks(canvas, field, battalion)
        if standing_on(view, LAYOUT.headquarters[battalion]) is None:
            draw_home(canvas, field, battalion)
    report = None if scene.is_draft else latest_report(view)
    if report is not None:
        _draw_traces(canvas, field, view, report)
    if scene.source is not None:
        draw_frame(canvas, field.square(scene.source))
    for battalion in battalions(view):
        for stack in view.board[battalion]:
            draw_stack(canvas, field, battalion, stack)
    if report is not None:
        _draw_arrows(canvas, field, view, report)
    _draw_own(canvas, field, scene)
    return field


def _draw_traces(canvas: Canvas, field: Field, view: View, report: Report) -> None:
    """What's drawn below troops: bursts of battles, and outlines on squares that troops left."""
    for movement in report.movements:
        order = movement.order
        if order is None:
            continue
        if movement.result == "battle":
            draw_burst(canvas, field, order)
        if movement.moved and standing_on(view, order.source) is None:
            box = field.square(order.source)
            size = field.side * 60 // 100
            ghost = box.centered(size, size)
            draw_shape(canvas, ghost, movement.battalion, MARKS[movement.battalion].color)
            draw_shape(canvas, ghost.inset(6), movement.battalion, EDGE)


def _draw_arrows(canvas: Canvas, field: Field, view: View, report: Report) -> None:
    for movement in report.movements:
        draw_movement(canvas, field, view, movement)
    if view.contest is not None:
        draw_met = draw_contest if view.awaiting else draw_stop  # nobody chooses after the end
        draw_met(canvas, field, view.contest.battalion, view.contest.order)
    for reserve in report.reserves:
        match reserve.placement:
            case Reinforcement(square):
                draw_plus(canvas, field, square)
            case Redeployment():
                draw_plus(canvas, field, LAYOUT.headquarters[reserve.battalion])
            case None:
                pass


def _draw_own(canvas: Canvas, field: Field, scene: Scene) -> None:
    """The viewer's own draft or choice."""
    for target in scene.targets:
        taken = standing_on(scene.view, target) is not None
        draw_hint(canvas, field.square(target), taken=taken)
    for battalion, order in scene.orders:
        if order is not None:
            draw_plan(canvas, field, battalion, order)
    for battalion, placement in scene.placements:
        home = LAYOUT.headquarters[battalion]
        if isinstance(placement, Redeployment):
            draw_frame(canvas, field.square(placement.source))
            draw_plus(canvas, field, home)
        else:
            draw_plus(canvas, field, placement.square)
