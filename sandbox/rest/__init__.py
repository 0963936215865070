"""The REST API: one module per resource."""

from typing import Final
from urllib.parse import unquote

from sandbox.rest import (
    applications,
    channels,
    commands,
    guilds,
    interactions,
    messages,
    threads,
    users,
)
from sandbox.rest.routing import PREFIX, Reply, Request, Route, Services

ROUTES: Final[list[Route]] = [
    *applications.routes,
    *channels.routes,
    *commands.routes,
    *guilds.routes,
    *interactions.routes,
    *messages.routes,
    *threads.routes,
    *users.routes,
]

Found = tuple[Route, dict[str, str]]
"""A route, and the values of its path's parameters by name."""


def find(method: str, path: str) -> Found | None:
    """The route of a request, None if there is none; slashes within values must still be quoted."""
    for route in ROUTES:
        if route.method == method and (found := route.pattern.fullmatch(path)):
            return route, {name: unquote(value) for name, value in found.groupdict().items()}
    return None


def is_known(path: str) -> bool:
    """Whether there is a route with this path, with any method."""
    return any(route.pattern.fullmatch(path) for route in ROUTES)


__all__ = ["PREFIX", "Found", "Reply", "Request", "Route", "Services", "find", "is_known"]
