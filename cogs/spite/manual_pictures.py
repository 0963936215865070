"""The pictures of the rules of Spite and Malice, one for each page.

Pure top-level functions, so that a process pool can run them.
"""

from collections.abc import Sequence
from typing import Final

from bot.drawing.box import Box
from bot.drawing.canvas import Canvas
from bot.drawing.cards import card_height, card_width, draw_back
from bot.drawing.outlines import ARROW_DOWN, ARROW_RIGHT, CROSS, CROWN
from bot.drawing.pages import DrawnPage, page_picture
from bot.drawing.palette import GOLD, MUTED, PANEL, RED_ON_DARK, TRAY
from bot.drawing.seats import RADIUS, draw_badge, draw_panel
from cogs.spite.pictures import draw, draw_foundation, draw_needed
from cogs.spite.piles import draw_empty, draw_face, draw_fan, draw_stock
from games.core import Seat
from games.spite import Face, Options, SideView, View
from games.spite.cards import RANKS

_MARGIN: Final = 12
_GAP: Final = 12


def _side(stock: int, top: Face | None, hand: int, *discards: tuple[Face, ...]) -> SideView:
    """A seat's cards, as far as pictures show them."""
    piles = (*discards, (), (), (), ())[:4]
    return SideView(stock=stock, top=top, turned=(), hand=hand, discards=piles, trail=())


EXAMPLE: Final = View(
    seat=Seat(0),
    options=Options(),
    game=1,
    dealer=Seat(1),
    turn=13,
    on_turn=Seat(0),
    draw="closed",
    sides=(
        _side(19, "7", 5, ("9", "8"), ("Q",), ("J", "J", "5"), ()),
        _side(21, "4", 3, ("10", "9", "9", "8", "3"), ("Q", "Q"), ("6",), ("K",)),
    ),
    hand=("2", "6", "10", "10", "K"),
    carried=None,
    source=24,
    aside=0,
    foundations=(("A", "2", "3", "4", "5", "6"), ("A", "K", "3", "4"), ("A",)),
    removed=("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q"),
    events=(),
    turn_start=0,
    scores=(0, 0),
    last=None,
    left=None,
    is_over=False,
    awaiting=(Seat(0),),
    outcome=None,
)
"""A hand in the middle of a game; the cards don't add up to two whole packs."""


def draw_page(page: int) -> bytes:
    """The picture of a manual page as a PNG; pages count from 0."""
    content = _PAGES[page]
    return draw(EXAMPLE) if content is None else page_picture(content, _MARGIN)


def _draw_race(canvas: Canvas, box: Box) -> None:
    left, rest = box.cut_left(430, _GAP)
    arrow, right = rest.cut_left(90, _GAP)
    canvas.box(left, PANEL, radius=RADIUS)
    stock = left.centered(350, 330)
    draw_stock(canvas, stock, _side(12, "5", 5), wild=False, framed=True)
    canvas.outline(arrow.centered(84, 84), ARROW_RIGHT, GOLD)
    canvas.box(right, TRAY, radius=RADIUS, edge=PANEL, width=4)
    draw_foundation(canvas, right.centered(240, 310), EXAMPLE, RANKS[:4], name="f1")


def _draw_foundation(canvas: Canvas, box: Box) -> None:
    canvas.box(box, TRAY, radius=RADIUS, edge=PANEL, width=4)
    for line, faces in zip(box.inset(24, 24).rows(2, 24), (RANKS[:6], RANKS[6:12]), strict=True):
        for place, face in zip(line.columns(6, 16), faces, strict=True):
            draw_face(canvas, _card(place), face)


def _draw_wild(canvas: Canvas, box: Box) -> None:
    canvas.box(box, TRAY, radius=RADIUS, edge=PANEL, width=4)
    faces: tuple[Face, ...] = ("A", "2", "K", "4")
    *places, last = box.inset(24, 24).columns(5, 16)
    for place, face, rank in zip(places, faces, ("A", "2", "3", "4"), strict=True):
        card, word = place.cut_top(place.height - 60, 10)
        draw_face(canvas, _card(card), face, wild=face == "K")
        if face == "K":
            canvas.text(word, f"as {rank}", size=42, fill=GOLD)
    card, word = last.cut_top(last.height - 60, 10)
    draw_empty(canvas, _card(card))
    draw_needed(canvas, word, "5")


