"""The pictures of the tile duel: the public table, and a hand for each seat.

Pure top-level functions from a view to a PNG, so that a process pool can run them. Sizes are in
pixels.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.drawing.box import Box
from bot.drawing.canvas import PICTURE_WIDTH, Canvas
from bot.drawing.cards import DIM, PLAIN
from bot.drawing.dominoes import domino_box, draw_domino, draw_domino_back
from bot.drawing.outlines import ARROW_DOWN, ARROW_UP, CHECK, CROWN
from bot.drawing.palette import GOLD, INK, MUTED, PANEL, TEXT, TRAY
from bot.drawing.seats import RADIUS, arrangement, draw_badge, draw_head, draw_panel
from cogs.duel.text import needed, reason, winning_total
from games.core import Seat, winners
from games.duel import HALVES, Pair, View

MARGIN: Final = 12
GAP: Final = 10
_SMALL: Final = 42
_HEAD: Final = 58
"""The height of the line above a seat's tiles."""

PANEL_HEIGHT: Final = 272
_OTHER_PANEL: Final = 256
_OWN_PANEL: Final = 310
"""The height of a seat's panel: at the table, and in a hand the opponent's and one's own."""

_MIDDLE: Final = 256
"""The height of the pair and of the panels beside it."""

_PAIR_LINES: Final = 4
"""How many lines fit beside a pair; fewer lines keep the same spacing."""

_ASIDE: Final = 180
"""The width of the panels beside the pair."""

_GOAL: Final = 108
"""The height of the panel that says how many points win."""

_TRAY_COLUMN: Final = 118
"""The width of a played tile's column: equal for both seats, so that pairs line up."""


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where each part of a picture goes; `seats` from top to bottom."""

    seats: tuple[Box, Box]
    pair: Box
    aside: Box


def draw(view: View) -> bytes:
    """The table if `view.seat` is None, else that seat's hand, with its own tiles at the bottom."""
    own = view.seat is not None
    panels = (_OTHER_PANEL, _OWN_PANEL) if own else (PANEL_HEIGHT, PANEL_HEIGHT)
    canvas = Canvas(PICTURE_WIDTH, 2 * MARGIN + sum(panels) + _MIDDLE + 2 * GAP)
    layout = _layout(canvas.area.inset(MARGIN), panels)
    for seat, box in zip(arrangement(view.seat, 2), layout.seats, strict=True):
        draw_seat(canvas, box, view, seat)
    _draw_pair(canvas, layout.pair, view)
    _draw_aside(canvas, layout.aside, view)
    return canvas.png()


def draw_seat(canvas: Canvas, box: Box, view: View, seat: Seat) -> None:
    """A seat's panel: its mark and points, its hand, and the tiles it has played in this round."""
    draw_panel(canvas, box, own=seat == view.seat, marked=seat in winners(view.outcome))
    head, tiles = box.inset(16, 12).cut_top(_HEAD, 8)
    _draw_score(canvas, head, view, seat)
    _draw_hand(canvas, tiles, view.hands[seat], dim=seat in view.left)
    _draw_exposed(canvas, tiles, view.played[-1], seat)


