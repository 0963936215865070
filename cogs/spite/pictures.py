"""The pictures of Spite and Malice: the public table, and a hand for each seat.

Pure top-level functions from a view to a PNG, so that a process pool can run them. Sizes are in
pixels.
"""

from collections.abc import Sequence
from typing import Final

from bot.drawing.box import Box
from bot.drawing.canvas import PICTURE_WIDTH, Canvas
from bot.drawing.cards import card_height, card_width
from bot.drawing.outlines import ARROW_RIGHT, CROWN
from bot.drawing.palette import GOLD, MUTED, PANEL, TEXT, TRAY
from bot.drawing.seats import RADIUS, arrangement, draw_badge, draw_panel
from cogs.spite.card_names import is_wild, needed, printed_face
from cogs.spite.piles import (
    draw_empty,
    draw_face,
    draw_fan,
    draw_hidden,
    draw_removed,
    draw_stock,
)
from cogs.spite.text import playable
from games.core import Seat, winners
from games.spite import Face, View
from games.spite.legality import may_start
from games.spite.moves import PILES

_MARGIN: Final = 12
_GAP: Final = 10
_SMALL: Final = 42
_SIDE: Final = 226
"""The height of a seat's panel without the hand."""

_HEAD: Final = 52
_STOCK: Final = 172
_HAND: Final = 146
_LABEL: Final = 118
_SOURCE: Final = 50
"""The height of the line above the foundations, with the source."""

_GRIDS: Final = {4: (1, 5), 7: (1, 7), 10: (2, 5), 15: (3, 5), 24: (4, 6)}
"""Rows and columns of foundations, by the most places they have to hold.

With up to four, the source takes the fifth column.
"""

_ROWS: Final = {1: 250, 2: 232, 3: 312, 4: 328}
"""The height of the foundations, by number of rows."""

_TALL: Final = 190
"""The height from which a foundation's words are below its card, not beside it."""

_WORDS_HEIGHT: Final = 96


def draw(view: View) -> bytes:
    """The table if `view.seat` is None, else that seat's hand, with its own cards at the bottom."""
    own = 0 if view.seat is None else _HAND
    middle = _foundations_height(view)
    canvas = Canvas(PICTURE_WIDTH, 2 * _MARGIN + 2 * _SIDE + own + middle + 2 * _GAP)
    above, rest = canvas.area.inset(_MARGIN).cut_top(_SIDE, _GAP)
    center, below = rest.cut_top(middle, _GAP)
    upper, lower = arrangement(view.seat, 2)
    draw_side(canvas, above, view, upper)
    draw_side(canvas, below, view, lower)
    draw_foundations(canvas, center, view)
    return canvas.png()


def draw_side(canvas: Canvas, box: Box, view: View, seat: Seat) -> None:
    """A seat's panel: its mark, stock and discard piles; the viewer's own also has their hand."""
    own = seat == view.seat
    draw_panel(canvas, box, own=own, marked=seat in winners(view.outcome))
    row, below = box.cut_top(_SIDE)
    head, row = row.inset(16, 10).cut_top(_HEAD, 4)
    _draw_head(canvas, head, view, seat)
    stock, piles = row.cut_left(_STOCK, 12)
    can = playable(view) if own else ()
    side = view.sides[seat]
    wild = side.top is not None and is_wild(view, side.top)
    draw_stock(canvas, stock, side, wild=wild, framed="stock" in can)
    named = zip(piles.columns(len(PILES), _GAP), PILES, side.discards, strict=True)
    for place, name, pile in named:
        draw_fan(canvas, place, view, pile, name=name, framed=name in can)
    if own and view.hand is not None:
        _draw_hand(canvas, below.inset(16, 0).cut_top(_HAND - 10)[0], view, view.hand, can)


def _draw_head(canvas: Canvas, box: Box, view: View, seat: Seat) -> None:
    """A seat's mark, whether it's on turn or has won, its score, and the size of a hidden hand."""
    badge, rest = box.cut_left(box.height, 12)
    draw_badge(canvas, badge, seat)
    sign, rest = rest.cut_left(46, 12)
    if seat in winners(view.outcome):
        canvas.outline(sign.centered(46, 42), CROWN, GOLD)
    elif seat in view.awaiting:
        canvas.outline(sign.centered(42, 40), ARROW_RIGHT, GOLD)
    word, rest = rest.cut_left(130, 12)
    label = "you" if seat == view.seat else "out" if seat == view.left else ""
    canvas.text(word, label, size=_SMALL, align="left")
    held, rest = rest.cut_right(200, 12)
    if seat != view.seat:
        cards, count = held.cut_left(110, 12)
        canvas.text(cards, "hand", size=_SMALL, fill=MUTED, align="right")
        draw_hidden(canvas, count.centered(count.width, 48), view.sides[seat].hand)
    if view.options.target is not None:
        games = view.options.scoring == "games"
        _draw_score(canvas, rest.cut_left(160)[0], view.scores[seat], games=games)


