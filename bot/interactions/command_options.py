"""Checks that the options of a command are what it offers to Discord's own clients."""

from typing import Any, Final

import discord
from discord import app_commands

from bot.errors import ButtonError
from bot.messaging.components import LARGEST_ID

MAX_TEXT: Final = 6000
"""Discord's own limit in characters, for a text option that has none."""

CHOICE: Final = "Pick one of the choices for `{}`."
NUMBER: Final = "The number for `{}` is out of range. Discord shows what's possible."
NOBODY: Final = "I can't find that person. Pick someone in this server."
LENGTH: Final = "The text for `{}` is too short or too long. Discord shows what's possible."


def must_be_offered(interaction: discord.Interaction[Any]) -> None:
    """ButtonError for a value that the command doesn't offer: a forged client can send any."""
    command = interaction.command
    if not isinstance(command, app_commands.Command):
        return
    given = dict(iter(interaction.namespace))
    for parameter in command.parameters:
        value = given.get(parameter.display_name)
        if value is not None:
            _must_fit(parameter, value)


def _must_fit(parameter: app_commands.Parameter, value: object) -> None:
    name, low, high = parameter.display_name, parameter.min_value, parameter.max_value
    if parameter.choices and value not in [choice.value for choice in parameter.choices]:
        raise ButtonError(CHOICE.format(name))
    is_person = isinstance(value, discord.User | discord.Member)  # an id alone may be anybody's
    if parameter.type is discord.AppCommandOptionType.user and not is_person:
        raise ButtonError(NOBODY)
    if isinstance(value, int | float):
        low, high = -LARGEST_ID if low is None else low, LARGEST_ID if high is None else high
        if not low <= value <= high:
            raise ButtonError(NUMBER.format(name))
    elif isinstance(value, str) and not (low or 0) <= len(value) <= (high or MAX_TEXT):
        raise ButtonError(LENGTH.format(name))
