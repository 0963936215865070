"""The commands that the bot has registered, globally and for single servers."""

from collections import Counter, defaultdict, deque
from datetime import datetime, timedelta
from typing import Any, Final

from sandbox.command_forms import ENTRY_POINT, MESSAGE, SLASH, USER, read_command
from sandbox.errors import DiscordError, Json, Path, Problems, invalid, refusal
from sandbox.forms import as_object
from sandbox.world import World

MAX_COMMANDS: Final = {SLASH: 100, USER: 15, MESSAGE: 15, ENTRY_POINT: 1}
MAX_CREATED_A_DAY: Final = 200
"""In the global scope, and in each server."""

DAY: Final = timedelta(days=1)
GLOBAL_SCOPE: Final = None
Scope = int | None
"""The server that has the command; None for a global one."""


class Commands:
    """Registered commands by scope. An unchanged command keeps its id and version."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._scopes: dict[Scope, list[Json]] = {}
        self._created_at: defaultdict[Scope, deque[datetime]] = defaultdict(deque)
        """When commands were created within the last day, oldest first, by scope."""

    def of(self, scope: Scope) -> list[Json]:
        return list(self._scopes.get(scope, ()))

    def available(self, guild: int | None) -> list[Json]:
        """The commands in a server, its own and the global ones; for None, only the global ones."""
        own = self.of(guild) if guild is not None else []
        return [*own, *self.of(GLOBAL_SCOPE)]

    def overwrite(self, scope: Scope, body: object) -> list[Json]:
        """Replace all commands of a scope; raises 50240 if its entry point command is left out."""
        if not isinstance(body, list):
            raise invalid((), "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
        problems = Problems()
        commands = [read_command(item, (str(i),), problems) for i, item in enumerate(body)]
        seen = set()
        for i, command in enumerate(commands):
            if (command["type"], command["name"]) in seen:
                message = "Application command names must be unique"
                problems.note((str(i), "name"), "APPLICATION_COMMANDS_DUPLICATE_NAME", message)
            seen.add((command["type"], command["name"]))
        problems.check()
        _check_counts(commands)
        if _has_entry_point(self.of(scope)) and not _has_entry_point(commands):
            raise refusal(50240)
        self._count_created(scope, commands)
        self._replace(scope, [self._registered(scope, command) for command in commands])
        return self.of(scope)

    def upsert(self, scope: Scope, body: object) -> tuple[Json, bool]:
        """Add a command, or replace the one with its name; returns it, and whether it's new."""
        command = self._read_one(body)
        old = self._namesake(scope, command)
        kept = [other for other in self.of(scope) if other is not old]
        _check_counts([*kept, command])
        self._count_created(scope, [command])
        registered = self._registered(scope, command)
        self._replace(scope, [*kept, registered])
        return registered, old is None

    def change(self, scope: Scope, identity: int, body: object) -> Json:
        """Edit one command; fields that the body doesn't have keep their values."""
        old = self.find(scope, identity)
        command = self._read_one({**old, **as_object(body), "type": old["type"]})
        namesake = self._namesake(scope, command)
        if namesake is not None and namesake is not old:
            message = "Application command names must be unique"
            raise invalid(("name",), "APPLICATION_COMMANDS_DUPLICATE_NAME", message)
        identified = {**command, "id": old["id"]}
        registered = self._registered(scope, identified)
        self._replace(scope, [registered if c is old else c for c in self.of(scope)])
        return registered

    def remove(self, scope: Scope, identity: int) -> None:
        old = self.find(scope, identity)
        self._replace(scope, [command for command in self.of(scope) if command is not old])

    def find(self, scope: Scope, identity: int) -> Json:
        for command in self.of(scope):
            if command["id"] == str(identity):
                return command
        raise refusal(10063)

    def _read_one(self, body: object) -> Json:
        problems, path = Problems(), Path()
        command = read_command(body, path, problems)
        problems.check()
        return command

    def _namesake(self, scope: Scope, command: Json) -> Json | None:
        same = (command["type"], command["name"])
        return next((c for c in self.of(scope) if (c["type"], c["name"]) == same), None)

    def _registered(self, scope: Scope, command: Json) -> Json:
        old = self._namesake(scope, command)
        if old is not None and _content(old) == _content(command):
            return old
        identity = command.get("id") or (old["id"] if old else str(self._world.ids.next()))
        registered = {
            **command,
            "id": identity,
            "application_id": str(self._world.bot.id),
            "version": str(self._world.ids.next()),
        }
        if scope is not None:
            registered["guild_id"] = str(scope)
            del registered["dm_permission"]
        return registered

    def _count_created(self, scope: Scope, commands: list[Json]) -> None:
        """Count those that are new in the scope; raises 30034 if they're too many for a day."""
        now, created_at = self._world.clock.now(), self._created_at[scope]
        while created_at and now - created_at[0] >= DAY:
            created_at.popleft()
        new = sum(self._namesake(scope, command) is None for command in commands)
        if len(created_at) + new > MAX_CREATED_A_DAY:
            raise refusal(30034)
        created_at.extend([now] * new)

    def _replace(self, scope: Scope, commands: list[Json]) -> None:
        self._scopes[scope] = commands
        self._world.emit("commands_changed", commands)


def _content(command: Json) -> Json:
    """The command without the fields that Discord adds."""
    added = {"id", "application_id", "version", "guild_id", "dm_permission"}
    return {name: value for name, value in command.items() if name not in added}


def _has_entry_point(commands: list[Json]) -> bool:
    return any(command["type"] == ENTRY_POINT for command in commands)


def _check_counts(commands: list[dict[str, Any]]) -> None:
    for kind, number in Counter(command["type"] for command in commands).items():
        if number > MAX_COMMANDS[kind]:
            message = f"Maximum number of application commands reached ({MAX_COMMANDS[kind]})"
            raise DiscordError(400, 30032, message)
