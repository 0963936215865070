"""Routes of the REST API, and what a handler gets and gives."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from sandbox.commands import Commands
from sandbox.errors import Json, invalid
from sandbox.faults import Faults
from sandbox.guilds import Channel
from sandbox.interactions import Interactions
from sandbox.payload_reader import Upload
from sandbox.permissions import Permission
from sandbox.ratelimits import RateLimits
from sandbox.snowflakes import is_snowflake
from sandbox.world import World

MAJOR: Final = ("channel", "guild", "application", "token")
"""Path parameters that have buckets of their own."""


@dataclass(slots=True, kw_only=True)
class Services:
    """What handlers work on."""

    world: World
    commands: Commands
    interactions: Interactions
    faults: Faults
    limits: RateLimits
    shards: int
    gateway_url: str = ""
    identified: Callable[[], int] = lambda: 0


@dataclass(slots=True, kw_only=True)
class Request:
    """One request, its path and body taken apart."""

    services: Services
    parameters: dict[str, str]
    query: dict[str, str]
    body: Any
    uploads: list[Upload] = field(default_factory=list)

    @property
    def world(self) -> World:
        return self.services.world

    def identity(self, name: str) -> int:
        """A path parameter that is an id."""
        value = self.parameters[name]
        if not is_snowflake(value):
            message = f'Value "{value}" is not snowflake.'
            raise invalid((f"{name}_id",), "NUMBER_TYPE_COERCE", message)
        return int(value)

    def channel(self) -> Channel:
        """The channel of the path, which the bot can see."""
        return self.world.require_channel(self.identity("channel"))

    def can(self, channel: Channel, permission: Permission) -> bool:
        """Whether the bot may do that in a channel."""
        return self.world.can(self.world.bot.id, channel, permission)


@dataclass(frozen=True, slots=True)
class Reply:
    """Status and JSON of an answer; 204 has none."""

    body: Any = None
    status: int = 200


NOTHING: Final = Reply(status=204)
Handler = Callable[[Request], Reply]


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    method: str
    template: str
    handler: Handler
    open: bool
    """Whether it needs no Authorization: the token is in the path."""

    steps: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"{self.method} {self.template}"

    @property
    def is_counted(self) -> bool:
        """Whether it counts toward 50 a second: all but what hangs on an interaction."""
        return not self.open

    def match(self, steps: list[str]) -> dict[str, str] | None:
        """The path's parameters, or None when it is another route's."""
        if len(steps) != len(self.steps):
            return None
        parameters = {}
        for pattern, step in zip(self.steps, steps, strict=True):
            if pattern.startswith("{"):
                if not step or step.startswith("@"):
                    return None
                parameters[pattern[1:-1]] = step
            elif pattern != step:
                return None
        return parameters

    def major(self, parameters: dict[str, str]) -> str:
        return ":".join(parameters[name] for name in MAJOR if name in parameters)


class Routes:
    """A table of routes, filled by decorating handlers."""

    def __init__(self) -> None:
        self.all: list[Route] = []

    def add(
        self, method: str, template: str, *, open_: bool = False
    ) -> Callable[[Handler], Handler]:
        def register(handler: Handler) -> Handler:
            steps = tuple(template.strip("/").split("/"))
            route = Route(
                method=method, template=template, handler=handler, open=open_, steps=steps
            )
            self.all.append(route)
            return handler

        return register


def find_route(routes: list[Route], method: str, path: str) -> tuple[Route, dict[str, str]] | None:
    """The route of a request: the one with the most literal steps."""
    steps = path.strip("/").split("/")
    found = [
        (route, parameters)
        for route in routes
        if route.method == method and (parameters := route.match(steps)) is not None
    ]
    return min(found, key=lambda one: len(one[1]), default=None)


def as_object(body: object) -> Json:
    """The body, which must be a JSON object."""
    if not isinstance(body, dict):
        raise invalid((), "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType")
    return body
