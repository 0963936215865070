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
from cogs.spite.card_names import is_wild, needed
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
HEIGHT: Final = 750
_MARGIN: Final = 14
_GAP: Final = 12
_RADIUS: Final = 20
_ROW: Final = 176
"""The height of what lies before a seat."""

_HAND: Final = 132
_MAX_FOUNDATIONS_ACROSS: Final = 7
"""Foundations side by side."""


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
    centers, source = middle.cut_left(middle.width - 170 - _GAP, _GAP)
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
    mark, rest = row.inset(14, 12).cut_left(104, 10)
    stock, piles = rest.cut_left(176, 14)
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
    lines = below.rows(2)
    who = "you" if seat == view.seat else "left" if seat == view.left else ""
    score = "" if view.options.target is None else f"won {view.scores[seat]}"
    if view.options.scoring == "points":
        score = f"{view.scores[seat]} pts"
    if seat != view.seat:
        draw_hidden(canvas, lines[0 if score else 1].centered(100, 38), view.sides[seat].hand)
    canvas.text(lines[1 if seat == view.seat or score else 0], score or who, size=30, fill=TEXT)
    if score and seat == view.seat:
        canvas.text(lines[0], who, size=30, fill=MUTED)


def _draw_hand(
    canvas: Canvas, box: Box, view: View, hand: Sequence[Face], can: Sequence[str]
) -> None:
    label, cards = box.cut_left(104, 10)
    first, second = label.centered(label.width, 76).rows(2)
    canvas.text(first, "your", size=30, fill=MUTED)
    canvas.text(second, "hand", size=30, fill=MUTED)
    if not hand:
        canvas.text(cards, "empty", size=36, fill=MUTED, align="left")
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
    """The top card of a foundation; beside or below it its name and the rank it needs next."""
    if 2 * box.height > 3 * box.width:
        height = min(box.height - 80, card_height(box.width), 200)
        upper, below = box.centered(box.width, height + 80).cut_top(height, 10)
        card = upper.centered(card_width(height), height)
        words = below.centered(card.width, below.height).columns(2, 6)
    else:
        share = 11 if box.width > 160 else 9  # a narrow place needs more of it for its words
        height = min(box.height, 210, card_height(box.width * share // 20))
        card, beside = box.centered(box.width, height).cut_left(card_width(height), 8)
        words = beside.rows(2)
    if pile:
        draw_face(canvas, card, pile[-1], wild=is_wild(view, pile[-1]))
    else:
        draw_empty(canvas, card)
    label, next_ = words
    size = min(label.height, max(32, height // 5))
    canvas.text(label, name, size=size, fill=MUTED, align="left")
    arrow, rank = next_.cut_left(max(min(22, next_.width // 4), height // 8), 3)
    canvas.outline(arrow.centered(arrow.width, arrow.width), ARROW_RIGHT, GOLD)
    size = min(rank.height, max(42, height * 3 // 10))
    canvas.text(rank, needed(pile), size=size, fill=GOLD, align="left")


def draw_source(canvas: Canvas, box: Box, view: View) -> None:
    """The source and the cards that will be shuffled under it."""
    canvas.box(box, PANEL, radius=_RADIUS)
    halves = box.inset(10, 12).rows(2, 8)
    for half, word in zip(halves, ("source", "removed"), strict=True):
        canvas.text(half.cut_top(30)[0], word, size=28, fill=MUTED)
    heaps = [half.cut_top(30, 4)[1] for half in halves]
    source, removed = (heap.centered(134, min(heap.height, 72)) for heap in heaps)
    draw_hidden(canvas, source, view.source)
    draw_removed(canvas, removed, len(view.removed))
