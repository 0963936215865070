"""Routes of the REST API, and the Request and Reply of their handlers."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from sandbox.commands import Commands
from sandbox.endpoint import Endpoint
from sandbox.errors import invalid
from sandbox.faults import Faults
from sandbox.gateway_limits import GatewayLimits
from sandbox.guilds import Channel
from sandbox.interactions import Interactions
from sandbox.payload_reader import Upload
from sandbox.permissions import Permission
from sandbox.ratelimits import RateLimits
from sandbox.snowflakes import is_snowflake
from sandbox.world import World

PREFIX: Final = "/api/v10"
VARIABLE: Final = re.compile(r"{(\w+)}")
MAJOR_PARAMETERS: Final = ("channel", "guild", "application", "token")
"""Path parameters whose values have separate rate limit buckets."""


@dataclass(slots=True, kw_only=True)
class Services:
    """What the handlers use."""

    world: World
    commands: Commands
    interactions: Interactions
    faults: Faults
    limits: RateLimits
    endpoint: Endpoint
    shards: int
    gateway_limits: GatewayLimits
    gateway_url: str = ""


@dataclass(slots=True, kw_only=True)
class Request:
    """One request, with its path and body parsed."""

    services: Services
    parameters: dict[str, str]
    query: dict[str, str]
    body: Any
    uploads: list[Upload] = field(default_factory=list)

    @property
    def world(self) -> World:
        return self.services.world

    def identity(self, name: str) -> int:
        """A path parameter that is an id; raises DiscordError if it isn't one."""
        value = self.parameters[name]
        if not is_snowflake(value):
            message = f'Value "{value}" is not snowflake.'
            raise invalid((f"{name}_id",), "NUMBER_TYPE_COERCE", message)
        return int(value)

    def channel(self) -> Channel:
        """The channel in the path; raises like `Directory.require_channel`."""
        return self.world.require_channel(self.identity("channel"))

    def can(self, channel: Channel, permission: Permission) -> bool:
        """Whether the bot has a permission in a channel."""
        return self.world.can(self.world.bot.id, channel, permission)


@dataclass(frozen=True, slots=True)
class Reply:
    """The JSON and status of an answer; a 204 has no JSON."""

    body: Any = None
    status: int = 200


NO_CONTENT: Final = Reply(status=204)
Handler = Callable[[Request], Reply]


@dataclass(frozen=True)
class Route:
    """A method and path of the API, and its handler."""

    method: str
    path: str
    """The path after /api/v10, with parameters in braces."""

    handler: Handler

    @property
    def name(self) -> str:
        return f"{self.method} {self.path}"

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Matches its paths; parameters don't match "@me" and "@original"."""
        return re.compile(VARIABLE.sub(r"(?P<\1>[^@/][^/]*)", self.path))

    @property
    def is_open(self) -> bool:
        """Whether it needs no Authorization header, because an interaction's token is in its path.

        Only such routes don't count toward the 50 requests a second either.
        """
        return "{token}" in self.path

    def major(self, parameters: dict[str, str]) -> str:
        return ":".join(parameters[name] for name in MAJOR_PARAMETERS if name in parameters)


class Routes(list[Route]):
    """The routes of a resource; its decorator `add` registers handlers."""

    def add(self, method: str, path: str) -> Callable[[Handler], Handler]:
        def register(handler: Handler) -> Handler:
            self.append(Route(method, path, handler))
            return handler

        return register
