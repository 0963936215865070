"""The pictures of Prize Dominoes: the public table, and a hand for each seat.

Pure top-level functions from a view to a PNG, so that a process pool can run them. A hand is drawn
only if the view has it. Sizes are in pixels.
"""

from collections.abc import Sequence
from typing import Final

from bot.drawing.box import Box
from bot.drawing.canvas import PICTURE_WIDTH, Canvas
from bot.drawing.cards import DIM, PLAIN, draw_pips
from bot.drawing.dominoes import domino_box, draw_domino, draw_domino_back
from bot.drawing.outlines import ARROW_LEFT, ARROW_RIGHT, CROWN, Outline
from bot.drawing.palette import GOLD, INK, MUTED, PANEL, TRAY
from bot.drawing.seats import RADIUS, arrangement, draw_badge, draw_panel
from bot.text import counted
from cogs.prize.line_layout import lay_out
from cogs.prize.text import (
    fresh_prize,
    must_play_at_line,
    new_numbers,
    offers_prize,
    own_drawn,
    won_hand,
)
from games.core import Seat, winners
from games.prize import End, Tile, View
from games.prize.tiles import NUMBERS, Line, places

MARGIN: Final = 12
GAP: Final = 10

_SMALL: Final = 42
_HEAD: Final = 82
"""The height of a panel without prizes and hand; the heights below are added to it."""

_PRIZES: Final = 106
_IN_PLAY: Final = 200
"""The viewer's tiles while the hand is being played, with room for arrows."""

_OFFERED: Final = 174
"""The loser's tiles while the winner takes a prize, with room for what each would bring."""

_REVEALED: Final = 100
"""Tiles that are revealed after a hand, without notes below them."""

_BOARD: Final = 322
"""The height of the stock and the line."""

_SHORT_LINE: Final = 8
"""The most tiles that are always in one row."""

_SHORT_LINE_SAVING: Final = 120
"""How much lower the board is with a short line."""

_SHORT_LINE_EXTRA: Final = 80
"""How much higher the viewer's tiles are then."""

_NOTE: Final = 36
"""The height of the note below a tile."""

_WIDE_NOTE: Final = 64
"""The width from which a note has room for a number."""

_ARROWS: Final[dict[End, Outline]] = {"left": ARROW_LEFT, "right": ARROW_RIGHT}
_SIGN: Final = 96
"""The width of the sign at each end of the line."""


def draw(view: View) -> bytes:
    """The table if `view.seat` is None, else that seat's hand, with its own panel at the bottom."""
    upper, lower = arrangement(view.seat, 2)
    heights = _panel_height(view, upper), _board_height(view), _panel_height(view, lower)
    canvas = Canvas(PICTURE_WIDTH, sum(heights) + 2 * MARGIN + 2 * GAP)
    above, rest = canvas.area.inset(MARGIN).cut_top(heights[0], GAP)
    board, below = rest.cut_top(heights[1], GAP)
    draw_seat(canvas, above, view, upper)
    draw_board(canvas, board, view)
    draw_seat(canvas, below, view, lower)
    return canvas.png()


def _panel_height(view: View, seat: Seat) -> int:
    height = _HEAD + (_PRIZES if view.prizes[seat] else 0)
    if not _shown(view, seat):
        return height
    if won_hand(view) is None:
        return height + _IN_PLAY + (_SHORT_LINE_EXTRA if len(view.line) <= _SHORT_LINE else 0)
    return height + (_OFFERED if offers_prize(view, seat) else _REVEALED)


def _board_height(view: View) -> int:
    return _BOARD - (_SHORT_LINE_SAVING if len(view.line) <= _SHORT_LINE else 0)


def _shown(view: View, seat: Seat) -> tuple[Tile, ...]:
    """The tiles of a seat that the viewer sees, including a drawn one that waits for its end."""
    hand = view.hands[seat] or ()
    return (*hand, view.asked) if view.asked is not None and seat == view.turn else hand


