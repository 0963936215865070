"""The REST API, a module a resource."""

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
from sandbox.rest.routing import Reply, Request, Route, Services, find_route

ROUTES: Final[list[Route]] = [
    *applications.routes.all,
    *channels.routes.all,
    *commands.routes.all,
    *guilds.routes.all,
    *interactions.routes.all,
    *messages.routes.all,
    *threads.routes.all,
    *users.routes.all,
]

__all__ = ["ROUTES", "Reply", "Request", "Route", "Services", "find_route"]
