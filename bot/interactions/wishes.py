"""Checks what a challenger wishes for a match against the options of its game.

Must not import discord.py: workers that draw import it too, to name matches.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from bot.errors import ChallengeError

OptionsT = TypeVar("OptionsT")


def granted(make: Callable[..., OptionsT], **wishes: Any) -> OptionsT:  # noqa: ANN401 - a game's own
    """A game's options with these wishes, as made by `make`; None leaves an option as it is.

    Raises ChallengeError if a match can't be played like that.
    """
    try:
        return make(**{name: wish for name, wish in wishes.items() if wish is not None})
    except ValueError as error:
        raise ChallengeError(str(error)) from None