def draw_board(canvas: Canvas, box: Box, view: View) -> None:
    """The stock, and the line below it."""
    canvas.box(box, TRAY, radius=RADIUS, edge=PANEL, width=4)
    stock, line = box.inset(16, 10).cut_top(54, 8)
    _draw_stock(canvas, stock, view)
    if view.ends is None:
        canvas.text(line, "No tile laid yet", size=_SMALL, fill=MUTED, bold=False)
        return
    draw_line(canvas, line, view.line, newest=_newest(view))


def _newest(view: View) -> int | None:
    """The index in the line of the tile laid last; None in a puzzle, which has no events."""
    laid = [event for event in view.events if event.tile is not None]
    if not laid:
        return None
    return 0 if laid[-1].end != "right" else len(view.line) - 1


def draw_line(canvas: Canvas, box: Box, line: Line, *, newest: int | None = None) -> None:
    """The tiles of a line, with a sign at each end; `newest` is the index of a tile to frame."""
    shape = lay_out(line, box, _SIGN)
    order = [i for i in range(len(line)) if i != newest]
    # The newest last, so that no tile covers its frame.
    for i in [*order, *([] if newest is None else [newest])]:
        laid = shape.tiles[i]
        draw_domino(canvas, laid.box.inset(1), laid.halves, framed=i == newest)
    _draw_end(canvas, shape.left.inset(10, 0), line[0][0], "left")
    _draw_end(canvas, shape.right.inset(10, 0), line[-1][1], "right")


def _draw_end(canvas: Canvas, box: Box, number: int, end: End) -> None:
    """The sign of an end: its number, and an arrow to where a tile can be added."""
    tag = box.centered(box.width, 52)
    canvas.box(tag, GOLD, radius=16)
    inner = tag.inset(9, 0)
    arrow, rest = inner.cut_left(30, 2) if end == "left" else inner.cut_right(30, 2)
    canvas.outline(arrow.centered(30, 28), _ARROWS[end], INK)
    canvas.text(rest, str(number), size=42, fill=INK)


def _draw_stock(canvas: Canvas, box: Box, view: View) -> None:
    """The number of the hand, a pass if the last turn was one, and the size of the stock."""
    hand, rest = box.cut_left(250)
    canvas.text(hand, f"hand {view.number}", size=_SMALL, fill=MUTED, align="left")
    if view.passes == 1:
        canvas.text(rest.cut_left(200)[0], "1 pass", size=_SMALL, fill=GOLD)
    number, rest = rest.cut_right(72)
    canvas.text(number, str(view.stock), size=44, align="right")
    if view.stock:
        back, rest = rest.cut_right(30, 14)
        draw_domino_back(canvas, domino_box(back.centered(26, 52)))
    canvas.text(rest.cut_right(200)[0], "stock", size=_SMALL, fill=MUTED, align="right")


def draw_seat(canvas: Canvas, box: Box, view: View, seat: Seat) -> None:
    """A seat's panel: its mark, its numbers, its prizes, and its tiles if the view has them."""
    marked = seat in winners(view.outcome) or seat in view.awaiting
    draw_panel(canvas, box, own=seat == view.seat, marked=marked)
    row, rest = box.cut_top(_HEAD)
    head, numbers = row.inset(16, 12).cut_left(412, 12)
    _draw_head(canvas, head, view, seat)
    draw_numbers(canvas, numbers, view.missing[seat])
    if view.prizes[seat]:
        prizes, rest = rest.cut_top(_PRIZES)
        prizes = prizes.inset(16, 0).cut_top(_PRIZES - 8)[0]
        draw_prizes(canvas, prizes, view.prizes[seat], fresh=fresh_prize(view, seat))
    if rest.height:
        _draw_hand(canvas, rest.inset(16, 6), view, seat)


def _draw_head(canvas: Canvas, box: Box, view: View, seat: Seat) -> None:
    """A seat's mark, its status, and how many tiles it holds; their pips after the hand."""
    badge, rest = box.cut_left(box.height, 14)
    draw_badge(canvas, badge, seat)
    result = won_hand(view)
    has_won = seat in winners(view.outcome)
    word, count = rest.cut_left(158 if result is None or has_won else 142, 8)
    if has_won:
        crown, word = word.cut_left(50, 6)
        canvas.outline(crown.centered(50, 46), CROWN, GOLD)
    canvas.text(word, _status(view, seat), size=_SMALL, align="left")
    if result is not None:
        canvas.text(count, counted(result.pips[seat], "pip"), size=_SMALL, align="left")
        return
    back, number = count.cut_left(30, 12)
    draw_domino_back(canvas, domino_box(back.centered(26, 52)))
    held = view.held[seat] + (view.asks and seat == view.turn)
    canvas.text(number, str(held), size=44, align="left")


