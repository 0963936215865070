"""The rows of a hand and the taps of the table: a card is one tap."""

from collections.abc import Sequence

from bot.matches import MatchSnapshot, PublicSnapshot, SeatSnapshot
from bot.messaging.content import abreast, balanced
from bot.rendering.presentation import Choice, Control
from games.pico import DECKS


def rows(snapshot: SeatSnapshot) -> Sequence[Control]:
    """The cards that the owner of a hand may play."""
    cards = _cards(snapshot, tuple(move.face for move in snapshot.legal))
    return balanced(cards, abreast(card.label for card in cards))


def taps(snapshot: PublicSnapshot) -> Sequence[Sequence[Choice]]:
    """For each seat the cards of its hand, which all can see."""
    # A hand may hold two cards of one face, which are one choice.
    return [_cards(snapshot, tuple(dict.fromkeys(hand))) for hand in snapshot.view.hands]


def _cards(snapshot: MatchSnapshot, faces: tuple[int, ...]) -> tuple[Choice, ...]:
    dots = DECKS[snapshot.view.deck].dots
    return tuple(Choice(label=f"{face} {'•' * dots[face]}", move=str(face)) for face in faces)
