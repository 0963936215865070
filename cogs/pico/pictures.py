"""The pictures of Pico: the public table, and a hand for each seat.

Pure top-level functions from a view to a PNG, so that a process pool can run them. Sizes are in
pixels.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.drawing.box import Box
from bot.drawing.canvas import PICTURE_WIDTH, Canvas
from bot.drawing.cards import DIM, PLAIN, card_height, card_width, draw_back, draw_card, draw_pips
from bot.drawing.outlines import CHECK, CROWN
from bot.drawing.palette import GOLD, INK, MUTED, PANEL, RED_ON_DARK, TEXT, TRAY
from bot.drawing.seats import RADIUS, arrangement, draw_badge, draw_head, draw_panel
from cogs.pico.text import played, reason, round_dots, winning_face
from games.core import Seat, winners
from games.pico import DECKS, Trick, View

MARGIN: Final = 12
GAP: Final = 10
_SMALL: Final = 42
_HEAD: Final = 58
"""The height of the line above a seat's cards."""

_MIDDLE: Final = 232
"""The height of the trick and of the panels beside it."""

_ASIDE: Final = 180
"""The width of the panels beside the trick."""

_TRICK: Final = {2: 376, 3: 340}
"""The width of the trick's cards, by number of seats."""

_PANEL: Final = {2: 288, 3: 206}
"""The height of a seat's panel at the table, by number of seats."""

_OTHER_PANEL: Final = {2: 244, 3: 206}
_OWN_PANEL: Final = {2: 288, 3: 262}
"""The height of another seat's panel and of one's own in a hand, by number of seats."""

_EMPTY_PANEL: Final = _HEAD + 24


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where each part of a picture goes; `seats` from top to bottom."""

    seats: tuple[Box, ...]
    round: Box
    trick: Box
    spare: Box


def draw(view: View) -> bytes:
    """The table if `view.seat` is None, else that seat's hand, with its own cards at the bottom."""
    seats = arrangement(view.seat, len(view.hands))
    panels = [_panel_height(view, seat) for seat in seats]
    height = 2 * MARGIN + sum(panels) + len(panels) * GAP + _MIDDLE
    canvas = Canvas(PICTURE_WIDTH, height)
    layout = _layout(canvas.area.inset(MARGIN), panels)
    for seat, box in zip(seats, layout.seats, strict=True):
        _draw_seat(canvas, box, view, seat)
    _draw_round(canvas, layout.round, view)
    _draw_trick(canvas, layout.trick, view)
    _draw_spare(canvas, layout.spare, view)
    return canvas.png()


def _panel_height(view: View, seat: Seat) -> int:
    seats = len(view.hands)
    if seat in view.left and not view.hands[seat] and not view.won[seat]:
        return _EMPTY_PANEL
    if view.seat is None:
        return _PANEL[seats]
    return (_OWN_PANEL if seat == view.seat else _OTHER_PANEL)[seats]


def _layout(area: Box, panels: Sequence[int]) -> _Layout:
    """Panels of these heights from top to bottom, with the trick above the last one."""
    seats: list[Box] = []
    rest = area
    for height in panels[:-1]:
        box, rest = rest.cut_top(height, GAP)
        seats.append(box)
    middle, last = rest.cut_top(_MIDDLE, GAP)
    trick, aside = middle.cut_left(middle.width - _ASIDE - GAP, GAP)
    round_, spare = aside.rows(2, GAP)
    return _Layout((*seats, last), round_, trick, spare)


def _draw_seat(canvas: Canvas, box: Box, view: View, seat: Seat) -> None:
    draw_panel(canvas, box, own=seat == view.seat, marked=seat in winners(view.outcome))
    head, cards = box.inset(16, 12).cut_top(_HEAD, 8)
    _draw_score(canvas, head, view, seat)
    _draw_cards(canvas, cards, view, seat)


def _draw_score(canvas: Canvas, box: Box, view: View, seat: Seat) -> None:
    """A seat's mark and dots, split by round from round 2 on."""
    own, won = seat == view.seat, seat in winners(view.outcome)
    rest = draw_head(canvas, box, seat, own=own, left=seat in view.left, won=won)
    total, parts = rest.cut_right(130, 20)
    pip, number = total.cut_right(30, 10)
    canvas.text(number, str(view.dots[seat]), size=52, align="right")
    draw_pips(canvas, pip.centered(30, 30), 1, RED_ON_DARK)
    rounds = round_dots(view, seat)
    if len(rounds) > 1 and not view.parted[seat]:
        text = " + ".join(str(n) for n in rounds)
        canvas.text(parts, f"{text} =", size=_SMALL, fill=MUTED, align="right", bold=False)


def _draw_cards(canvas: Canvas, box: Box, view: View, seat: Seat) -> None:
    """The hand on the left; on the right, in a tray, the cards won in this round."""
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
    won = winners(view.outcome)
    title = "Final" if not won else "Winner" if len(won) == 1 else "Winners"
    canvas.text(above, title, size=_SMALL, fill=MUTED, bold=len(won) < 2)
    if not won:
        canvas.text(below, "Draw", size=48)
        return
    count = len(won) + 1
    size = min(50, below.height, (below.width - 8 * count) // count)
    signs = below.centered((size + 8) * count - 8, size).columns(count, 8)
    canvas.outline(signs[0].centered(size, size * 9 // 10), CROWN, GOLD)
    for sign, seat in zip(signs[1:], won, strict=True):
        draw_badge(canvas, sign, seat)


def _draw_spare(canvas: Canvas, box: Box, view: View) -> None:
    canvas.box(box, PANEL, radius=RADIUS)
    inner = box.inset(12, 8)
    card, words = inner.cut_left(card_width(inner.height), 8)
    width = card.width
    card = card.centered(width, card_height(width))
    dots = DECKS[view.deck].dots[view.spare]
    draw_card(canvas, card, str(view.spare), pips=dots, tone=DIM)
    canvas.text(words, "out", size=_SMALL, fill=MUTED)


def _draw_trick(canvas: Canvas, box: Box, view: View) -> None:
    """The trick revealed last, or before the first one a face-down card for each seat."""
    canvas.box(box, TRAY, radius=RADIUS, edge=PANEL, width=4)
    trick = view.last
    seats = range(len(view.hands)) if trick is None else list(played(trick))
    cards, words = box.inset(14, 12).cut_left(_TRICK[len(view.hands)], 8)
    for seat, place in zip(seats, cards.columns(len(seats), 10), strict=True):
        _draw_played(canvas, place, view, Seat(seat))
    if trick is None:
        canvas.text(words, "No trick yet" if view.awaiting else "No trick", size=_SMALL)
        return
    lines = zip(words.rows(3), _trick_words(view, trick), (MUTED, TEXT, GOLD), strict=True)
    for line, text, fill in lines:
        canvas.text(line, text, size=_SMALL, fill=fill)


def _draw_played(canvas: Canvas, box: Box, view: View, seat: Seat) -> None:
    """A seat's card in the trick, with its mark; a winning card has a frame and a crown."""
    canvas.box(box, PANEL, radius=14)
    mark, place = box.inset(6, 6).cut_top(48, 4)
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
    """The lines beside a trick: which one it is, the comparison that decided it, what won."""
    title = "Last trick" if trick.round == view.round else f"Round {trick.round}"
    return title, reason(trick), result(trick)


def result(trick: Trick) -> str:
    return f"{winning_face(trick)} wins" if len(trick.winners) == 1 else "both win"
