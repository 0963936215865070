"""Old states, brought up to date when they are read.

When the state of a game changes its shape, raise its number in `SCHEMAS`, add a function from the
old JSON text to the new one to `UPGRADES`, and keep a recorded old state in the tests.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from bot.errors import CorruptRecordError

SCHEMAS: Mapping[str, int] = MappingProxyType({})
"""The present schema number of each game's state; 1 where none is named."""

UPGRADES: Mapping[tuple[str, int], Callable[[str], str]] = MappingProxyType({})
"""For a game and an old number, the function that makes the next number's text of it."""


def schema(game: str) -> int:
    """The number that a state stored now carries."""
    return SCHEMAS.get(game, 1)


def upgrade(game: str, number: int, text: str) -> str:
    """The text of a state as the present schema writes it."""
    while number < schema(game):
        text = UPGRADES[game, number](text)
        number += 1
    if number > schema(game):
        raise CorruptRecordError(f"a state of {game} was written by a newer version ({number})")
    return text
