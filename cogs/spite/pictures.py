"""The pictures of Spite and Malice: a table for everybody and a hand for each seat.

Pure functions at the top level, so that a process pool can run them: a view in, a PNG out.
"""

from collections.abc import Sequence
from typing import Final

from bot.drawing.box import Box
from bot.drawing.canvas import Canvas
from bot.drawing.cards import card_height, card_width
from bot.drawing.outlines import ARROW_RIGHT, CROWN
from bot.drawing.palette import GOLD, MUTED, PANEL, PANEL_OWN, TEXT, TRAY
from bot.drawing.seats import draw_badge
from cogs.spite.alt_text import arrangement, playable
from cogs.spite.card_names import is_wild, needed, shown
from cogs.spite.piles import (
    draw_empty,
    draw_face,
    draw_fan,
    draw_hidden,
    draw_removed,
    draw_stock,
)
from cogs.spite.text import champion
from games.core import Seat
from games.spite import Face, View
from games.spite.legality import may_start
from games.spite.moves import PILES

WIDTH: Final = 1200
HEIGHT: Final = 840
_MARGIN: Final = 14
_GAP: Final = 12
_RADIUS: Final = 20
_SMALL: Final = 42
_ROW: Final = 186
"""The height of what lies before a seat."""

_HAND: Final = 146
_MARK: Final = 126
_MAX_FOUNDATIONS_ACROSS: Final = 7
"""Foundations side by side."""

_TALL: Final = 190
"""From this height on a foundation has its words below its card."""

_WORDS: Final = 96


def draw(view: View) -> bytes:
    """The table where `view.seat` is None; else the hand of that seat, its own cards below."""
    canvas = Canvas(WIDTH, HEIGHT)
    area = canvas.area.inset(_MARGIN)
    above, rest = area.cut_top(_ROW, _GAP)
    own = 0 if view.seat is None else _HAND
    below, middle = rest.cut_bottom(_ROW + own, _GAP)
    upper, lower = arrangement(view)
    draw_side(canvas, above, view, upper)
    draw_side(canvas, below, view, lower)
    centers, source = middle.cut_left(middle.width - 190 - _GAP, _GAP)
    draw_foundations(canvas, centers, view)
    draw_source(canvas, source, view)
    return canvas.png()


def draw_side(canvas: Canvas, box: Box, view: View, seat: Seat) -> None:
    """What lies before a seat: its mark, its stock, its discard piles; its own hand below."""
    won = champion(view) == seat
    own = seat == view.seat
    edge = GOLD if won else None
    canvas.box(box, PANEL_OWN if own else PANEL, radius=_RADIUS, edge=edge, width=5)
    row, below = box.cut_top(_ROW)
    mark, rest = row.inset(14, 12).cut_left(_MARK, 10)
    stock, piles = rest.cut_left(184, 14)
    _draw_mark(canvas, mark, view, seat)
    can = playable(view) if own else ()
    side = view.sides[seat]
    wild = side.top is not None and is_wild(view, side.top)
    draw_stock(canvas, stock, side, wild=wild, framed="stock" in can)
    named = zip(piles.columns(len(PILES), _GAP), PILES, side.discards, strict=True)
    for place, name, pile in named:
        draw_fan(canvas, place, view, pile, name=name, framed=name in can)
    if own and view.hand is not None:
        _draw_hand(canvas, below.inset(14, 0).cut_top(_HAND - 14)[0], view, view.hand, can)


def _draw_mark(canvas: Canvas, box: Box, view: View, seat: Seat) -> None:
    """Whose side it is, who is on turn or has won, and how many cards are in hand."""
    above, below = box.cut_top(66, 6)
    sign, badge = above.cut_left(34, 6)
    if champion(view) == seat:
        canvas.outline(sign.centered(34, 30), CROWN, GOLD)
    elif seat in view.awaiting:
        canvas.outline(sign.centered(32, 32), ARROW_RIGHT, GOLD)
    draw_badge(canvas, badge.centered(62, 62), seat)
    first, second = below.rows(2)
    if view.options.target is not None:
        games = view.options.scoring == "games"
        _draw_score(canvas, second, view.scores[seat], games=games)
        second = first
    elif seat == view.left:
        canvas.text(first, "left", size=_SMALL)
    if seat == view.seat:
        canvas.text(second, "you", size=_SMALL)
    else:
        draw_hidden(canvas, second.centered(100, 40), view.sides[seat].hand)


def _draw_score(canvas: Canvas, box: Box, score: int, *, games: bool) -> None:
    """What a seat has won in a series: a crown for games, a coin for points."""
    sign, number = box.cut_left(36, 6)
    if games:
        canvas.outline(sign.centered(36, 32), CROWN, TEXT)
    else:
        canvas.disc(sign.centered(30, 30), TEXT, edge=MUTED, width=5)
    canvas.text(number, str(score), size=_SMALL, align="left")


def _draw_hand(
    canvas: Canvas, box: Box, view: View, hand: Sequence[Face], can: Sequence[str]
) -> None:
    label, cards = box.cut_left(_MARK, 10)
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


def draw_foundations(canvas: Canvas, box: Box, view: View) -> None:
    """The foundations in the order of their names, each with what it needs; room for a new one."""
    canvas.box(box, TRAY, radius=_RADIUS, edge=PANEL, width=4)
    piles = view.foundations
    room = may_start(view.options, piles) and view.outcome is None
    count = max(len(piles) + room, 1)
    rows = -(-count // _MAX_FOUNDATIONS_ACROSS)
    across = max(-(-count // rows), 5)
    places = [
        place for line in box.inset(16, 12).rows(rows, 8) for place in line.columns(across, 10)
    ]
    for i, (pile, place) in enumerate(zip(piles, places, strict=False)):
        draw_foundation(canvas, place, view, pile, name=f"f{i + 1}")
    if room:
        draw_foundation(canvas, places[len(piles)], view, (), name="new")


def draw_foundation(
    canvas: Canvas, box: Box, view: View, pile: tuple[Face, ...], *, name: str
) -> None:
    """The top card of a foundation; below or beside it its name and the rank it needs next."""
    if box.height >= _TALL:
        height = min(box.height - _WORDS, card_height(box.width), 220)
        upper, words = box.centered(box.width, height + _WORDS).cut_top(height)
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
    _draw_needed(canvas, next_, needed(pile))


def _draw_needed(canvas: Canvas, box: Box, rank: Face) -> None:
    """The rank that a foundation takes next, behind an arrow where there is room for one."""
    if box.width < 92:
        canvas.text(box, shown(rank), size=_SMALL, fill=GOLD)
        return
    arrow, text = box.centered(92, box.height).cut_left(26, 4)
    canvas.outline(arrow.centered(26, 26), ARROW_RIGHT, GOLD)
    canvas.text(text, shown(rank), size=_SMALL, fill=GOLD)


def draw_source(canvas: Canvas, box: Box, view: View) -> None:
    """The source and the used cards that will be shuffled under it."""
    canvas.box(box, PANEL, radius=_RADIUS)
    halves = box.inset(10, 6).rows(2, 4)
    heaps = (draw_hidden, view.source, "source"), (draw_removed, len(view.removed), "used")
    for half, (draw_heap, count, word) in zip(halves, heaps, strict=True):
        title, heap = half.cut_top(44, 2)
        canvas.text(title, word, size=_SMALL, fill=MUTED)
        draw_heap(canvas, heap.centered(150, min(heap.height, 72)), count)
