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
"""A route, and what stands for the variables of its path."""


def find(method: str, path: str) -> Found | None:
    """The route of a request; in its path, slashes within a value are still quoted."""
    for route in ROUTES:
        if route.method == method and (found := route.pattern.fullmatch(path)):
            return route, {name: unquote(value) for name, value in found.groupdict().items()}
    return None


def is_known(path: str) -> bool:
    """Whether there is a route with this path, by whatever method."""
    return any(route.pattern.fullmatch(path) for route in ROUTES)


__all__ = ["PREFIX", "Found", "Reply", "Request", "Route", "Services", "find", "is_known"]
