"""Upgrades old states when they are read.

When the state of a game changes its shape, raise its number in `SCHEMAS`, add a function from the
old JSON text to the new one to `UPGRADES`, and keep a recorded old state in the tests.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from bot.errors import CorruptRecordError

SCHEMAS: Mapping[str, int] = MappingProxyType({})
"""The current schema number of each game's state, by game; 1 for those not named."""

UPGRADES: Mapping[tuple[str, int], Callable[[str], str]] = MappingProxyType({})
"""By game and old number, the function that converts a state's text to the next number's."""


def schema(game: str) -> int:
    """The schema number of states that are stored now."""
    return SCHEMAS.get(game, 1)


def upgrade(game: str, number: int, text: str) -> str:
    """The text of a state in the current schema; CorruptRecordError if its number is higher."""
    while number < schema(game):
        text = UPGRADES[game, number](text)
        number += 1
    if number > schema(game):
        raise CorruptRecordError(f"a state of {game} was written by a newer version ({number})")
    return text
