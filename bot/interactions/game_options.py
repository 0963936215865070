"""Checks what a challenger chose for a match against the options of its game.

Must not import discord.py: workers that draw import it too, to name matches.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from bot.errors import ChallengeError

OptionsT = TypeVar("OptionsT")


def checked_options(
    make: Callable[..., OptionsT],
    **chosen: Any,  # noqa: ANN401 - a game's own
) -> OptionsT:
    """A game's options with those chosen, as made by `make`; None leaves an option as it is.

    Raises ChallengeError if a match can't be played like that.
    """
    try:
        return make(**{name: value for name, value in chosen.items() if value is not None})
    except ValueError as error:
        raise ChallengeError(str(error)) from None
