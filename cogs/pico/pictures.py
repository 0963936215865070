"""The pictures of Pico: a table for everybody and a hand for each seat.

Pure functions at the top level, so that a process pool can run them: a view in, a PNG out.
"""

from dataclasses import dataclass
from typing import Final

from bot.drawing.box import Box
from bot.drawing.canvas import Canvas
from bot.drawing.cards import DIM, PLAIN, card_height, card_width, draw_back, draw_card, draw_pips
from bot.drawing.outlines import CHECK, CROWN
from bot.drawing.palette import GOLD, INK, MUTED, PANEL, PANEL_OWN, RED_ON_DARK, TEXT, TRAY
from bot.drawing.seats import draw_badge
from cogs.pico.text import champions, played, reason, round_dots, winning_face
from games.core import Seat
from games.pico import DECKS, Trick, View

WIDTH: Final = 1200
HEIGHT: Final = 720
MARGIN: Final = 14
GAP: Final = 12
RADIUS: Final = 20
_SMALL: Final = 42
_SCORE: Final = {2: 186, 3: 172}
"""The width of the score by the number of seats."""


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where everything lies; the seats' boxes from top to bottom."""

    seats: tuple[Box, ...]
    round: Box
    trick: Box
    spare: Box


def draw(view: View) -> bytes:
    """The table where `view.seat` is None; else the hand of that seat, its own cards below."""
    canvas = Canvas(WIDTH, HEIGHT)
    layout = _layout(canvas.area.inset(MARGIN), len(view.hands), own=view.seat is not None)
    for seat, box in zip(arrangement(view), layout.seats, strict=True):
        _draw_seat(canvas, box, view, seat)
    _draw_round(canvas, layout.round, view)
    _draw_trick(canvas, layout.trick, view)
    _draw_spare(canvas, layout.spare, view)
    return canvas.png()


def arrangement(view: View) -> tuple[Seat, ...]:
    """The seats from top to bottom: in their order, but on a hand its own seat last."""
    count = len(view.hands)
    first = 0 if view.seat is None else view.seat + 1
    return tuple(Seat((first + i) % count) for i in range(count))


def _layout(area: Box, seats: int, *, own: bool) -> _Layout:
    if seats == 2:
        upper, rest = area.cut_top(200 if own else 233, GAP)
        lower, band = rest.cut_bottom(266 if own else 233, GAP)
        round_, rest = band.cut_left(214, GAP)
        spare, trick = rest.cut_right(226, GAP)
        return _Layout((upper, lower), round_, trick, spare)
    if own:
        lower, upper = area.cut_bottom(220, GAP)
        left, right = upper.cut_left(752, GAP)
        panels = (*left.rows(2, GAP), lower)
    else:
        left, right = area.cut_left(752, GAP)
        panels = left.rows(3, GAP)
    head, trick = right.cut_top(112 if own else 150, GAP)
    round_, spare = head.cut_left(196, GAP)
    return _Layout(panels, round_, trick, spare)


def _draw_seat(canvas: Canvas, box: Box, view: View, seat: Seat) -> None:
    fill = PANEL_OWN if seat == view.seat else PANEL
    edge = GOLD if seat in champions(view) else None
    canvas.box(box, fill, radius=RADIUS, edge=edge, width=5)
    score, cards = box.inset(14).cut_left(_SCORE[len(view.hands)], 14)
    _draw_score(canvas, score, view, seat)
    _draw_cards(canvas, cards, view, seat)


