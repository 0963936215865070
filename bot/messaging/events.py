"""Events of Discord's that nobody here can read: one of them costs that event, not the process."""

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import structlog

log = structlog.get_logger()

Parser = Callable[[Any], None]
"""Takes the data of an event as Discord has sent it."""

FATAL: Final = frozenset({"READY", "RESUMED"})
"""Without these there is no session, so who runs the bot is to see it end."""


def sparing(name: str, parse: Parser) -> Parser:
    """The same, but what it raises is logged.

    The library takes a field that is missing, or a value that it does not know, for its own end:
    what a parser raises closes the client, on all shards. Discord sends the next event anyway.
    """

    def take(data: Any) -> None:  # noqa: ANN401 - as Discord sends it
        try:
            parse(data)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is about this event only
            log.error("event not understood", event_name=name, **told_of(error))  # noqa: TRY400

    return take


def told_of(error: Exception) -> dict[str, str]:
    """What is logged of an error in reading: its text may quote a player's choice."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    return {"why": type(error).__name__, "at": f"{Path(where.filename).name}:{where.lineno}"}
