"""The pictures of the rules of Divide & Conquer, one for each page: a board, or enlarged parts.

Pure top-level functions, so that a process pool can run them.
"""

from collections.abc import Sequence
from typing import Final

from bot.drawing.box import Box
from bot.drawing.canvas import Canvas
from bot.drawing.outlines import ARROW_RIGHT, CROWN
from bot.drawing.pages import DrawnPage, page_picture
from bot.drawing.palette import EDGE, GOLD, MUTED, PANEL, TEXT
from bot.drawing.seats import RADIUS
from cogs.conquest.arrows import (
    draw_burst,
    draw_contest,
    draw_lapse,
    draw_march,
    draw_plan,
    draw_stop,
)
from cogs.conquest.board import (
    Field,
    draw_ground,
    draw_hint,
    draw_home,
    draw_marks,
    draw_part,
    draw_plus,
    draw_stack,
    draw_token,
)
from games.conquest import LAYOUT, Battalion, Order, Square, Stack

_BOARD: Final = 800
_MARGIN: Final = 12
_GAP: Final = 14
RED, GREEN, BLUE, YELLOW = Battalion


def draw_page(page: int) -> bytes:
    """The picture of a manual page as a PNG; pages count from 0."""
    return page_picture(_PAGES[page], _MARGIN)


def _board(canvas: Canvas, box: Box, stacks: Sequence[tuple[Battalion, str]]) -> tuple[Field, Box]:
    """Draw the whole board with these troops; returns its field, and the room below it."""
    board, rest = box.cut_top(_BOARD, _GAP)
    field = draw_ground(canvas, board.centered(_BOARD, _BOARD))
    standing = " ".join(text for _, text in stacks)
    for battalion in Battalion:
        draw_marks(canvas, field, battalion)
        if f"{LAYOUT.headquarters[battalion]}:" not in standing:
            draw_home(canvas, field, battalion)
    _stand(canvas, field, stacks)
    return field, rest


def _stand(canvas: Canvas, field: Field, stacks: Sequence[tuple[Battalion, str]]) -> None:
    """Draw the troops of battalions, written as `E5:9 D4:1`."""
    for battalion, text in stacks:
        for item in text.split():
            square, troops = item.split(":")
            draw_stack(canvas, field, battalion, Stack(Square(square), int(troops)))


def _zoom(canvas: Canvas, box: Box, rows: str, columns: tuple[int, ...]) -> Field:
    """Draw a part of the board on a panel, as large as fits, without troops."""
    canvas.box(box, PANEL, radius=RADIUS)
    return draw_part(canvas, box.inset(14), rows, columns)


def _order(text: str) -> Order:
    source, troops, target = text.split("-")
    return Order(Square(source), int(troops), Square(target))


def _draw_glance(canvas: Canvas, box: Box) -> None:
    stacks = ((RED, "E5:5 A9:1 G10:2 I6:2"), (GREEN, "E6:8"), (BLUE, "F6:4"), (YELLOW, "F5:9"))
    field, rest = _board(canvas, box, stacks)
    draw_plan(canvas, field, RED, _order("I6-2-J7"))
    for place, text in zip(
        rest.rows(3, 8), ("secret orders", "march", "4 objectives"), strict=True
    ):
        canvas.box(place, PANEL, radius=RADIUS)
        canvas.text(place, text, size=46)


def _draw_marks(canvas: Canvas, box: Box) -> None:
    _, rest = _board(canvas, box, ())
    for place, battalion in zip(rest.columns(4, _GAP), Battalion, strict=True):
        canvas.box(place, PANEL, radius=RADIUS)
        word, sign = place.inset(12, 14).cut_bottom(56, 8)
        draw_token(canvas, sign.centered(104, 104), battalion, "10")
        canvas.text(word, battalion.color, size=46)


def _draw_write(canvas: Canvas, box: Box) -> None:
    below, above = box.cut_bottom(190, _GAP)
    field = _zoom(canvas, above, "CDEF", (3, 4, 5, 6))
    _stand(canvas, field, ((RED, "E5:10"),))
    for battalion in (GREEN, BLUE, YELLOW):
        draw_home(canvas, field, battalion)
    for square in ("D5", "D6", "E4", "F4"):
        draw_hint(canvas, field.square(Square(square)))
    draw_plan(canvas, field, RED, _order("E5-9-D4"))
    canvas.box(below, PANEL, radius=RADIUS)
    title, words = below.inset(20, 16).cut_top(86, 10)
    canvas.text(title, "E5-9-D4", size=84)
    for place, text in zip(words.columns(3), ("from E5", "9 troops", "to D4"), strict=True):
        canvas.text(place, text, size=50, fill=MUTED)


def _draw_executed(canvas: Canvas, box: Box) -> None:
    left, right = box.columns(2, _GAP)
    for place, stacks, orders, words in (
        (left, ((RED, "C5:1"),), ("D6-4-D5", "D5-5-C5"), "only 1 of 5 left"),
        (right, ((GREEN, "D5:2"),), ("D6-6-D5", "D5-4-C5"), "lapses: taken"),
    ):
        below, above = place.cut_bottom(90, 10)
        field = _zoom(canvas, above, "CD", (5, 6))
        draw_burst(canvas, field, _order(orders[0]))
        _stand(canvas, field, stacks)
        draw_march(canvas, field, GREEN, _order(orders[0]))
        if place is left:
            draw_march(canvas, field, RED, _order(orders[1]))
        else:
            draw_lapse(canvas, field, RED, _order(orders[1]))
        canvas.text(below, words, size=52)