def _draw_score(canvas: Canvas, box: Box, view: View, seat: Seat) -> None:
    """The mark of a seat, its dots, and how they add up."""
    mark, rest = box.cut_top(box.height * 2 // 5)
    badge, beside = mark.cut_left(min(mark.height, 72), 8)
    draw_badge(canvas, badge.centered(badge.width, badge.width), seat)
    if seat in champions(view):
        canvas.outline(beside.centered(50, 46), CROWN, GOLD)
    elif seat in view.left:
        canvas.text(beside, "left", size=_SMALL, fill=MUTED)
    elif seat == view.seat:
        canvas.text(beside, "you", size=_SMALL)
    rounds = round_dots(view, seat)
    added = len(view.hands) == 2 and len(rounds) > 1 and not view.parted[seat]
    total, parts = rest.cut_top(rest.height * 3 // 5) if added else (rest, rest)
    pip, number = total.cut_right(28, 10)
    canvas.text(number, str(view.dots[seat]), size=52, align="right")
    draw_pips(canvas, pip.centered(28, 28), 1, RED_ON_DARK)
    if added:  # three numbers have no room; the message has them
        text = " + ".join(str(n) for n in rounds)
        canvas.text(parts, text, size=_SMALL, fill=MUTED, align="right", bold=False)


def _draw_cards(canvas: Canvas, box: Box, view: View, seat: Seat) -> None:
    """The hand at the left; the cards won in this round set aside in a tray at the right."""
    hand, won = view.hands[seat], view.won[seat]
    dots = DECKS[view.deck].dots
    width = min(card_width(box.height), (box.width - 66) // DECKS[view.deck].hand)
    height = min(box.height, width * 8 // 5)
    top = box.top + (box.height - height) // 2
    tone = DIM if seat in view.left else PLAIN
    for i, face in enumerate(hand):
        card = Box(box.left + i * (width + 8), top, width, height)
        draw_card(canvas, card, str(face), pips=dots[face], tone=tone)
    if not won:
        return
    small, low = width * 4 // 5, height * 4 // 5
    tray, _ = box.cut_right(len(won) * (small + 8) + 16)
    tray = tray.centered(tray.width, low + 24)
    canvas.box(tray, TRAY, radius=14)
    for i, face in enumerate(won):
        card = Box(tray.left + 12 + i * (small + 8), tray.top + 12, small, low)
        draw_card(canvas, card, str(face), pips=dots[face])
    _draw_check(canvas, Box(tray.left - 16, tray.top - 8, 40, 40))


def _draw_check(canvas: Canvas, box: Box) -> None:
    canvas.disc(box, GOLD, edge=TRAY, width=3)
    canvas.outline(box.centered(22, 22), CHECK, INK)


def _draw_round(canvas: Canvas, box: Box, view: View) -> None:
    canvas.box(box, PANEL, radius=RADIUS)
    above, below = box.inset(10, box.height // 10).rows(2)
    if view.outcome is None:
        canvas.text(above, "Round", size=_SMALL, fill=MUTED)
        canvas.text(below, f"{view.round} of {view.rounds}", size=48)
        return
    winners = champions(view)
    title = "Final" if not winners else "Winner" if len(winners) == 1 else "Winners"
    canvas.text(above, title, size=_SMALL, fill=MUTED, bold=len(winners) < 2)
    if not winners:
        canvas.text(below, "Draw", size=48)
        return
    count = len(winners) + 1
    size = min(50, below.height, (below.width - 8 * count) // count)
    signs = below.centered((size + 8) * count - 8, size).columns(count, 8)
    canvas.outline(signs[0].centered(size, size * 9 // 10), CROWN, GOLD)
    for sign, seat in zip(signs[1:], winners, strict=True):
        draw_badge(canvas, sign, seat)


def _draw_spare(canvas: Canvas, box: Box, view: View) -> None:
    canvas.box(box, PANEL, radius=RADIUS)
    inner = box.inset(14, 11)
    width = min(card_width(inner.height), inner.width - 92)
    card, words = inner.cut_left(width, 12)
    card = card.centered(width, card_height(width))
    dots = DECKS[view.deck].dots[view.spare]
    draw_card(canvas, card, str(view.spare), pips=dots, tone=DIM)
    canvas.text(words, "out", size=_SMALL, fill=MUTED)


def _draw_trick(canvas: Canvas, box: Box, view: View) -> None:
    """The trick revealed last; before the first one, a card face down for each seat."""
    canvas.box(box, TRAY, radius=RADIUS, edge=PANEL, width=4)
    inner = box.inset(16, 14)
    trick = view.last
    seats = range(len(view.hands)) if trick is None else list(played(trick))
    if len(view.hands) == 2:
        cards, words = inner.cut_left(366, 12)
    else:
        words, cards = inner.cut_bottom(138, 8)
        cards = cards.centered(min(cards.width, 150 * len(seats)), min(cards.height, 230))
    for seat, place in zip(seats, cards.columns(len(seats), 14), strict=True):
        _draw_played(canvas, place, view, Seat(seat))
    if trick is None:
        canvas.text(words, "No trick yet" if view.outcome is None else "No trick", size=_SMALL)
        return
    lines = zip(words.rows(3), _trick_words(view, trick), (MUTED, TEXT, GOLD), strict=True)
    for line, text, fill in lines:
        canvas.text(line, text, size=_SMALL, fill=fill)


def _draw_played(canvas: Canvas, box: Box, view: View, seat: Seat) -> None:
    """A card of the trick and whose it is; the winner's has a frame and a crown."""
    canvas.box(box, PANEL, radius=14)
    if len(view.hands) == 2:
        mark, place = box.inset(8, 6).cut_left(52, 8)
        halves = mark.rows(2)
    else:
        mark, place = box.inset(6, 6).cut_top(46, 6)
        halves = mark.columns(2)
    height = min(place.height - 12, card_height(place.width - 10))
    card = place.centered(card_width(height), height)
    if view.last is None:
        draw_badge(canvas, mark.centered(46, 46), seat)
        draw_back(canvas, card)
        return
    won = seat in view.last.winners
    draw_badge(canvas, (halves[0] if won else mark).centered(46, 46), seat)
    if won:
        canvas.outline(halves[1].centered(44, 40), CROWN, GOLD)
    face = played(view.last)[seat]
    tone = PLAIN if won else DIM
    draw_card(canvas, card, str(face), pips=DECKS[view.deck].dots[face], tone=tone, framed=won)


def _trick_words(view: View, trick: Trick) -> tuple[str, str, str]:
    """What stands beside a trick: which it is, why it was won, and by what."""
    title = "Last trick" if trick.round == view.round else f"Round {trick.round}"
    return title, reason(trick), result(trick)


def result(trick: Trick) -> str:
    return f"{winning_face(trick)} wins" if len(trick.winners) == 1 else "both win"
