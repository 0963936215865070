"""The commands that are loaded, each as people call it and as `/help` tells of it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import discord
from discord import AppCommandType, app_commands

Tree = app_commands.CommandTree[Any]

_PERMISSIONS: Final = {"manage_guild": "Manage Server"}
"""Permissions that Discord calls otherwise in its settings than on the wire."""

_NOTHING: Final = discord.Permissions.none()
_ASKS: Final = re.compile(r" \((Manage [A-Z][a-z]+)\)")
"""A subcommand cannot have a permission of its own for Discord, so its description names it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A command as it is called, subcommands spelled out."""

    name: str
    says: str
    anywhere: bool
    """Whether it also works outside servers."""

    needs: tuple[str, ...]
    """The permissions that one must have to see it, by Discord's names."""

    @property
    def called(self) -> str:
        """What a reader types to use it, or taps."""
        return f"`/{self.name}`"

    @property
    def line(self) -> str:
        return f"- {self.called} · {self.says}"


def entries_of(tree: Tree) -> Iterator[Entry]:
    """Every command of a tree."""
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