def _draw_turn(canvas: Canvas, box: Box) -> None:
    parts = box.rows(3, 70)
    steps: tuple[tuple[str, tuple[Face, ...]], ...] = (
        ("draw up to 5", ()),
        ("play", ("3", "4", "5")),
        ("discard", ("9",)),
    )
    for place, (word, faces) in zip(parts, steps, strict=True):
        canvas.box(place, PANEL, radius=RADIUS)
        title, cards = place.inset(24, 16).cut_left(360, 20)
        canvas.text(title, word, size=48)
        _set(canvas, cards, faces)
    for before in parts[:-1]:
        gap = Box(box.left, before.bottom, box.width, 70)
        canvas.outline(gap.centered(60, 60), ARROW_DOWN, GOLD)


def _draw_discards(canvas: Canvas, box: Box) -> None:
    piles: tuple[tuple[Face, ...], ...] = (("8", "7", "6"), ("2", "Q"), ("9", "9", "9"))
    words = ("counts down", "buries the 2", "three together")
    for i, (place, pile) in enumerate(zip(box.rows(3, _GAP), piles, strict=True)):
        canvas.box(place, PANEL, radius=RADIUS)
        cards, word = place.inset(24, 14).cut_left(330, 24)
        canvas.text(word, words[i], size=48, fill=RED_ON_DARK if i == 1 else GOLD, align="left")
        draw_fan(canvas, cards, EXAMPLE, pile, name=f"d{i + 1}")


def _draw_end(canvas: Canvas, box: Box) -> None:
    for seat, place in enumerate(box.columns(2, _GAP)):
        won = seat == 0
        draw_panel(canvas, place, marked=won)
        mark, stock = place.inset(18, 30).cut_left(192, 12)
        above, below = mark.rows(2)
        draw_badge(canvas, above.centered(100, 100), seat)
        if won:
            canvas.outline(below.centered(90, 80), CROWN, GOLD)
            canvas.text(below.moved(0, 72), "7 points", size=42, fill=GOLD)
        shown = _side(0, None, 0) if won else _side(7, "10", 5)
        draw_stock(canvas, stock.centered(stock.width, 200), shown, wild=False, framed=False)


def _draw_agreements(canvas: Canvas, box: Box) -> None:
    left, right = box.cut_left(580, _GAP)
    canvas.box(left, TRAY, radius=RADIUS, edge=PANEL, width=4)
    places = left.inset(20, 30).columns(4, 14)
    for i, (place, height) in enumerate(zip(places, (7, 3, 11), strict=False)):
        card, word = place.cut_top(place.height - 70, 10)
        draw_face(canvas, _card(card), RANKS[height - 1])
        canvas.text(word, f"f{i + 1}", size=42, fill=MUTED)
    card, word = places[3].cut_top(places[3].height - 70, 10)
    draw_empty(canvas, _card(card))
    canvas.outline(card.centered(64, 64), CROSS, RED_ON_DARK)
    canvas.text(word, "no f4", size=42, fill=MUTED)
    canvas.box(right, PANEL, radius=RADIUS)
    title, cards = right.inset(20, 30).cut_bottom(80, 10)
    canvas.text(title, "wild", size=42, fill=GOLD)
    for place, face in zip(cards.columns(2, 20), _WILD, strict=True):
        draw_face(canvas, _card(place), face, wild=True)


def _set(canvas: Canvas, box: Box, faces: Sequence[Face]) -> None:
    """Cards side by side, as large as fits; a face-down card if there are no faces."""
    count = max(len(faces), 1)
    height = min(box.height, card_height((box.width - 12 * (count - 1)) // count), 200)
    width = card_width(height)
    places = box.centered(count * (width + 12) - 12, height).columns(count, 12)
    if not faces:
        draw_back(canvas, places[0])
    for place, face in zip(places, faces, strict=False):
        draw_face(canvas, place, face)


def _card(box: Box) -> Box:
    """The box of the largest card that fits into the middle of a box."""
    height = min(box.height, card_height(box.width))
    return box.centered(card_width(height), height)


_WILD: Final[tuple[Face, ...]] = ("*", "K")

_PAGES: Final[tuple[DrawnPage | None, ...]] = (
    (_draw_race, 420),
    (_draw_foundation, 460),
    (_draw_wild, 330),
    (_draw_turn, 740),
    (_draw_discards, 720),
    None,  # the picture of a hand, see draw_page
    (_draw_end, 360),
    (_draw_agreements, 330),
)
