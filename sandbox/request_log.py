"""The log of the bot's REST requests and their answers."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any


@dataclass(slots=True, kw_only=True)
class LoggedRequest:
    """One REST request and its answer."""

    method: str
    path: str
    """Without the prefix /api/v10."""

    query: dict[str, str]
    json: Any = None
    files: list[tuple[str, str]] = field(default_factory=list)
    """Name and content type of each uploaded file."""

    multipart: bool = False
    at: datetime
    counted: bool = True
    """Whether it counts toward Discord's 50 requests a second."""

    route: str | None = None
    status: int | None = None
    """None before it is answered, and when the connection was cut."""

    response: Any = None
