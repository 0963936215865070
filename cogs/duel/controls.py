"""Buttons that play a tile with one tap: in a hand, and at the table."""

from collections.abc import Sequence

from bot.matches import PublicSnapshot, SeatSnapshot
from bot.messaging.content import balanced
from bot.rendering.presentation import Choice, Control
from games.core import Seat
from games.duel import View


def rows(snapshot: SeatSnapshot, draft: str) -> Sequence[Control]:
    """A button for each tile that the owner of the hand can play."""
    del draft
    return balanced(_tiles(tuple(move.total for move in snapshot.legal)))


def tap_choices(snapshot: PublicSnapshot) -> Sequence[Sequence[Choice]]:
    """For each seat, the tiles of its hand if it owes a move, else nothing; hands are public."""
    view: View = snapshot.view
    return [
        _tiles(hand) if Seat(seat) in view.awaiting else () for seat, hand in enumerate(view.hands)
    ]


def _tiles(totals: tuple[int, ...]) -> tuple[Choice, ...]:
    return tuple(Choice(label=str(total), move=str(total)) for total in totals)
