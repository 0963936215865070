"""The pictures of the rules, one a page of `manual`."""

from collections.abc import Callable, Sequence
from typing import Final

from bot.drawing.box import Box
from bot.drawing.canvas import Canvas
from bot.drawing.cards import card_height, card_width, draw_back
from bot.drawing.outlines import ARROW_RIGHT, CROSS, CROWN
from bot.drawing.palette import GOLD, MUTED, PANEL, RED_ON_DARK, TRAY
from bot.drawing.seats import draw_badge
from cogs.spite.manual import EXAMPLE, side
from cogs.spite.pictures import WIDTH, draw, draw_foundation
from cogs.spite.piles import draw_empty, draw_face, draw_fan, draw_stock
from games.spite import Face
from games.spite.cards import RANKS

HEIGHT: Final = 480
_GAP: Final = 12
_RADIUS: Final = 20


def draw_page(page: int) -> bytes | None:
    """The picture of a page of the manual, counted from 0; None where there is none."""
    if page not in range(len(_PAGES)):
        return None
    draw_content = _PAGES[page]
    if draw_content is None:
        return draw(EXAMPLE)
    canvas = Canvas(WIDTH, HEIGHT)
    draw_content(canvas, canvas.area.inset(14))
    return canvas.png()


def _race(canvas: Canvas, box: Box) -> None:
    left, rest = box.cut_left(520, _GAP)
    arrow, right = rest.cut_left(120, _GAP)
    canvas.box(left, PANEL, radius=_RADIUS)
    stock = left.centered(400, 330)
    draw_stock(canvas, stock, side(12, "5", 5), wild=False, framed=True)
    canvas.outline(arrow.centered(100, 100), ARROW_RIGHT, GOLD)
    canvas.box(right, TRAY, radius=_RADIUS, edge=PANEL, width=4)
    draw_foundation(canvas, right.centered(430, 300), EXAMPLE, RANKS[:4], name="f1")


def _foundation(canvas: Canvas, box: Box) -> None:
    canvas.box(box, TRAY, radius=_RADIUS, edge=PANEL, width=4)
    for line, faces in zip(box.inset(60, 24).rows(2, 24), (RANKS[:6], RANKS[6:12]), strict=True):
        for place, face in zip(line.columns(6, 20), faces, strict=True):
            draw_face(canvas, _card(place), face)


def _wild(canvas: Canvas, box: Box) -> None:
    canvas.box(box, TRAY, radius=_RADIUS, edge=PANEL, width=4)
    faces: tuple[Face, ...] = ("A", "2", "K", "4")
    *places, last = box.inset(40, 30).columns(5, 24)
    for place, face, rank in zip(places, faces, ("A", "2", "3", "4"), strict=True):
        card, word = place.cut_top(place.height - 90, 10)
        draw_face(canvas, _card(card), face, wild=face == "K")
        if face == "K":
            canvas.text(word, f"as {rank}", size=42, fill=GOLD)
    card, word = last.cut_top(last.height - 90, 10)
    draw_empty(canvas, _card(card))
    canvas.text(word, "needs 5", size=42, fill=GOLD)


def _turn(canvas: Canvas, box: Box) -> None:
    parts = box.columns(3, 70)
    steps: tuple[tuple[str, tuple[Face, ...]], ...] = (
        ("draw up to 5", ()),
        ("play", ("3", "4", "5")),
        ("discard", ("9",)),
    )
    for place, (word, faces) in zip(parts, steps, strict=True):
        canvas.box(place, PANEL, radius=_RADIUS)
        title, cards = place.inset(14, 20).cut_bottom(80, 10)
        canvas.text(title, word, size=42)
        _set(canvas, cards.inset(4, 30), faces)
    for before in parts[:-1]:
        gap = Box(before.right + 5, box.top, 60, box.height)
        canvas.outline(gap.centered(56, 56), ARROW_RIGHT, GOLD)


def _discards(canvas: Canvas, box: Box) -> None:
    piles: tuple[tuple[Face, ...], ...] = (("8", "7", "6"), ("2", "Q"), ("9", "9", "9"))
    words = ("counts down", "buries the 2", "three together")
    for i, (place, pile) in enumerate(zip(box.columns(3, _GAP), piles, strict=True)):
        canvas.box(place, PANEL, radius=_RADIUS)
        word, cards = place.inset(14, 24).cut_bottom(70, 16)
        canvas.text(word, words[i], size=42, fill=RED_ON_DARK if i == 1 else GOLD)
        draw_fan(canvas, cards.centered(340, 270), EXAMPLE, pile, name=f"d{i + 1}")


def _end(canvas: Canvas, box: Box) -> None:
    for seat, place in enumerate(box.columns(2, _GAP)):
        won = seat == 0
        canvas.box(place, PANEL, radius=_RADIUS, edge=GOLD if won else None, width=5)
        mark, stock = place.inset(24, 60).cut_left(196, 10)
        above, below = mark.rows(2)
        draw_badge(canvas, above.centered(100, 100), seat)
        if won:
            canvas.outline(below.centered(90, 80), CROWN, GOLD)
            canvas.text(below.moved(0, 80), "7 points", size=42, fill=GOLD)
        shown = side(0, None, 0) if won else side(7, "10", 5)
        draw_stock(canvas, stock.centered(stock.width, 300), shown, wild=False, framed=False)


def _agreements(canvas: Canvas, box: Box) -> None:
    left, right = box.cut_left(760, _GAP)
    canvas.box(left, TRAY, radius=_RADIUS, edge=PANEL, width=4)
    places = left.inset(24, 60).columns(4, 16)
    for i, (place, height) in enumerate(zip(places, (7, 3, 11), strict=False)):
        card, word = place.cut_top(place.height - 70, 10)
        draw_face(canvas, _card(card), RANKS[height - 1])
        canvas.text(word, f"f{i + 1}", size=38, fill=MUTED)
    card, word = places[3].cut_top(places[3].height - 70, 10)
    draw_empty(canvas, _card(card))
    canvas.outline(card.centered(80, 80), CROSS, RED_ON_DARK)
    canvas.text(word, "no f4", size=38, fill=MUTED)
    canvas.box(right, PANEL, radius=_RADIUS)
    title, cards = right.inset(20, 40).cut_bottom(80, 10)
    canvas.text(title, "wild", size=42, fill=GOLD)
    for place, face in zip(cards.columns(2, 20), _WILD, strict=True):
        draw_face(canvas, _card(place), face, wild=True)


def _set(canvas: Canvas, box: Box, faces: Sequence[Face]) -> None:
    """Cards side by side, as large as fits; one face down where there are none."""
    count = max(len(faces), 1)
    height = min(box.height, card_height((box.width - 12 * (count - 1)) // count), 200)
    width = card_width(height)
    places = box.centered(count * (width + 12) - 12, height).columns(count, 12)
    if not faces:
        draw_back(canvas, places[0])
    for place, face in zip(places, faces, strict=False):
        draw_face(canvas, place, face)


def _card(box: Box) -> Box:
    """The largest card in the middle of a box."""
    height = min(box.height, card_height(box.width))
    return box.centered(card_width(height), height)


_WILD: Final[tuple[Face, ...]] = ("*", "K")

_PAGES: Final[tuple[Callable[[Canvas, Box], None] | None, ...]] = (
    _race,
    _foundation,
    _wild,
    _turn,
    _discards,
    None,  # a whole hand message
    _end,
    _agreements,
)
