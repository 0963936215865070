"""What Discord offers while a command is written."""

from collections.abc import Mapping
from typing import Any, Final

from discord import app_commands

from games import GAMES

MAX_CHOICES: Final = 25
"""Discord shows no more."""

TITLES: Final[Mapping[str, str]] = {key: game.title for key, game in GAMES.items()}
"""The games by their keys, for commands that ask which one."""


def choices_of(names: Mapping[Any, str]) -> list[app_commands.Choice[Any]]:
    """What a command offers, from names by value: all of them strings, or all numbers."""
    return [app_commands.Choice(name=name, value=key) for key, name in names.items()]
