"""Pico: the higher card wins a trick, unless it is more than twice as high."""

from games.pico.decks import DECKS, Deck
from games.pico.rules import PICO, Card, Options, Pico, State, Trick, View

__all__ = ["DECKS", "PICO", "Card", "Deck", "Options", "Pico", "State", "Trick", "View"]