def _draw_score(canvas: Canvas, box: Box, score: int, *, games: bool) -> None:
    """A seat's score in a series, with a crown for games or a coin for points."""
    sign, number = box.cut_left(36, 6)
    if games:
        canvas.outline(sign.centered(36, 32), CROWN, TEXT)
    else:
        canvas.disc(sign.centered(30, 30), TEXT, edge=MUTED, width=5)
    canvas.text(number, str(score), size=_SMALL, align="left")


def _draw_hand(
    canvas: Canvas, box: Box, view: View, hand: Sequence[Face], can: Sequence[str]
) -> None:
    label, cards = box.cut_left(_LABEL, 12)
    first, second = label.centered(label.width, 92).rows(2)
    canvas.text(first, "your", size=_SMALL, fill=MUTED)
    canvas.text(second, "hand", size=_SMALL, fill=MUTED)
    if not hand:
        canvas.text(cards, "empty", size=_SMALL, fill=MUTED, align="left")
    height = box.height - 8
    width = height * 3 // 4
    for i, face in enumerate(hand):
        card = Box(cards.left + i * (width + 18), box.top + 2, width, height)
        draw_face(canvas, card, face, wild=is_wild(view, face), framed=face in can)


def _place_count(view: View) -> int:
    """The number of foundations, plus one if a new one can be started."""
    room = may_start(view.options, view.foundations) and bool(view.awaiting)
    return len(view.foundations) + room


def _grid(view: View) -> tuple[int, int]:
    """The rows and columns of the foundations."""
    return next(grid for most, grid in _GRIDS.items() if _place_count(view) <= most)


def _foundations_height(view: View) -> int:
    return _ROWS[_grid(view)[0]] + (28 if _has_column(view) else 28 + _SOURCE)


def _has_column(view: View) -> bool:
    """Whether foundations are few enough for the source to fit beside them."""
    return _grid(view) == (1, 5)


def draw_foundations(canvas: Canvas, box: Box, view: View) -> None:
    """The source, the foundations, and a place for a new one if it can be started."""
    canvas.box(box, TRAY, radius=RADIUS, edge=PANEL, width=4)
    piles, (rows, columns) = view.foundations, _grid(view)
    inner = box.inset(16, 14)
    if _has_column(view):
        column, room = inner.cut_right(170, 20)
        columns -= 1
        heaps = column.inset(0, 8).rows(2, 12)
    else:
        line, room = inner.cut_top(_SOURCE - 6, 6)
        heaps = line.columns(2, 20)
    _draw_source(canvas, heaps, view)
    places = [place for line in room.rows(rows, 6) for place in line.columns(columns, 8)]
    for i, (pile, place) in enumerate(zip(piles, places, strict=False)):
        draw_foundation(canvas, place, view, pile, name=f"f{i + 1}")
    if _place_count(view) > len(piles):
        draw_foundation(canvas, places[len(piles)], view, (), name="new")


def draw_foundation(
    canvas: Canvas, box: Box, view: View, pile: tuple[Face, ...], *, name: str
) -> None:
    """A foundation's top card, with its name and the rank it needs next below or beside it."""
    if box.height >= _TALL:
        height = min(box.height - _WORDS_HEIGHT, card_height(box.width), 220)
        upper, words = box.centered(box.width, height + _WORDS_HEIGHT).cut_top(height)
        card = upper.centered(card_width(height), height)
    else:
        height = min(box.height, card_height(max(box.width - 76, 30)), 210)
        card, words = box.centered(box.width, height).cut_left(card_width(height), 6)
        words = words.centered(words.width, min(box.height, 100))
    if pile:
        draw_face(canvas, card, pile[-1], wild=is_wild(view, pile[-1]))
    elif box.height >= _TALL:
        draw_empty(canvas, card)
    else:
        words = box.centered(box.width, words.height)  # the name of a new one is longer
    label, next_ = words.rows(2)
    canvas.text(label, name, size=_SMALL, fill=MUTED)
    draw_needed(canvas, next_, needed(pile))


def draw_needed(canvas: Canvas, box: Box, rank: Face) -> None:
    """The rank that a foundation needs next, after an arrow if there's room for one."""
    if box.width < 92:
        canvas.text(box, printed_face(rank), size=_SMALL, fill=GOLD)
        return
    arrow, text = box.centered(92, box.height).cut_left(26, 4)
    canvas.outline(arrow.centered(26, 26), ARROW_RIGHT, GOLD)
    canvas.text(text, printed_face(rank), size=_SMALL, fill=GOLD)


def _draw_source(canvas: Canvas, places: Sequence[Box], view: View) -> None:
    """The source, and the used cards that will be shuffled back into it, with their labels."""
    heaps = (draw_hidden, view.source, "source"), (draw_removed, len(view.removed), "used")
    for place, (draw_heap, count, word) in zip(places, heaps, strict=True):
        wide = place.width > 3 * place.height
        title, heap = place.cut_left(170, 16) if wide else place.cut_top(46, 6)
        canvas.text(title, word, size=_SMALL, fill=MUTED, align="left")
        draw_heap(canvas, heap.cut_top(min(heap.height, 64))[0], count)
