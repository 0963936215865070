"""Buttons that play a card with one tap: in a hand, and at the table."""

from collections.abc import Sequence

from bot.matches import MatchSnapshot, PublicSnapshot, SeatSnapshot
from bot.messaging.content import balanced, buttons_per_row
from bot.rendering.presentation import Choice, Control
from games.pico import DECKS


def rows(snapshot: SeatSnapshot, draft: str) -> Sequence[Control]:
    """A button for each card that the owner of the hand can play."""
    del draft
    cards = _cards(snapshot, tuple(move.face for move in snapshot.legal))
    return balanced(cards, buttons_per_row(card.label for card in cards))


def tap_choices(snapshot: PublicSnapshot) -> Sequence[Sequence[Choice]]:
    """For each seat, a button for each different card in its hand; hands are public."""
    # A hand for three players can hold two equal cards, which are the same move.
    return [_cards(snapshot, tuple(dict.fromkeys(hand))) for hand in snapshot.view.hands]


def _cards(snapshot: MatchSnapshot, faces: tuple[int, ...]) -> tuple[Choice, ...]:
    dots = DECKS[snapshot.view.deck].dots
    return tuple(Choice(label=f"{face} {'•' * dots[face]}", move=str(face)) for face in faces)
