"""How each game shows itself, for a game as soon as it is in GAMES."""

from collections.abc import Sequence
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from bot.rendering.presentation import Presentation, Presentations
from games import GAMES, Seat


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


def told(game: str, state: Any, names: Sequence[str], seat: Seat | None = None) -> str:
    """How a game tells a position to a seat, or to everybody: the result at the end, the story."""
    rules, shown = GAMES[game], PRESENTATIONS[game]
    view = rules.observe(state, seat)
    # Of a snapshot the words of these games take its view, and whether it goes on.
    snapshot: Any = SimpleNamespace(view=view, outcome=rules.outcome(state), status="running")
    result = "" if snapshot.outcome is None else f"{shown.result(snapshot, names)}\n"
    return result + shown.story(snapshot, names)