def draw_tile(canvas: Canvas, box: Box, total: int, *, size: int, dim: bool = False) -> None:
    """A tile in a hand, with its total above it."""
    number, place = box.cut_top(size * 23 // 20)
    canvas.text(number, str(total), size=size, fill=MUTED if dim else TEXT)
    draw_domino(canvas, domino_box(place), HALVES[total], tone=DIM if dim else PLAIN)


def draw_played_tile(
    canvas: Canvas, box: Box, total: int, *, won: bool, framed: bool = True
) -> None:
    """A played tile, turned as in the rulebook: lengthwise if it won, sideways if it lost."""
    tile, tone = domino_box(box, lying=not won), PLAIN if won else DIM
    draw_domino(canvas, tile, HALVES[total], tone=tone, framed=won and framed)


def _draw_check(canvas: Canvas, box: Box) -> None:
    """A check mark for points."""
    canvas.disc(box, GOLD, edge=TRAY, width=3)
    canvas.outline(box.centered(box.width * 11 // 20, box.width * 11 // 20), CHECK, INK)


def _layout(area: Box, panels: tuple[int, int]) -> _Layout:
    """Two panels of these heights, with the pair between them."""
    upper, rest = area.cut_top(panels[0], GAP)
    middle, lower = rest.cut_top(_MIDDLE, GAP)
    pair, aside = middle.cut_left(middle.width - _ASIDE - GAP, GAP)
    return _Layout((upper, lower), pair, aside)


def _draw_score(canvas: Canvas, box: Box, view: View, seat: Seat) -> None:
    """A seat's mark and points, split by round from round 2 on."""
    own, won = seat == view.seat, seat in winners(view.outcome)
    rest = draw_head(canvas, box, seat, own=own, left=seat in view.left, won=won)
    total, parts = rest.cut_right(130, 20)
    check, number = total.cut_right(40, 8)
    canvas.text(number, str(view.scores[seat]), size=52, align="right")
    _draw_check(canvas, check.centered(40, 40))
    rounds = [points[seat] for points in view.points]
    if len(rounds) > 1:
        text = " + ".join(str(points) for points in rounds)
        canvas.text(parts, f"{text} =", size=_SMALL, fill=MUTED, align="right", bold=False)


def _draw_hand(canvas: Canvas, box: Box, hand: Sequence[int], *, dim: bool) -> None:
    size = max(_SMALL, box.height // 4)
    column = min(_TRAY_COLUMN, (box.height - size) // 2 + 42)
    for i, total in enumerate(hand):
        place = Box(box.left + i * column, box.top, column, box.height)
        draw_tile(canvas, place, total, size=size, dim=dim)


def _draw_exposed(canvas: Canvas, box: Box, pairs: Sequence[Pair], seat: Seat) -> None:
    """The tiles that a seat has played in this round, in a tray."""
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
    draw_played_tile(canvas, place, total, won=won, framed=False)


def _draw_aside(canvas: Canvas, box: Box, view: View) -> None:
    """Which round it is and how many points win; after the end, who won."""
    if view.outcome is not None:
        _draw_end(canvas, box, view)
        return
    if view.awaiting:
        goal, box = box.cut_bottom(_GOAL, GAP)
        _draw_goal(canvas, goal, view)
    _draw_round(canvas, box, view)


def _draw_round(canvas: Canvas, box: Box, view: View) -> None:
    above, below = _panel(canvas, box, view).rows(2)
    canvas.text(above, "Round", size=_SMALL, fill=MUTED)
    canvas.text(below, f"{view.round} of {view.rounds}", size=44)


def _draw_end(canvas: Canvas, box: Box, view: View) -> None:
    above, below = _panel(canvas, box, view).rows(2)
    won = winners(view.outcome)
    canvas.text(above, "Winner" if won else "Final", size=_SMALL, fill=MUTED)
    if not won:
        canvas.text(below, "Tie", size=44)
        return
    size = min(64, below.height)
    crown, badge = below.centered(2 * size + 12, size).columns(2, 12)
    canvas.outline(crown.centered(size, size * 9 // 10), CROWN, GOLD)
    draw_badge(canvas, badge.centered(size, size), won[0])


def _panel(canvas: Canvas, box: Box, view: View) -> Box:
    """Draw a panel, with a sign at the bottom once hands are swapped; returns the room above it."""
    canvas.box(box, PANEL, radius=RADIUS)
    inner = box.inset(10, 8)
    if view.exchanged:
        sign, inner = inner.cut_bottom(34, 0)
        _draw_swap(canvas, sign)
    return inner


def _draw_swap(canvas: Canvas, box: Box) -> None:
    """Two arrows: the dealt hands have been swapped."""
    signs = box.centered(76, box.height)
    for place, outline in zip(signs.columns(2, 8), (ARROW_UP, ARROW_DOWN), strict=True):
        canvas.outline(place, outline, GOLD)


def _draw_goal(canvas: Canvas, box: Box, view: View) -> None:
    canvas.box(box, PANEL, radius=RADIUS)
    above, below = box.inset(8).rows(2)
    canvas.text(above, "first to", size=_SMALL, fill=MUTED)
    canvas.text(below, str(needed(view.tiles)), size=44)


def _draw_pair(canvas: Canvas, box: Box, view: View) -> None:
    """The pair revealed last, or before the first one a face-down tile for each seat."""
    canvas.box(box, TRAY, radius=RADIUS, edge=PANEL, width=4)
    tiles, words = box.inset(14, 12).cut_left(430, 8)
    for seat, place in enumerate(tiles.columns(2, 10)):
        _draw_part(canvas, place, view.last, Seat(seat))
    lines = _pair_words(view)
    fills = (MUTED, MUTED) if view.last is None else (MUTED, TEXT, TEXT, GOLD)
    together = words.centered(words.width, words.height * len(lines) // _PAIR_LINES)
    for place, text, fill in zip(together.rows(len(lines)), lines, fills, strict=False):
        canvas.text(place, text, size=_SMALL, fill=fill)


def _draw_part(canvas: Canvas, box: Box, pair: Pair | None, seat: Seat) -> None:
    """A seat's tile in a pair, framed and crowned if it won; face down if `pair` is None."""
    canvas.box(box, PANEL, radius=14)
    mark, rest = box.inset(10, 8).cut_top(52, 6)
    badge, mark = mark.cut_left(48, 10)
    draw_badge(canvas, badge.centered(48, 48), seat)
    if pair is None:
        draw_domino_back(canvas, domino_box(rest.inset(0, 6)))
        return
    won = pair.winner == seat
    if won:
        canvas.outline(mark.cut_left(48)[0].centered(48, 44), CROWN, GOLD)
    number = mark.cut_right(78)[0]
    canvas.text(number, str(pair.totals[seat]), size=52, fill=TEXT if won else MUTED)
    draw_played_tile(canvas, rest.inset(6, 8), pair.totals[seat], won=won)


def _pair_words(view: View) -> tuple[str, ...]:
    """The lines beside a pair: which one it is, why it was won (on two lines), and what won."""
    pair = view.last
    if pair is None:
        return ("No pair", "yet") if view.awaiting else ("No pair",)
    title = "Last pair" if pair.round == view.round else f"Round {pair.round}"
    won, why = reason(pair).split(" ", 1)
    first, rest = why.split(" ", 1)
    return title, f"{won} {first}", rest, f"{winning_total(pair)} wins"
