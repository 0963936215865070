"""What a challenger wishes a match to be like, against what its game has.

Without discord.py: what a match is called is asked for by workers that draw, too.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from bot.errors import ChallengeError

OptionsT = TypeVar("OptionsT")


def granted(make: Callable[..., OptionsT], **wishes: Any) -> OptionsT:  # noqa: ANN401 - a game's own
    """The options with these wishes; None leaves a thing as it is.

    Raises ChallengeError where a match cannot be played like that.
    """
    try:
        return make(**{name: wish for name, wish in wishes.items() if wish is not None})
    except ValueError as error:
        raise ChallengeError(str(error)) from None
