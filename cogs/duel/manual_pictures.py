"""The pictures of the rules of the tile duel, one for each page.

Pure top-level functions, so that a process pool can run them.
"""

from collections.abc import Sequence
from typing import Final

from bot.drawing.box import Box
from bot.drawing.canvas import Canvas
from bot.drawing.dominoes import domino_box, draw_domino_back
from bot.drawing.outlines import ARROW_DOWN, ARROW_RIGHT, ARROW_UP, CROWN
from bot.drawing.pages import DrawnPage, page_picture
from bot.drawing.palette import GOLD, MUTED, PANEL, TRAY
from bot.drawing.seats import RADIUS, draw_badge
from cogs.duel.pictures import (
    GAP,
    MARGIN,
    PANEL_HEIGHT,
    draw_played_tile,
    draw_seat,
    draw_tile,
)
from cogs.duel.text import beaten, reason, winning_total
from games.chance import Chance
from games.core import Seat
from games.duel import DUEL, SETS, Options, Pair, State, Tile, View

_HANDS: Final = ((3, 5, 8, 10, 12), (2, 4, 6, 7, 9))
_PLAYED: Final = ((10, 2), (8, 9), (5, 6))


def draw_page(page: int) -> bytes:
    """The picture of a manual page as a PNG; pages count from 0."""
    return page_picture(_PAGES[page], MARGIN)


def _draw_idea(canvas: Canvas, box: Box) -> None:
    """Two tiles face down, and the same two face up."""
    hidden, rest = box.cut_left(396, GAP)
    arrow, shown = rest.cut_left(80, GAP)
    canvas.box(hidden, PANEL, radius=RADIUS)
    words, tiles = hidden.inset(16).cut_bottom(150, 10)
    for seat, place in enumerate(tiles.columns(2, 22)):
        badge, tile = place.cut_top(70, 14)
        draw_badge(canvas, badge.centered(70, 70), seat)
        draw_domino_back(canvas, domino_box(tile.inset(0, 10)))
    for line, text in zip(words.rows(2), ("choose", "in secret"), strict=True):
        canvas.text(line, text, size=50)
    canvas.outline(arrow.centered(76, 76), ARROW_RIGHT, GOLD)
    _draw_example(canvas, shown, (10, 5))


def _draw_pairs(canvas: Canvas, box: Box) -> None:
    for place, totals in zip(box.rows(3, GAP), ((10, 7), (10, 5), (9, 8)), strict=True):
        _draw_example(canvas, place, totals)


def _draw_round(canvas: Canvas, box: Box) -> None:
    """Both seats after three pairs of a round, as the table shows them."""
    view = _example(_PLAYED)
    for seat, place in enumerate(box.rows(2, GAP)):
        draw_seat(canvas, place, view, Seat(seat))


def _draw_swap(canvas: Canvas, box: Box) -> None:
    """Both hands before and after the swap."""
    before, after = box.rows(2, 80)
    between = Box(box.left, before.bottom, box.width, 80)
    up, down = between.centered(160, 64).columns(2, 24)
    canvas.outline(up, ARROW_UP, GOLD)
    canvas.outline(down, ARROW_DOWN, GOLD)
    for title, place, order in (("Round 1", before, _HANDS), ("Round 2", after, _HANDS[::-1])):
        canvas.box(place, PANEL, radius=RADIUS)
        name, hands = place.inset(18, 14).cut_top(50, 12)
        canvas.text(name, title, size=44)
        for seat, hand in enumerate(hands.rows(2, 14)):
            badge, tiles = hand.cut_left(70, 14)
            draw_badge(canvas, badge.centered(70, 70), seat)
            _draw_row(canvas, tiles.centered(600, tiles.height), order[seat], size=44)


def _draw_sets(canvas: Canvas, box: Box) -> None:
    """The tiles of both sets, with those of the large set alone below."""
    small, large = SETS[10].totals, SETS[14].totals
    upper, rest = box.cut_top(250, GAP)
    canvas.box(upper, PANEL, radius=RADIUS)
    _draw_row(canvas, upper.inset(18), small, size=54)
    lower, words = rest.cut_left(400, GAP)
    canvas.box(lower, PANEL, radius=RADIUS)
    _draw_row(canvas, lower.inset(24, 18), large[len(small) :], size=54)
    canvas.box(words, PANEL, radius=RADIUS)
    lines = ("above: 10 tiles", "all: 14 tiles")
    for line, text in zip(words.inset(20, 50).rows(2), lines, strict=True):
        canvas.text(line, text, size=48)


def _draw_small_table(canvas: Canvas, box: Box) -> None:
    _draw_table(canvas, box, 10)


def _draw_large_table(canvas: Canvas, box: Box) -> None:
    _draw_table(canvas, box, 14)


def _draw_table(canvas: Canvas, box: Box, tiles: int) -> None:
    """For each tile of a set, the tiles it beats."""
    totals = SETS[tiles].totals
    for place, total in zip(box.rows(len(totals), 8), totals, strict=True):
        canvas.box(place, PANEL, radius=14)
        number, rest = place.inset(12, 4).cut_left(80, 16)
        canvas.text(number, str(total), size=52, fill=GOLD)
        for other in beaten(tiles, total):
            cell, rest = rest.cut_left(70, 8)
            canvas.box(cell, TRAY, radius=10)
            canvas.text(cell, str(other), size=44)


def _draw_example(canvas: Canvas, box: Box, totals: tuple[int, int]) -> None:
    """A pair, which tile wins and why."""
    pair = _pair(totals)
    canvas.box(box, PANEL, radius=RADIUS)
    wide = box.width > 2 * box.height
    inner = box.inset(16)
    words, tiles = inner.cut_right(360, 16) if wide else inner.cut_bottom(150, 10)
    for seat, place in enumerate(tiles.columns(2, 10)):
        number, rest = place.cut_top(70, 8)
        won = pair.winner == seat
        if won:
            crown, number = number.centered(168, 70).cut_left(52, 12)
            canvas.outline(crown.centered(52, 46), CROWN, GOLD)
        canvas.text(number, str(totals[seat]), size=66, fill=GOLD if won else MUTED)
        draw_played_tile(canvas, rest.inset(6, 8 if wide else 20), totals[seat], won=won)
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
    """The public view after these pairs were played from these hands."""
    options, chance = Options(), Chance("example", 1)
    state = State(options=options, round=1, dealt=hands, hands=hands, pairs=(), left=())
    for totals in played:
        moves = {Seat(seat): Tile(total) for seat, total in enumerate(totals)}
        state = DUEL.play(state, moves, chance)
    return DUEL.observe(state, None)


_PAGES: Final[tuple[DrawnPage, ...]] = (
    (_draw_idea, 560),
    (_draw_pairs, 800),
    (_draw_round, 2 * MARGIN + 2 * PANEL_HEIGHT + GAP),
    (_draw_swap, 940),
    (_draw_sets, 530),
    (_draw_small_table, 720),
    (_draw_large_table, 930),
)
