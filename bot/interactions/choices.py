"""Choices that Discord offers for the options of a command."""

from collections.abc import Mapping
from typing import Any, Final

from discord import app_commands

from games import GAMES

MAX_CHOICES: Final = 25
"""Choices that Discord shows at most."""

TITLES: Final[Mapping[str, str]] = {key: game.title for key, game in GAMES.items()}
"""Titles of the games by key, for commands that ask for a game."""


def choices_of(names: Mapping[Any, str]) -> list[app_commands.Choice[Any]]:
    """Choices from names by value; the values are all strings or all numbers."""
    return [app_commands.Choice(name=name, value=key) for key, name in names.items()]
