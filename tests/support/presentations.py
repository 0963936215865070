"""How each game shows itself, for a game as soon as it is in GAMES."""

from importlib import import_module

from bot.rendering.presentation import Presentation, Presentations
from games import GAMES


def _presentation(game: str) -> Presentation:
    module = import_module(f"cogs.{game}.presentation")
    presentation: Presentation = getattr(module, f"{game.capitalize()}Presentation")()
    return presentation


PRESENTATIONS = {game: _presentation(game) for game in GAMES}


def presentations() -> Presentations:
    """All games, as the bot has them once its cogs are loaded."""
    loaded = Presentations()
    for game, presentation in PRESENTATIONS.items():
        loaded.add(game, presentation)
    return loaded
