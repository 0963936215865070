"""The presentations of all games in GAMES, and what tests check of the messages they make."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from bot.messaging.components import Select
from bot.messaging.content import Layout, MessageContent
from bot.rendering.presentation import KeepsScore, Presentation, Presentations, ShowsPuzzles
from games import GAMES, Seat


def _presentation(game: str) -> Presentation:
    module = import_module(f"cogs.{game}.presentation")
    presentation: Presentation = getattr(module, f"{game.capitalize()}Presentation")()
    return presentation


PRESENTATIONS = {game: _presentation(game) for game in GAMES}


def presentations() -> Presentations:
    """All games, as the bot has them once its cogs are loaded."""
    return dict(PRESENTATIONS)


def keeps_score(game: str) -> KeepsScore:
    """The presentation of a game in which everybody can follow the score."""
    presentation = PRESENTATIONS[game]
    assert isinstance(presentation, KeepsScore)
    return presentation


def shows_puzzles(game: str) -> ShowsPuzzles:
    """The presentation of a game that has puzzles."""
    presentation = PRESENTATIONS[game]
    assert isinstance(presentation, ShowsPuzzles)
    return presentation


def told(game: str, state: Any, names: Sequence[str], seat: Seat | None = None) -> str:
    """What a game tells a seat, or everybody, about a position: the result, if any, and the story.

    `names` has a name for each seat.
    """
    view, shown = GAMES[game].observe(state, seat), PRESENTATIONS[game]
    result = "" if view.outcome is None else f"{shown.result(view, names)}\n"
    return result + shown.story(view, names)


def buttons(content: MessageContent) -> list[Any]:
    """All buttons of a message, including links but not menus."""
    return [part for row in content.rows if not isinstance(row, Select) for part in row]


def custom_ids(content: MessageContent) -> list[str]:
    """The custom_ids of a message's menus and buttons."""
    menus = [row for row in content.rows if isinstance(row, Select)]
    return [str(part.press) for part in (*menus, *buttons(content)) if hasattr(part, "press")]


def must_fit(content: MessageContent) -> None:
    """Assert that a message with a picture fits Discord's limits.

    At most 40 components, 4,000 characters of text, 5 buttons a row, labels of 80 characters, and
    unique custom_ids of 100.
    """
    layout, ids = Layout(content, "attachment://x.png"), custom_ids(content)
    assert layout.total_children_count <= 40
    assert 1 <= layout.content_length() <= 4000
    assert all(len(row) <= 5 for row in content.rows if not isinstance(row, Select))
    assert all(1 <= len(button.label) <= 80 for button in buttons(content))
    assert len(ids) == len(set(ids))
    assert all(len(custom_id) <= 100 for custom_id in ids)
