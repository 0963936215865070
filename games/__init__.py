"""The games, by the key under which their matches are stored."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from games.conquest import CONQUEST
from games.core import Game, IllegalMoveError, Outcome, Seat
from games.duel import DUEL
from games.pico import PICO
from games.prize import PRIZE
from games.spite import SPITE

AnyGame = Game[Any, Any, Any, Any]
"""Any, because the registry holds games with different types of states, moves, views, options."""

_GAMES: dict[str, AnyGame] = {
    PICO.key: PICO,
    DUEL.key: DUEL,
    CONQUEST.key: CONQUEST,
    PRIZE.key: PRIZE,
    SPITE.key: SPITE,
}

GAMES: Mapping[str, AnyGame] = MappingProxyType(_GAMES)

__all__ = ["GAMES", "AnyGame", "Game", "IllegalMoveError", "Outcome", "Seat"]
