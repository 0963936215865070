"""The slash commands that are loaded, as people type them and as `/help` describes them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import discord
from discord import AppCommandType, app_commands

Tree = app_commands.CommandTree[Any]

_PERMISSIONS: Final = {"manage_guild": "Manage Server"}
"""Labels of permissions that Discord's settings don't call by their API name."""

_NOTHING: Final = discord.Permissions.none()
_ASKS: Final = re.compile(r" \((Manage [A-Z][a-z]+)\)")
"""The permission in a description: Discord has none for a single subcommand."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A command or subcommand."""

    name: str
    """The full name, such as `season start`."""

    says: str
    """The description, without the permission in it."""

    anywhere: bool
    """Whether it also works outside servers."""

    needs: tuple[str, ...]
    """The permissions needed to use it, as Discord's settings call them."""

    @property
    def called(self) -> str:
        """The command in backticks, which becomes a link when it's sent."""
        return f"`/{self.name}`"

    @property
    def line(self) -> str:
        return f"- {self.called} · {self.says}"


def entries_of(tree: Tree) -> Iterator[Entry]:
    """Every slash command and subcommand of a tree."""
    for root in tree.get_commands(type=AppCommandType.chat_input):
        needs = [_called(name) for name, asked in root.default_permissions or _NOTHING if asked]
        leaves = root.walk_commands() if isinstance(root, app_commands.Group) else [root]
        for leaf in leaves:
            if isinstance(leaf, app_commands.Command):
                asked = _ASKS.findall(leaf.description)
                yield Entry(
                    name=leaf.qualified_name,
                    says=_ASKS.sub("", leaf.description),
                    anywhere=not (root.guild_only or leaf.guild_only),
                    needs=tuple(dict.fromkeys([*needs, *asked])),
                )


def _called(permission: str) -> str:
    return _PERMISSIONS.get(permission, permission.replace("_", " ").title())
