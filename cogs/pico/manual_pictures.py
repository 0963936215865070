"""The pictures of the rules of Pico, one for each page.

Pure top-level functions, so that a process pool can run them.
"""

from collections.abc import Sequence
from typing import Final

from bot.drawing.box import Box
from bot.drawing.canvas import Canvas
from bot.drawing.cards import DIM, PLAIN, card_height, card_width, draw_back, draw_card
from bot.drawing.outlines import ARROW_DOWN, ARROW_RIGHT, ARROW_UP, CROWN
from bot.drawing.pages import DrawnPage, page_picture
from bot.drawing.palette import GOLD, PANEL
from bot.drawing.seats import RADIUS, draw_badge
from cogs.pico.pictures import GAP, MARGIN, result
from cogs.pico.text import reason
from games.core import Seat
from games.pico import DECKS, Trick
from games.pico.decks import DeckName
from games.pico.rules import trick_winners

_DECKS: Final[dict[DeckName, str]] = {"standard": "13 cards", "pico1": "Pico I", "pico2": "Pico II"}
"""The labels of the decks for two players."""


def draw_page(page: int) -> bytes:
    """The picture of a manual page as a PNG; pages count from 0."""
    return page_picture(_PAGES[page], MARGIN)


def _draw_idea(canvas: Canvas, box: Box) -> None:
    """Two cards face down, and the same two face up."""
    hidden, rest = box.cut_left(396, GAP)
    arrow, shown = rest.cut_left(80, GAP)
    canvas.box(hidden, PANEL, radius=RADIUS)
    words, cards = hidden.inset(16).cut_bottom(150, 10)
    for seat, place in enumerate(cards.columns(2, 22)):
        badge, card = place.cut_top(70, 14)
        draw_badge(canvas, badge.centered(70, 70), seat)
        height = card.height - 20
        draw_back(canvas, card.centered(card_width(height), height))
    for line, text in zip(words.rows(2), ("choose", "in secret"), strict=True):
        canvas.text(line, text, size=50)
    canvas.outline(arrow.centered(76, 76), ARROW_RIGHT, GOLD)
    _draw_example(canvas, shown, (13, 6))


def _draw_tricks(canvas: Canvas, box: Box) -> None:
    for place, faces in zip(box.columns(3, GAP), ((9, 7), (8, 4), (8, 3)), strict=True):
        _draw_example(canvas, place, faces)


def _draw_dots(canvas: Canvas, box: Box) -> None:
    faces = DECKS["standard"].cards
    for place, part in zip(box.rows(2, GAP), (faces[:6], faces[6:]), strict=True):
        canvas.box(place, PANEL, radius=RADIUS)
        _draw_set(canvas, place.inset(18), part)


def _draw_swap(canvas: Canvas, box: Box) -> None:
    """Both players' sets before and after the swap."""
    sets = ((2, 5, 7, 8, 11, 16), (3, 4, 6, 9, 12, 13))
    before, after = box.rows(2, 80)
    between = Box(box.left, before.bottom, box.width, 80)
    up, down = between.centered(160, 64).columns(2, 24)
    canvas.outline(up, ARROW_UP, GOLD)
    canvas.outline(down, ARROW_DOWN, GOLD)
    for title, place, order in (("Round 1", before, sets), ("Round 2", after, sets[::-1])):
        canvas.box(place, PANEL, radius=RADIUS)
        name, hands = place.inset(18, 14).cut_top(50, 12)
        canvas.text(name, title, size=44)
        for seat, hand in enumerate(hands.rows(2, 14)):
            badge, cards = hand.cut_left(70, 14)
            draw_badge(canvas, badge.centered(70, 70), seat)
            _draw_set(canvas, cards, order[seat])


def _draw_three(canvas: Canvas, box: Box) -> None:
    examples = zip(box.rows(3, GAP), ((10, 7, 5), (16, 8, 3), (7, 13, 7)), strict=True)
    for place, faces in examples:
        _draw_example(canvas, place, faces)


def _draw_decks(canvas: Canvas, box: Box) -> None:
    """The decks for two, one below the other, with a gap for each card that a deck doesn't have."""
    faces = DECKS["standard"].cards
    half = -(-len(faces) // 2)
    for place, (name, title) in zip(box.rows(3, GAP), _DECKS.items(), strict=True):
        canvas.box(place, PANEL, radius=RADIUS)
        label, cards = place.inset(18, 12).cut_left(220, 14)
        canvas.text(label, title, size=44)
        deck = DECKS[name]
        columns = [column for row in cards.rows(2, 10) for column in row.columns(half, 8)]
        for face, column in zip(faces, columns, strict=False):
            card = column.centered(min(column.width, card_width(column.height)), column.height)
            if face in deck.cards:
                draw_card(canvas, card, str(face), pips=deck.dots[face])


def _draw_example(canvas: Canvas, box: Box, faces: Sequence[int]) -> None:
    """A trick, who wins it and why, with the dots of the standard deck."""
    winners, verdict = trick_winners({Seat(i): face for i, face in enumerate(faces)})
    trick = Trick(round=1, faces=tuple(faces), winners=winners, verdict=verdict)
    canvas.box(box, PANEL, radius=RADIUS)
    wide = box.width > 2 * box.height
    inner = box.inset(16)
    words, cards = inner.cut_right(330, 16) if wide else inner.cut_bottom(150, 10)
    for seat, place in enumerate(cards.columns(len(faces), 22)):
        sign, card = place.cut_top(60 if wide else 70, 14)
        width = min(card.width - 12, card_width(card.height - 16))
        card = card.centered(width, card_height(width))
        won = seat in winners
        if won:
            canvas.outline(sign.centered(68, 60), CROWN, GOLD)
        face, pips = str(faces[seat]), DECKS["standard"].dots[faces[seat]]
        draw_card(canvas, card, face, pips=pips, tone=PLAIN if won else DIM, framed=won)
    above, below = words.rows(2)
    canvas.text(above, reason(trick), size=56)
    canvas.text(below, result(trick), size=50, fill=GOLD)


def _draw_set(canvas: Canvas, box: Box, faces: Sequence[int]) -> None:
    """Cards of the standard deck side by side, as large as the box allows."""
    width = min(card_width(box.height), (box.width - 10 * (len(faces) - 1)) // len(faces))
    row = box.centered(len(faces) * (width + 10) - 10, card_height(width))
    for face, place in zip(faces, row.columns(len(faces), 10), strict=True):
        draw_card(canvas, place, str(face), pips=DECKS["standard"].dots[face])


_PAGES: Final[tuple[DrawnPage, ...]] = (
    (_draw_idea, 560),
    (_draw_tricks, 520),
    (_draw_dots, 420),
    (_draw_swap, 860),
    (_draw_three, 780),
    (_draw_decks, 830),
)
