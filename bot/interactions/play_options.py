"""Options that the `play` commands of all games share: their descriptions and choices."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

import discord
from discord import app_commands

from bot.interactions.choices import choices_of
from bot.matches.levels import NAMES, levels_of
from bot.rendering.phrases import TIME_CONTROLS
from games import GAMES

Opponent = discord.Member | discord.User
"""Somebody who can be named; only members of a server that has the bot can be challenged."""

CommandT = TypeVar("CommandT", bound=Callable[..., Any])

HELP: Final = {
    "pace": "How long each move can take; default: server setting",
    "rated": "Whether it counts toward ratings; default: yes",
}
COMPUTER_HELP: Final = (
    "A computer takes every seat you leave empty; name nobody, and you play right now"
)
HAND_HELP: Final = "Where you choose; default: server setting"
TAP: Final = "tap"
HANDS: Final = {
    TAP: "One tap: every hand is a row of buttons at the table",
    "desk": "In private: choose in a message only you can see",
}


def usual_options(game: str) -> Callable[[CommandT], CommandT]:
    """Describe `pace` and `rated`, `computer` if one plays, `hand` if hands can be buttons."""
    words, offered = dict(HELP), {"pace": choices_of(TIME_CONTROLS)}
    if levels := levels_of(game):
        words["computer"] = COMPUTER_HELP
        offered["computer"] = choices_of({level.key: NAMES[level.key] for level in levels})
    if GAMES[game].hands_are_public:
        words["hand"], offered["hand"] = HAND_HELP, choices_of(HANDS)

    def described(command: CommandT) -> CommandT:
        return app_commands.describe(**words)(app_commands.choices(**offered)(command))

    return described


def wants_taps(hand: str | None) -> bool | None:
    """Whether the option `hand` asks for taps at the table; None if it was left out."""
    return None if hand is None else hand == TAP
