"""The pictures of the tile duel: a table for everybody and a hand for each seat.

Pure functions at the top level, so that a process pool can run them: a view in, a PNG out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.drawing.box import Box
from bot.drawing.canvas import Canvas
from bot.drawing.cards import DIM, PLAIN
from bot.drawing.dominoes import domino_box, draw_domino, draw_domino_back
from bot.drawing.outlines import ARROW_DOWN, ARROW_UP, CHECK, CROWN
from bot.drawing.palette import GOLD, INK, MUTED, PANEL, PANEL_OWN, TEXT, TRAY
from bot.drawing.seats import draw_badge
from cogs.duel.text import champion, needed, reason, winning_total
from games.core import Seat
from games.duel import HALVES, Pair, View

WIDTH: Final = 1200
HEIGHT: Final = 720
MARGIN: Final = 14
GAP: Final = 12
RADIUS: Final = 20
_SMALL: Final = 42

_TRAY_COLUMN: Final = 118
"""The width of an exposed tile's place: the same for both seats, so pairs stand in line."""


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where everything lies; the seats' boxes from top to bottom."""

    seats: tuple[Box, Box]
    round: Box
    pair: Box
    goal: Box


def draw(view: View) -> bytes:
    """The table where `view.seat` is None; else the hand of that seat, its own tiles below."""
    canvas = Canvas(WIDTH, HEIGHT)
    layout = _layout(canvas.area.inset(MARGIN), own=view.seat is not None)
    for seat, box in zip(arrangement(view), layout.seats, strict=True):
        draw_seat(canvas, box, view, seat)
    _draw_round(canvas, layout.round, view)
    _draw_pair(canvas, layout.pair, view)
    _draw_goal(canvas, layout.goal, view)
    return canvas.png()


def arrangement(view: View) -> tuple[Seat, Seat]:
    """The seats from top to bottom: in their order, but on a hand its own seat last."""
    return (Seat(1), Seat(0)) if view.seat == 0 else (Seat(0), Seat(1))


def draw_seat(canvas: Canvas, box: Box, view: View, seat: Seat) -> None:
    """All of a seat: its mark and points, its hand, and the tiles it has played in this round."""
    fill = PANEL_OWN if seat == view.seat else PANEL
    edge = GOLD if seat == champion(view) else None
    canvas.box(box, fill, radius=RADIUS, edge=edge, width=5)
    score, tiles = box.inset(14).cut_left(184, 14)
    _draw_score(canvas, score, view, seat)
    _draw_hand(canvas, tiles, view.hands[seat], dim=seat in view.left)
    _draw_exposed(canvas, tiles, view.played[-1], seat)