def _draw_conflict(canvas: Canvas, box: Box) -> None:
    for place, marching, there, after in zip(
        box.columns(3, _GAP), (6, 4, 4), (4, 4, 8), ((RED, 2), None, (BLUE, 4)), strict=True
    ):
        canvas.box(place, PANEL, radius=RADIUS)
        before, result = place.inset(12).rows(2, 12)
        red, arrow, blue = before.columns(3, 8)
        draw_token(canvas, red.centered(82, 82), RED, str(marching))
        canvas.outline(arrow.centered(64, 64), ARROW_RIGHT, GOLD)
        draw_token(canvas, blue.centered(82, 82), BLUE, str(there))
        canvas.box(result.centered(190, 190), EDGE, radius=16)
        if after is None:
            canvas.text(result, "0", size=110, fill=MUTED)
        else:
            draw_token(canvas, result.centered(160, 160), after[0], str(after[1]))


def _draw_reinforcement(canvas: Canvas, box: Box) -> None:
    left, right = box.cut_left(box.width * 60 // 100, _GAP)
    field = _zoom(canvas, left, "DE", (3, 4, 5))
    _stand(canvas, field, ((RED, "D3:4"),))
    draw_home(canvas, field, RED)
    for square in ("D3", "E5"):
        draw_plus(canvas, field, Square(square))
    canvas.box(right, PANEL, radius=RADIUS)
    title, tokens = right.inset(16, 30).cut_top(120)
    canvas.text(title, "bank: 3", size=72)
    for place in tokens.columns(3, 10):
        draw_token(canvas, place.centered(88, 88), RED, "")


def _draw_ending(canvas: Canvas, box: Box) -> None:
    stacks = ((RED, "A9:1 G10:3 J7:1 I1:2"), (GREEN, "E6:6 D5:2"), (BLUE, "F6:4"), (YELLOW, "F5:9"))
    _, rest = _board(canvas, box, stacks)
    canvas.box(rest, PANEL, radius=RADIUS)
    left, right = rest.centered(560, rest.height).columns(2)
    canvas.outline(left.centered(180, 152), CROWN, GOLD)
    draw_token(canvas, right.centered(168, 168), RED, "4/4")


def _draw_teams(canvas: Canvas, box: Box) -> None:
    left, right = box.cut_left(600, _GAP)
    field = _zoom(canvas, left, "DEFG", (4, 5, 6, 7))
    both = ((RED, "E5:10"), (BLUE, "F6:10"), (YELLOW, "F5:10"), (GREEN, "E6:10"))
    _stand(canvas, field, both)
    draw_plan(canvas, field, RED, _order("E5-9-D4"))
    draw_plan(canvas, field, BLUE, _order("F6-5-G7"))
    for place, team, name in zip(
        right.rows(2, _GAP), ((RED, BLUE), (YELLOW, GREEN)), ("player 1", "player 2"), strict=True
    ):
        canvas.box(place, PANEL, radius=RADIUS)
        word, tokens = place.inset(16, 34).cut_top(80)
        canvas.text(word, name, size=60)
        for sign, battalion in zip(tokens.columns(2), team, strict=True):
            draw_token(canvas, sign.centered(100, 100), battalion, "")


def _draw_variants(canvas: Canvas, box: Box) -> None:
    places = box.columns(3, _GAP)
    for place, word in zip(places, ("choice", "bounce", "signal"), strict=True):
        canvas.box(place, PANEL, radius=RADIUS)
        canvas.text(place.cut_bottom(110)[0], word, size=54, fill=TEXT)
    for i, place in enumerate(places[:2]):
        above = place.cut_top(place.height - 110)[0]
        field = draw_part(canvas, above.inset(8, 50), "C", (3, 4))
        _stand(canvas, field, ((RED, "C3:5"), (GREEN, "C4:5")))
        (draw_contest if i == 0 else draw_stop)(canvas, field, RED, _order("C3-5-C4"))
    above = places[2].cut_top(places[2].height - 110)[0].inset(20, 40)
    signs, rest = above.cut_left(80, 10)
    arrows, ahead = rest.cut_left(56, 10)
    for row, battalion in zip(range(3), (RED, GREEN, YELLOW), strict=True):
        draw_token(canvas, signs.rows(3)[row].centered(74, 74), battalion, "")
        canvas.outline(arrows.rows(3)[row].centered(54, 48), ARROW_RIGHT, GOLD)
    draw_token(canvas, ahead.centered(84, 84), BLUE, "")


_PAGES: Final[tuple[DrawnPage, ...]] = (
    (_draw_glance, 1050),
    (_draw_marks, 1050),
    (_draw_write, 850),
    (_draw_executed, 560),
    (_draw_conflict, 460),
    (_draw_reinforcement, 460),
    (_draw_ending, 1050),
    (_draw_teams, 600),
    (_draw_variants, 440),
)
