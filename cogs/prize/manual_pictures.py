"""The pictures of the rules of Prize Dominoes, one for each page.

Pure top-level functions, so that a process pool can run them.
"""

from collections.abc import Sequence
from typing import Final

from bot.drawing.box import Box
from bot.drawing.canvas import Canvas
from bot.drawing.cards import DIM, PLAIN
from bot.drawing.dominoes import domino_box, draw_domino, draw_domino_back
from bot.drawing.outlines import ARROW_DOWN, CROWN
from bot.drawing.pages import DrawnPage, page_picture
from bot.drawing.palette import GOLD, MUTED, PANEL, PANEL_OWN, TRAY
from bot.drawing.seats import RADIUS, draw_badge, draw_panel
from cogs.prize.pictures import (
    GAP,
    MARGIN,
    draw_fit,
    draw_gain,
    draw_line,
    draw_numbers,
    draw_prizes,
)
from games.prize import Tile
from games.prize.tiles import Line, pips, places

_LINE: Final[Line] = ((6, 4), (4, 4), (4, 1), (1, 3))
_HAND: Final[tuple[Tile, ...]] = ((2, 0), (3, 2), (5, 1), (6, 3), (6, 6))


def draw_page(page: int) -> bytes:
    """The picture of a manual page as a PNG; pages count from 0."""
    return page_picture(_PAGES[page], MARGIN)


def _draw_idea(canvas: Canvas, box: Box) -> None:
    """Four prizes that have all seven numbers."""
    canvas.box(box, PANEL, radius=RADIUS)
    title, rest = box.inset(24).cut_top(70, 16)
    canvas.text(title, "all numbers from 0 to 6: you win", size=48)
    tray, below = rest.cut_top(290, 20)
    canvas.box(tray, TRAY, radius=RADIUS)
    prizes: tuple[Tile, ...] = ((5, 2), (6, 0), (4, 4), (3, 1))
    for place, tile in zip(tray.centered(720, 250).columns(4), prizes, strict=True):
        draw_domino(canvas, domino_box(place), tile)
    crown, numbers = below.centered(620, below.height).cut_left(120, 40)
    canvas.outline(crown.centered(100, 88), CROWN, GOLD)
    draw_numbers(canvas, numbers.centered(numbers.width, 64), ())


def _draw_turn(canvas: Canvas, box: Box) -> None:
    """A line, and a hand with arrows to the ends that each tile fits."""
    upper, lower = box.rows(2, GAP)
    canvas.box(upper, TRAY, radius=RADIUS, edge=PANEL, width=4)
    draw_line(canvas, upper.inset(18), _LINE)
    canvas.box(lower, PANEL_OWN, radius=RADIUS)
    for column, tile in zip(lower.inset(60, 18).columns(len(_HAND), 20), _HAND, strict=True):
        note, place = column.cut_bottom(44, 8)
        fitting = places(tile, (_LINE[0][0], _LINE[-1][1]))
        draw_domino(canvas, domino_box(place), tile, tone=PLAIN if fitting else DIM)
        draw_fit(canvas, note, fitting, size=42)


def _draw_draw(canvas: Canvas, box: Box) -> None:
    """What can happen to a drawn tile: it fits one end, both ends or neither."""
    upper, lower = box.cut_top(170, GAP)
    canvas.box(upper, TRAY, radius=RADIUS, edge=PANEL, width=4)
    stock, line = upper.inset(18).cut_left(80, 10)
    draw_domino_back(canvas, domino_box(stock.inset(0, 10)))
    draw_line(canvas, line, _LINE)
    cases: tuple[tuple[Tile, str, str], ...] = (
        ((3, 2), "fits one end:", "laid at once"),
        ((6, 3), "fits both:", "you say where"),
        ((5, 2), "fits neither:", "kept, a pass"),
    )
    for place, (tile, when, then) in zip(lower.rows(3, GAP), cases, strict=True):
        canvas.box(place, PANEL, radius=RADIUS)
        tiles, words = place.inset(20, 14).cut_left(320, 20)
        fitting = places(tile, (_LINE[0][0], _LINE[-1][1]))
        tile_place, arrows = tiles.cut_left(120, 20)
        draw_domino(canvas, domino_box(tile_place), tile, tone=PLAIN if fitting else DIM)
        draw_fit(canvas, arrows, fitting, size=56)
        for line_place, text in zip(words.rows(2), (when, then), strict=True):
            canvas.text(line_place, text, size=48, align="left")


