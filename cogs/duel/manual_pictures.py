"""The pictures of the manual of the tile duel, one a page.

Pure functions at the top level, so that a process pool can run them.
"""

from collections.abc import Callable, Sequence
from typing import Final

from bot.drawing.box import Box
from bot.drawing.canvas import Canvas
from bot.drawing.dominoes import domino_box, draw_domino_back
from bot.drawing.outlines import ARROW_LEFT, ARROW_RIGHT, CROWN
from bot.drawing.palette import GOLD, MUTED, PANEL, TRAY
from bot.drawing.seats import draw_badge
from cogs.duel.pictures import (
    GAP,
    MARGIN,
    RADIUS,
    WIDTH,
    draw_fared,
    draw_seat,
    draw_tile,
)
from cogs.duel.text import beaten, reason, winning_total
from games.chance import Chance
from games.core import Seat
from games.duel import DUEL, SETS, Options, Pair, State, Tile, View

HEIGHT: Final = 600

# The hands and the first pairs of the examples.
_HANDS: Final = ((3, 5, 8, 10, 12), (2, 4, 6, 7, 9))
_PLAYED: Final = ((10, 2), (8, 9), (5, 6))


def draw_page(page: int) -> bytes:
    """The picture of a page of the manual, counted from 0."""
    canvas = Canvas(WIDTH, HEIGHT)
    _PAGES[page](canvas, canvas.area.inset(MARGIN))
    return canvas.png()


def _draw_idea(canvas: Canvas, box: Box) -> None:
    """Two tiles face down; the same two turned up."""
    hidden, rest = box.cut_left(500, GAP)
    arrow, shown = rest.cut_left(110, GAP)
    canvas.box(hidden, PANEL, radius=RADIUS)
    words, tiles = hidden.inset(16).cut_bottom(150, 10)
    for seat, place in enumerate(tiles.columns(2, 22)):
        badge, tile = place.cut_top(70, 14)
        draw_badge(canvas, badge.centered(70, 70), seat)
        draw_domino_back(canvas, domino_box(tile.inset(0, 10)))
    for line, text in zip(words.rows(2), ("choose", "in secret"), strict=True):
        canvas.text(line, text, size=50)
    canvas.outline(arrow.centered(96, 96), ARROW_RIGHT, GOLD)
    _draw_example(canvas, shown, (10, 5))


def _draw_pairs(canvas: Canvas, box: Box) -> None:
    for place, totals in zip(box.columns(3, GAP), ((10, 7), (10, 5), (9, 8)), strict=True):
        _draw_example(canvas, place, totals)


def _draw_round(canvas: Canvas, box: Box) -> None:
    """A round after three pairs, as both seats see it on the table."""
    view = _example(_PLAYED)
    for seat, place in enumerate(box.rows(2, GAP)):
        draw_seat(canvas, place, view, Seat(seat))


def _draw_swap(canvas: Canvas, box: Box) -> None:
    """Both hands before and after they are swapped."""
    before, rest = box.cut_top(248)
    after, between = rest.cut_bottom(248)
    left, right = between.centered(220, 60).columns(2, 20)
    canvas.outline(left, ARROW_LEFT, GOLD)
    canvas.outline(right, ARROW_RIGHT, GOLD)
    for title, place, order in (("Round 1", before, _HANDS), ("Round 2", after, _HANDS[::-1])):
        canvas.box(place, PANEL, radius=RADIUS)
        canvas.text(place.cut_top(84)[0], title, size=44)
        for seat, half in enumerate(place.inset(18).columns(2, 36)):
            head, tiles = half.cut_top(64)
            badge = head.cut_left(64)[0] if seat == 0 else head.cut_right(64)[0]
            draw_badge(canvas, badge, seat)
            _draw_row(canvas, tiles, order[seat], size=44)


