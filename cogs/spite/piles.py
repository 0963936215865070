"""Draws cards and piles of Spite and Malice. Sizes are in pixels."""

from collections.abc import Sequence
from typing import Final

from bot.drawing.box import Box
from bot.drawing.canvas import Canvas
from bot.drawing.cards import PLAIN, Tone, card_width, draw_back, draw_card
from bot.drawing.palette import EDGE, GOLD, INK, MUTED, PAPER, RED, TRAY, mix
from cogs.spite.card_names import is_wild, printed_face
from games.spite import Face, SideView, View

WILD: Final = Tone(mix(PAPER, GOLD, 0.5), INK, RED)
"""The colors of wild cards; nothing else in a picture says whether kings are wild."""

MAX_FANNED_CARDS: Final = 4
"""The most cards of a discard pile that are drawn; its title says how many there are."""

_SMALL: Final = 42
_TITLE: Final = 44


def draw_face(
    canvas: Canvas, box: Box, face: Face, *, wild: bool = False, framed: bool = False
) -> None:
    """A card face up; a frame marks cards that can be played."""
    draw_card(canvas, box, printed_face(face), tone=WILD if wild else PLAIN, framed=framed)


def draw_empty(canvas: Canvas, box: Box) -> None:
    """An empty place for a card."""
    canvas.box(box, TRAY, radius=box.width // 9, edge=mix(MUTED, TRAY, 0.55), width=3)


def draw_hidden(canvas: Canvas, box: Box, count: int) -> None:
    """A face-down pile, and how many cards it has."""
    back, number = box.cut_left(card_width(box.height), 10)
    if count:
        draw_back(canvas, back)
    else:
        draw_empty(canvas, back)
    canvas.text(number, str(count), size=46, align="left")


def draw_removed(canvas: Canvas, box: Box, count: int) -> None:
    """The cards of completed foundations, which were face up, and how many there are."""
    card, number = box.cut_left(card_width(box.height), 10)
    if count:
        draw_card(canvas, card.moved(5, 0), "")
        draw_card(canvas, card, "")
    else:
        draw_empty(canvas, card)
    canvas.text(number, str(count), size=46, align="left")


def draw_stock(canvas: Canvas, box: Box, side: SideView, *, wild: bool, framed: bool) -> None:
    """A stock's top card and its size, in large digits because that decides the game."""
    title, heap = box.cut_top(_TITLE, box.height // 20)
    canvas.text(title, "stock", size=_SMALL, fill=MUTED, align="left")
    card = heap.cut_left(card_width(heap.height))[0]
    words = heap.cut_left(card.width + 18)[1]
    if side.top is None:
        draw_empty(canvas, card)
    else:
        for shift in (8, 4):
            if side.stock > shift // 4:
                draw_back(canvas, card.moved(shift, 0))
        draw_face(canvas, card, side.top, wild=wild, framed=framed)
    canvas.text(words, str(side.stock), size=max(52, heap.height // 2), align="left")


def draw_fan(
    canvas: Canvas,
    box: Box,
    view: View,
    pile: Sequence[Face],
    *,
    name: str,
    framed: bool = False,
) -> None:
    """A discard pile: its name, its size, and its last cards with the top one on the right."""
    title, heap = box.cut_top(_TITLE, box.height // 20)
    count = f" \N{MULTIPLICATION SIGN}{len(pile)}" if len(pile) > 1 else ""
    canvas.text(title, f"{name}{count}", size=_SMALL, fill=MUTED, align="left")
    card = heap.cut_left(card_width(heap.height))[0]
    if not pile:
        draw_empty(canvas, card)
        return
    size = max(_SMALL, heap.height // 3)
    under, top = _fanned(pile, heap.width - card.width, size), pile[-1]
    for face in under:
        tone = WILD if is_wild(view, face) else PLAIN
        canvas.box(card, tone.paper, radius=card.width // 9, edge=EDGE, width=2)
        seen = Box(card.left + 2, card.top, _strip(face, size) - 3, card.height)
        canvas.text(seen, printed_face(face), size=size, fill=tone.ink)
        card = card.moved(_strip(face, size), 0)
    draw_face(canvas, card, top, wild=is_wild(view, top), framed=framed)


def _fanned(pile: Sequence[Face], room: int, size: int) -> Sequence[Face]:
    """The cards below the top one whose strips fit into a width, the lowest first."""
    under = list(pile[-MAX_FANNED_CARDS:-1])
    while sum(_strip(face, size) for face in under) > room:
        del under[0]
    return under


def _strip(face: Face, size: int) -> int:
    """The visible width of a card below another one: enough for its face at a font size."""
    return size * (138 if face == "10" else 91) // 100
