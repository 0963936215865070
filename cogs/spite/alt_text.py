"""Alt text for the pictures of Spite and Malice, which screen readers read: enough to play from."""

from collections.abc import Sequence

from bot.drawing.seats import arrangement, full_seat_name, seat_name
from bot.text import counted, listed
from cogs.spite.card_names import counted_as, needed, spoken_name
from cogs.spite.text import headline, playable
from games.core import Seat, winners
from games.spite import Face, SideView, View
from games.spite.cards import RANKS, WILDNESS
from games.spite.legality import may_start
from games.spite.moves import PILES


def describe(view: View) -> str:
    """All that the picture of a view shows, in at most 1024 characters (Discord's limit)."""
    lines = [
        f"Spite and Malice, {_stage(view)}.",
        _foundations(view),
        f"Source {counted(view.source, 'card')}, used {len(view.removed)}. {_wild(view)}",
        *(_seat(view, seat) for seat in arrangement(view.seat, 2)),
    ]
    return "\n".join(lines)


def _stage(view: View) -> str:
    if view.outcome is not None:
        won = winners(view.outcome)
        return f"final, won by {seat_name(won[0], view.seat)}" if won else "final, a draw"
    if not view.awaiting:
        return f"ended in {headline(view).lower()}"
    return f"{headline(view).lower()}, {seat_name(view.on_turn, view.seat)} to play"


def _foundations(view: View) -> str:
    piles = [
        f"f{i + 1} {counted_as(pile[-1], RANKS[len(pile) - 1])}, needs {needed(pile)}"
        for i, pile in enumerate(view.foundations)
    ]
    limit = view.options.foundations
    room = "" if may_start(view.options, view.foundations) else f" At most {limit} at a time."
    return f"Foundations: {'; '.join(piles) or 'none'}.{room}"


def _wild(view: View) -> str:
    """Which cards are wild; in pictures they're on gold paper."""
    wild = WILDNESS[view.options.jokers].wild
    return f"Wild: {listed(map(spoken_name, wild))}."


def _seat(view: View, seat: Seat) -> str:
    side = view.sides[seat]
    left = ", out" if seat == view.left else ""
    unit = view.options.scoring.removesuffix("s")
    won = f", {counted(view.scores[seat], unit)}" if view.options.target else ""
    own = seat == view.seat and view.hand is not None
    hand = _spelled(view.hand or ()) if own else counted(side.hand, "card")
    play = ", ".join(map(spoken_name, playable(view))) if own else ""
    can = f"\nPlayable: {play}." if play else ""
    return (
        f"{full_seat_name(seat, view.seat)}{left}{won}: stock {_stock(side)}; "
        f"hand {hand}; discards, top last: {_piles(side)}.{can}"
    )


def _stock(side: SideView) -> str:
    return (
        "played" if side.top is None else f"{spoken_name(side.top)}, {counted(side.stock, 'card')}"
    )


def _piles(side: SideView) -> str:
    return ", ".join(
        f"{name} {_spelled(pile)}" for name, pile in zip(PILES, side.discards, strict=True)
    )


def _spelled(faces: Sequence[Face]) -> str:
    return " ".join(spoken_name(face) for face in faces) or "empty"
