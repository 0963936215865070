"""How each game shows itself, for a game as soon as it is in GAMES."""

from collections.abc import Sequence
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from bot.messaging.components import Select
from bot.messaging.content import Layout, MessageContent
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


def buttons(content: MessageContent) -> list[Any]:
    """All buttons of a message, links too; menus are none."""
    return [part for row in content.rows if not isinstance(row, Select) for part in row]


def custom_ids(content: MessageContent) -> list[str]:
    """Those of its buttons and menus."""
    menus = [row for row in content.rows if isinstance(row, Select)]
    return [str(part.press) for part in (*menus, *buttons(content)) if hasattr(part, "press")]


def must_fit(content: MessageContent) -> None:
    """Discord takes this message of a match, with a picture: parts, length, buttons and ids."""
    layout, ids = Layout(content, "attachment://x.png"), custom_ids(content)
    assert layout.total_children_count <= 40
    assert 1 <= layout.content_length() <= 4000
    assert all(len(row) <= 5 for row in content.rows if not isinstance(row, Select))
    assert all(1 <= len(button.label) <= 80 for button in buttons(content))
    assert len(ids) == len(set(ids))
    assert all(len(custom_id) <= 100 for custom_id in ids)
