"""Where Discord offers a command: each command is marked with one of these decorators.

A command without one is only for servers that have the bot: the client declares no other installs.
"""

from typing import Any, Final, TypeVar

from discord import app_commands

CommandT = TypeVar("CommandT", bound=Any)

IN_SERVERS: Final = app_commands.AppCommandContext(
    guild=True, dm_channel=False, private_channel=False
)


def anywhere(command: CommandT) -> CommandT:
    """Offer it in servers with the bot, in its direct messages, and anywhere to its own users.

    They have installed it for themselves. Where the bot is a guest, it can only answer.
    """
    command = app_commands.allowed_installs(guilds=True, users=True)(command)
    return app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)(command)


def in_messages_too(command: CommandT) -> CommandT:
    """Offer it in servers with the bot and in its direct messages."""
    return app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)(command)


def in_servers(command: CommandT) -> CommandT:
    """Offer it only in servers with the bot."""
    return app_commands.guild_only()(command)
