"""Alt text for the pictures of Prize Dominoes, read aloud by screen readers."""

from bot.drawing.seats import arrangement, full_seat_name, seat_name
from bot.text import counted, listed, verb_form
from cogs.prize.text import (
    fresh_prize,
    must_play_at_line,
    new_numbers,
    offers_prize,
    own_drawn,
    won_hand,
)
from games.core import Seat, winners
from games.prize import Tile, View
from games.prize.tiles import places, spell, spell_all


def describe(view: View) -> str:
    """All that the picture of a view shows, in at most 1024 characters (Discord's limit)."""
    lines = [
        f"Prize Dominoes, hand {view.number} (max {view.options.hand_limit}), {_stage(view)}.",
        f"Stock: {view.stock}.",
        *(["1 pass."] if view.passes == 1 else []),
        _line(view),
        *(_seat(view, seat) for seat in arrangement(view.seat, 2)),
    ]
    return "\n".join(lines)


def _stage(view: View) -> str:
    if view.outcome is not None:
        won = winners(view.outcome)
        return f"final, won by {seat_name(won[0], view.seat)}" if won else "final, a draw"
    if not view.awaiting:
        return "ended in this hand"
    who = seat_name(view.turn, view.seat)
    if won_hand(view) is not None:
        return f"won by {who}, who {verb_form(who, 'takes', 'take')} a prize"
    return f"{who} to move"


def _line(view: View) -> str:
    """The line, its ends, and which tile was laid last."""
    if view.ends is None:
        return "No line yet."
    left, right = view.ends
    line = f"Line from left to right: {spell_all(view.line)}. Left end {left}, right end {right}."
    newest = next((event for event in reversed(view.events) if event.tile is not None), None)
    if newest is None or newest.tile is None:  # a puzzle has no events
        return line
    where = "" if newest.end is None else f" at the {newest.end}"
    return f"{line} Laid last: {spell(newest.tile)}{where}, by {seat_name(newest.seat, view.seat)}."


def _seat(view: View, seat: Seat) -> str:
    """A seat's line: its mark, its prizes, the numbers it needs, and its hand."""
    left = ", out" if seat in view.left else ""
    row = view.prizes[seat]
    lacks = f"needs {listed(view.missing[seat])}" if view.missing[seat] else "needs nothing"
    fresh = fresh_prize(view, seat)
    newest = f" (new: {spell(fresh)})" if fresh else ""
    prizes = f"prizes: {spell_all(row) or 'none'}{newest}; {lacks}."
    return f"{full_seat_name(seat, view.seat)}{left}, {prizes} {_hand(view, seat)}"


def _hand(view: View, seat: Seat) -> str:
    hand = view.hands[seat]
    asks = view.asks and seat == view.turn
    if hand is None:
        return f"Holds {counted(view.held[seat], 'tile')}{', plus one just drawn' if asks else ''}."
    text = f"Hand: {spell_all(hand) or 'none'}."
    result = won_hand(view)
    if result is not None:
        text += f" Pips when the hand ended: {result.pips[seat]}."
        if offers_prize(view, seat):
            text += f" {_offers(view, hand)}"
        return text
    if asks and view.asked is not None:
        return f"{text} Drawn: {spell(view.asked)}, fits both ends."
    drawn = own_drawn(view)
    kept = "" if drawn is None else f" Drawn last: {spell(drawn)}."
    return f"{text}{kept} {_fits(view, seat, hand)}".rstrip()


def _offers(view: View, hand: tuple[Tile, ...]) -> str:
    """Which tiles of the revealed hand have numbers that the winner still needs."""
    useful = [f"{spell(tile)} ({listed(new)})" for tile in hand if (new := new_numbers(view, tile))]
    return f"Tiles with new numbers: {', '.join(useful) or 'none'}."


def _fits(view: View, seat: Seat, hand: tuple[Tile, ...]) -> str:
    if not must_play_at_line(view, seat):
        return ""
    assert view.ends is not None  # see `must_play_at_line`
    fitting = [
        f"{spell(tile)} {' or '.join(ends)}" for tile in hand if (ends := places(tile, view.ends))
    ]
    return f"Fits: {', '.join(fitting) or 'nothing'}."