def _draw_prize_played(canvas: Canvas, box: Box) -> None:
    """A prize row before one of its tiles is played, and the line after it."""
    prizes: tuple[Tile, ...] = ((6, 1), (3, 1), (5, 5))
    upper, rest = box.cut_top(210, GAP)
    arrow, lower = rest.cut_top(90, GAP)
    _draw_row(canvas, upper, prizes, (0, 2, 4), fresh=(3, 1))
    canvas.outline(arrow.centered(90, 90), ARROW_DOWN, GOLD)
    canvas.box(lower, TRAY, radius=RADIUS, edge=PANEL, width=4)
    draw_line(canvas, lower.inset(18), (*_LINE, (3, 1)), newest=len(_LINE))


def _draw_victory(canvas: Canvas, box: Box) -> None:
    """Two hands after two passes; the one with fewer pips wins."""
    hands: tuple[tuple[Tile, ...], ...] = (((2, 0), (5, 1)), ((2, 2), (4, 0), (5, 5)))
    for seat, (place, hand) in enumerate(zip(box.rows(2, GAP), hands, strict=True)):
        draw_panel(canvas, place, marked=seat == 0)
        head, rest = place.inset(20).cut_left(100, 24)
        draw_badge(canvas, head.centered(100, 100), seat)
        count, tiles = rest.cut_right(280, 10)
        for i, tile in enumerate(hand):
            spot = Box(tiles.left + i * 130, tiles.top, 116, tiles.height)
            draw_domino(canvas, domino_box(spot), tile)
        if seat == 0:
            crown, count = count.cut_left(90, 10)
            canvas.outline(crown.centered(84, 76), CROWN, GOLD)
        canvas.text(count, f"{pips(hand)} pips", size=56, fill=MUTED if seat else GOLD)


def _draw_taken(canvas: Canvas, box: Box) -> None:
    """The loser's hand with what each tile would bring; the winner has taken the best one."""
    opened: tuple[Tile, ...] = ((1, 0), (4, 2), (5, 5), (6, 3))
    missing = {0, 2, 4}
    upper, rest = box.cut_top(270, GAP)
    arrow, lower = rest.cut_top(70, GAP)
    canvas.box(upper, PANEL, radius=RADIUS)
    for column, tile in zip(upper.inset(120, 16).columns(4, 30), opened, strict=True):
        note, place = column.cut_bottom(52, 4)
        draw_domino(canvas, domino_box(place.inset(0, 6)), tile, framed=tile == (4, 2))
        draw_gain(canvas, note, len(missing & set(tile)), size=44)
    canvas.outline(arrow.centered(80, 70), ARROW_DOWN, GOLD)
    _draw_row(canvas, lower, ((6, 1), (5, 3), (4, 2)), (0,), fresh=(4, 2))


def _draw_end(canvas: Canvas, box: Box) -> None:
    """Both prize rows after the last hand."""
    rows: tuple[tuple[tuple[Tile, ...], tuple[int, ...]], ...] = (
        (((6, 1), (5, 3), (2, 1)), (0, 4)),
        (((6, 6), (5, 1), (6, 5), (4, 1)), (0, 2, 3)),
    )
    upper, lower = box.rows(2, GAP)
    for seat, (place, (prizes, missing)) in enumerate(zip((upper, lower), rows, strict=True)):
        _draw_row(canvas, place, prizes, missing, seat=seat, won=seat == 0)


def _draw_row(  # noqa: PLR0913 - the parts of a panel
    canvas: Canvas,
    box: Box,
    prizes: Sequence[Tile],
    missing: Sequence[int],
    *,
    fresh: Tile | None = None,
    seat: int | None = None,
    won: bool = False,
) -> None:
    """A panel with a prize row and the numbers."""
    draw_panel(canvas, box, marked=won)
    above, tray = box.inset(20, 16).cut_top(64, 12)
    numbers, head = above.cut_right(480, 14)
    if seat is not None:
        badge, crown = head.cut_left(64, 16)
        draw_badge(canvas, badge, seat)
        if won:
            canvas.outline(crown.cut_left(64)[0].centered(64, 58), CROWN, GOLD)
    draw_prizes(canvas, tray, prizes, fresh=fresh)
    draw_numbers(canvas, numbers, missing)


_PAGES: Final[tuple[DrawnPage, ...]] = (
    (_draw_idea, 600),
    (_draw_turn, 480),
    (_draw_draw, 720),
    (_draw_prize_played, 520),
    (_draw_victory, 500),
    (_draw_taken, 600),
    (_draw_end, 460),
)