def draw_tile(canvas: Canvas, box: Box, total: int, *, size: int, dim: bool = False) -> None:
    """A tile of a hand with its total above."""
    number, place = box.cut_top(size * 23 // 20)
    canvas.text(number, str(total), size=size, fill=MUTED if dim else TEXT)
    draw_domino(canvas, domino_box(place), HALVES[total], tone=DIM if dim else PLAIN)


def draw_fared(canvas: Canvas, box: Box, total: int, *, won: bool, framed: bool = True) -> None:
    """An exposed tile, turned as the rulebook says: lengthwise it won, sideways it lost."""
    tile, tone = domino_box(box, lying=not won), PLAIN if won else DIM
    draw_domino(canvas, tile, HALVES[total], tone=tone, framed=won and framed)


def _draw_check(canvas: Canvas, box: Box) -> None:
    """The sign of a won point."""
    canvas.disc(box, GOLD, edge=TRAY, width=3)
    canvas.outline(box.centered(box.width * 11 // 20, box.width * 11 // 20), CHECK, INK)


def _layout(area: Box, *, own: bool) -> _Layout:
    upper, rest = area.cut_top(200 if own else 232, GAP)
    lower, band = rest.cut_bottom(266 if own else 232, GAP)
    round_, rest = band.cut_left(200, GAP)
    goal, pair = rest.cut_right(150, GAP)
    return _Layout((upper, lower), round_, pair, goal)


def _draw_score(canvas: Canvas, box: Box, view: View, seat: Seat) -> None:
    """The mark of a seat, its points, and how they add up."""
    mark, rest = box.cut_top(box.height * 2 // 5)
    badge, beside = mark.cut_left(min(mark.height, 72), 8)
    draw_badge(canvas, badge.centered(badge.width, badge.width), seat)
    if seat == champion(view):
        canvas.outline(beside.centered(50, 46), CROWN, GOLD)
    elif seat in view.left:
        canvas.text(beside, "left", size=_SMALL, fill=MUTED)
    elif seat == view.seat:
        canvas.text(beside, "you", size=_SMALL)
    total, parts = rest.cut_top(rest.height * 3 // 5)
    check, number = total.cut_right(40, 8)
    canvas.text(number, str(view.scores[seat]), size=56, align="right")
    _draw_check(canvas, check.centered(40, 40))
    rounds = [points[seat] for points in view.points]
    if len(rounds) > 1:
        text = " + ".join(str(points) for points in rounds)
        canvas.text(parts, text, size=_SMALL, fill=MUTED, align="right", bold=False)


def _draw_hand(canvas: Canvas, box: Box, hand: Sequence[int], *, dim: bool) -> None:
    size = box.height // 4
    column = (box.height - size) // 2 + 36
    for i, total in enumerate(hand):
        place = Box(box.left + i * column, box.top, column, box.height)
        draw_tile(canvas, place, total, size=size, dim=dim)


def _draw_exposed(canvas: Canvas, box: Box, pairs: Sequence[Pair], seat: Seat) -> None:
    """The tiles played in this round, each turned as it fared: lengthwise won, sideways lost."""
    if not pairs:
        return
    tray, _ = box.cut_right(len(pairs) * _TRAY_COLUMN + 8)
    canvas.box(tray, TRAY, radius=14)
    for i, pair in enumerate(pairs):
        left = tray.left + 4 + i * _TRAY_COLUMN
        place = Box(left, tray.top, _TRAY_COLUMN, tray.height).inset(8, 6)
        _draw_played(canvas, place, pair.totals[seat], won=pair.winner == seat)


def _draw_played(canvas: Canvas, box: Box, total: int, *, won: bool) -> None:
    number, place = box.cut_top(40, 4)
    if won:
        check, number = number.centered(94, number.height).cut_right(36, 2)
        _draw_check(canvas, check.centered(36, 36))
    canvas.text(number, str(total), size=_SMALL, fill=TEXT if won else MUTED)
    place = place.centered(place.width, min(place.height, 120))
    draw_fared(canvas, place, total, won=won, framed=False)


def _draw_round(canvas: Canvas, box: Box, view: View) -> None:
    canvas.box(box, PANEL, radius=RADIUS)
    inner = box.inset(10, 12)
    if view.exchanged:
        sign, inner = inner.cut_bottom(46, 2)
        _draw_swap(canvas, sign)
    above, below = inner.rows(2)
    if view.outcome is None:
        canvas.text(above, "Round", size=_SMALL, fill=MUTED)
        canvas.text(below, f"{view.round} of {view.rounds}", size=44)
        return
    winner = champion(view)
    canvas.text(above, "Final" if winner is None else "Winner", size=_SMALL, fill=MUTED)
    if winner is None:
        canvas.text(below, "Tie", size=44)
        return
    size = min(50, below.height)
    crown, badge = below.centered(2 * size + 12, size).columns(2, 12)
    canvas.outline(crown.centered(size, size * 9 // 10), CROWN, GOLD)
    draw_badge(canvas, badge.centered(size, size), winner)


def _draw_swap(canvas: Canvas, box: Box) -> None:
    """The sign that the dealt hands have changed owners."""
    signs = box.centered(88, box.height)
    for place, outline in zip(signs.columns(2, 4), (ARROW_UP, ARROW_DOWN), strict=True):
        canvas.outline(place.centered(42, 44), outline, GOLD)


def _draw_goal(canvas: Canvas, box: Box, view: View) -> None:
    canvas.box(box, PANEL, radius=RADIUS)
    inner = box.inset(8, 12)
    lines = (
        ("to win", _SMALL, MUTED),
        (f"{needed(view.tiles)}", 52, TEXT),
        (f"of {view.tiles}", _SMALL, MUTED),
    )
    for place, (text, size, fill) in zip(inner.rows(3), lines, strict=True):
        canvas.text(place, text, size=size, fill=fill)


def _draw_pair(canvas: Canvas, box: Box, view: View) -> None:
    """The pair exposed last; before the first one, a tile face down for each seat."""
    canvas.box(box, TRAY, radius=RADIUS, edge=PANEL, width=4)
    tiles, words = box.inset(14, 12).cut_left(508, 10)
    for seat, place in enumerate(tiles.columns(2, 12)):
        _draw_part(canvas, place, view.last, Seat(seat))
    lines = _pair_words(view)
    fills = (MUTED, TEXT, TEXT, GOLD)
    for place, text, fill in zip(words.rows(len(lines)), lines, fills, strict=False):
        canvas.text(place, text, size=_SMALL, fill=fill)


def _draw_part(canvas: Canvas, box: Box, pair: Pair | None, seat: Seat) -> None:
    """A seat's tile of a pair, with a frame and a crown if it won; before that, face down."""
    canvas.box(box, PANEL, radius=14)
    mark, rest = box.inset(8, 6).cut_left(54, 4)
    if pair is None:
        draw_badge(canvas, mark.centered(48, 48), seat)
        draw_domino_back(canvas, domino_box(rest.inset(0, 8)))
        return
    won = pair.winner == seat
    badge, sign = mark.rows(2)
    draw_badge(canvas, (badge if won else mark).centered(48, 48), seat)
    if won:
        canvas.outline(sign.centered(48, 44), CROWN, GOLD)
    number, place = rest.cut_left(72, 6)
    canvas.text(number, str(pair.totals[seat]), size=58, fill=TEXT if won else MUTED)
    draw_fared(canvas, place.inset(2, 10), pair.totals[seat], won=won)


def _pair_words(view: View) -> tuple[str, ...]:
    """What stands beside a pair: which it is, why it was won (on two lines), and by what."""
    pair = view.last
    if pair is None:
        return ("No pair",) if view.outcome else ("No pair yet",)
    title = "Last pair" if pair.round == view.round else f"Round {pair.round}"
    won, why = reason(pair).split(" ", 1)
    first, rest = why.split(" ", 1)
    return title, f"{won} {first}", rest, f"{winning_total(pair)} wins"
