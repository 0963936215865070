"""The REST API: one module per resource."""

from typing import Final

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

__all__ = ["PREFIX", "ROUTES", "Reply", "Request", "Route", "Services"]