def _draw_sets(canvas: Canvas, box: Box) -> None:
    """The tiles of both sets; those that only the large one has stand below."""
    small, large = SETS[10].totals, SETS[14].totals
    upper, rest = box.cut_top(290, GAP)
    canvas.box(upper, PANEL, radius=RADIUS)
    _draw_row(canvas, upper.inset(18), small, size=54)
    lower, words = rest.cut_left(620, GAP)
    canvas.box(lower, PANEL, radius=RADIUS)
    _draw_row(canvas, lower.inset(18), large[len(small) :], size=54)
    canvas.box(words, PANEL, radius=RADIUS)
    lines = ("above: 10 tiles", "all: 14 tiles")
    for line, text in zip(words.inset(24, 50).rows(2), lines, strict=True):
        canvas.text(line, text, size=48)


def _draw_small_table(canvas: Canvas, box: Box) -> None:
    _draw_table(canvas, box, 10)


def _draw_large_table(canvas: Canvas, box: Box) -> None:
    _draw_table(canvas, box, 14)


def _draw_table(canvas: Canvas, box: Box, tiles: int) -> None:
    """What each tile of a set beats, in two columns; in the large set one digit takes less room."""
    totals = SETS[tiles].totals
    narrow, wide = (76, 76) if tiles == 10 else (36, 60)
    half = len(totals) // 2
    for column, part in zip(box.columns(2, GAP), (totals[:half], totals[half:]), strict=True):
        for place, total in zip(column.rows(half, 8), part, strict=True):
            canvas.box(place, PANEL, radius=14)
            number, rest = place.inset(6, 8).cut_left(76, 6)
            canvas.text(number, str(total), size=52, fill=GOLD)
            for other in beaten(tiles, total):
                cell, rest = rest.cut_left(narrow if other < 10 else wide, 4)
                canvas.box(cell, TRAY, radius=10)
                canvas.text(cell.inset(2, 0), str(other), size=42)


def _draw_example(canvas: Canvas, box: Box, totals: tuple[int, int]) -> None:
    """A pair with its winner and why."""
    pair = _pair(totals)
    canvas.box(box, PANEL, radius=RADIUS)
    words, tiles = box.inset(16).cut_bottom(150, 10)
    for seat, place in enumerate(tiles.columns(2, 10)):
        number, rest = place.cut_top(80, 10)
        won = pair.winner == seat
        if won:
            crown, number = number.centered(168, 80).cut_left(52, 12)
            canvas.outline(crown.centered(52, 46), CROWN, GOLD)
        canvas.text(number, str(totals[seat]), size=72, fill=GOLD if won else MUTED)
        draw_fared(canvas, rest.inset(6, 20), totals[seat], won=won)
    above, below = words.rows(2)
    canvas.text(above, reason(pair), size=50)
    canvas.text(below, f"{winning_total(pair)} wins", size=50, fill=GOLD)


def _draw_row(canvas: Canvas, box: Box, totals: Sequence[int], *, size: int) -> None:
    for place, total in zip(box.columns(len(totals), 8), totals, strict=True):
        draw_tile(canvas, place, total, size=size)


def _pair(totals: tuple[int, int]) -> Pair:
    pair = _example((totals,), hands=((totals[0],), (totals[1],))).last
    assert pair is not None
    return pair


def _example(
    played: Sequence[tuple[int, int]], hands: tuple[tuple[int, ...], ...] = _HANDS
) -> View:
    """The table after these pairs, dealt for the example."""
    options, chance = Options(), Chance("example", 1)
    state = State(options=options, round=1, dealt=hands, hands=hands, pairs=(), left=())
    for totals in played:
        moves = {Seat(seat): Tile(total) for seat, total in enumerate(totals)}
        state = DUEL.play(state, moves, chance)
    return DUEL.observe(state, None)


_PAGES: Final[tuple[Callable[[Canvas, Box], None], ...]] = (
    _draw_idea,
    _draw_pairs,
    _draw_round,
    _draw_swap,
    _draw_sets,
    _draw_small_table,
    _draw_large_table,
)
