"""The log of the bot's REST requests and their answers."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any


@dataclass(slots=True, kw_only=True)
class LoggedRequest:
    """One REST request and its answer."""

    method: str
    path: str
    """The path after /api/v10."""

    query: dict[str, str]
    json: Any = None
    files: list[tuple[str, str]] = field(default_factory=list)
    """The name and content type of each uploaded file."""

    multipart: bool = False
    at: datetime
    counted: bool = True
    """Whether it counts toward Discord's 50 requests a second."""

    route: str | None = None
    status: int | None = None
    """None until it's answered, and if the connection was dropped."""

    response: Any = None
