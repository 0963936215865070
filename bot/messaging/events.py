"""Gateway events that can't be parsed: each one is lost, but the process goes on."""

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import structlog

log = structlog.get_logger()

Parser = Callable[[Any], None]
"""Takes the data of an event as Discord sent it."""

FATAL: Final = frozenset({"READY", "RESUMED"})
"""Events without which there is no session: if one can't be parsed, the client ends, so that the
bot's owner notices."""


def logging_errors(name: str, parse: Parser) -> Parser:
    """A parser that logs what the given one raises.

    discord.py lets an exception in a parser, for example for a missing field or an unknown value,
    close the client with all its shards. Discord sends the next event anyway.
    """

    def take(data: Any) -> None:  # noqa: ANN401 - as Discord sends it
        try:
            parse(data)
        except Exception as error:  # noqa: BLE001 - whatever it is, only this event is lost
            log.error("event not understood", event_name=name, **loggable(error))  # noqa: TRY400

    return take


def loggable(error: Exception) -> dict[str, str]:
    """What to log of a parsing error: its type and place. Its text may quote a player's choice."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return {"why": type(error).__name__, "at": f"{Path(frame.filename).name}:{frame.lineno}"}