def _status(view: View, seat: Seat) -> str:
    if seat in view.left:
        return "out"
    if seat in view.awaiting:
        return "takes" if won_hand(view) else "moves"
    return "you" if seat == view.seat else ""


def draw_prizes(
    canvas: Canvas, box: Box, prizes: Sequence[Tile], *, fresh: Tile | None = None
) -> None:
    """A prize row; the prize just taken has a frame."""
    canvas.box(box, TRAY, radius=14)
    inner = box.inset(12, 6)
    step = min(inner.height // 2 + 12, inner.width // max(1, len(prizes)))
    for i, tile in enumerate(prizes):
        place = Box(inner.left + i * step, inner.top, step, inner.height).inset(3, 0)
        draw_domino(canvas, domino_box(place), tile, framed=tile == fresh)


def draw_numbers(canvas: Canvas, box: Box, missing: Sequence[int]) -> None:
    """The seven numbers, filled discs for those in the prizes, else rings; and how many it has."""
    count, rest = box.cut_right(84, 4)
    cells = rest.columns(len(NUMBERS))
    side = min(cells[0].width - 2, cells[0].height)
    size = side * 3 // 4
    for number, cell in zip(NUMBERS, cells, strict=True):
        disc = cell.centered(side, side)
        if number in missing:
            canvas.disc(disc, TRAY, edge=MUTED, width=3)
        else:
            canvas.disc(disc, GOLD)
        canvas.text(disc, str(number), size=size, fill=MUTED if number in missing else INK)
    have = len(NUMBERS) - len(missing)
    canvas.text(count, f"{have}/{len(NUMBERS)}", size=_SMALL, align="right")


def _draw_hand(canvas: Canvas, box: Box, view: View, seat: Seat) -> None:
    """A seat's visible tiles; a tile just drawn has a frame.

    Below a tile: the ends it fits, or how many new numbers it has for the winner of the hand.
    """
    tiles = _shown(view, seat)
    room = _NOTE if offers_prize(view, seat) or won_hand(view) is None else 0
    step = min((box.height - room) // 2 + 14, box.width // len(tiles))
    left = box.left + (box.width - step * len(tiles)) // 2
    for i, tile in enumerate(tiles):
        column = Box(left + i * step, box.top, step, box.height).inset(3, 0)
        note, place = column.cut_bottom(room)
        framed = tile in (view.asked, own_drawn(view))
        tile_box = domino_box(place.inset(0, 6))
        if offers_prize(view, seat):
            draw_domino(canvas, tile_box, tile)
            draw_gain(canvas, note, len(new_numbers(view, tile)))
        elif must_play_at_line(view, seat) and view.ends is not None:
            fitting = places(tile, view.ends)
            draw_domino(canvas, tile_box, tile, tone=PLAIN if fitting else DIM, framed=framed)
            draw_fit(canvas, note, fitting)
        else:
            draw_domino(canvas, tile_box, tile, framed=framed)
            draw_fit(canvas, note, ("left", "right") if tile == view.asked else ())


def draw_gain(canvas: Canvas, box: Box, count: int, *, size: int = _SMALL) -> None:
    """How many new numbers a tile has for the winner of the hand; as dots in a narrow box."""
    if box.width >= _WIDE_NOTE:
        canvas.text(box, f"+{count}" if count else "", size=size, fill=GOLD)
    else:
        draw_pips(canvas, box.centered(box.width, 18), count, GOLD)


def draw_fit(canvas: Canvas, box: Box, ends: Sequence[End], *, size: int = 26) -> None:
    """Arrows to the ends that a tile fits."""
    width = (size + 4) * len(ends)
    for spot, end in zip(box.centered(width, size).columns(max(1, len(ends))), ends, strict=False):
        canvas.outline(spot.centered(size, size), _ARROWS[end], GOLD)
