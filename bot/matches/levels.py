"""The computer levels available for a match, and their names."""

from typing import Any, Final

from bot.errors import ChallengeError
from bot.text import listed
from games import GAMES
from games.computer import LEVEL_KEYS, Level
from games.computers import COMPUTERS

NAMES: Final = {key: key.capitalize() for key in LEVEL_KEYS}
"""The names of the levels in lists, by key, weakest first."""


def levels_of(game: str) -> tuple[Level, ...]:
    """All levels of a game's computer, weakest first; empty if no computer plays it."""
    return tuple(COMPUTERS[game].levels) if game in COMPUTERS else ()


def levels_for(game: str, options: Any, seats: int) -> tuple[Level, ...]:  # noqa: ANN401
    """The levels that can play a match with these options, of the game's own type, and seats."""
    return COMPUTERS[game].levels_for(options, seats) if game in COMPUTERS else ()


def usual_level(game: str, options: Any, seats: int) -> str | None:  # noqa: ANN401 - as above
    """The default level: steady, or else the strongest; None if no computer plays this."""
    levels = levels_for(game, options, seats)
    steady = [level.key for level in levels if level.key == "steady"]
    return (steady or [levels[-1].key])[0] if levels else None


def easiest_level(game: str, options: Any, seats: int) -> str | None:  # noqa: ANN401 - as above
    """The level for somebody's first match: the weakest; None if no computer plays this."""
    levels = levels_for(game, options, seats)
    return levels[0].key if levels else None


def must_play(game: str, options: Any, seats: int, key: str) -> None:  # noqa: ANN401 - as above
    """Raise ChallengeError if no computer of this level can play such a match."""
    title, levels = GAMES[game].title, levels_for(game, options, seats)
    if any(level.key == key for level in levels):
        return
    if not levels:
        raise ChallengeError(f"No computer plays this variant of {title}. Name a person instead.")
    names = listed((level.key for level in levels), "or")
    if key in {level.key for level in levels_of(game)}:
        raise ChallengeError(
            f"No {key} computer plays this variant of {title} with {seats} players. Choose {names}."
        )
    raise ChallengeError(f"There's no such computer for {title}. Choose {names}.")
