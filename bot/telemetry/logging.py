"""Structured logs: one event name and its values, ids and never names, moves or secrets."""

import logging
import re
from typing import Final, Literal

import aiohttp
import discord
import structlog
from aiohttp.http_exceptions import HttpProcessingError

from bot.errors import StorageUnavailableError
from bot.telemetry.metrics import LINES
from bot.telemetry.redaction import said_by_asyncio, text_of

_TOKENS: Final = re.compile(r"(/(?:webhooks|interactions)/\d+/)[^\s/?\"']+")
"""In the address of a request: whoever has it can write in the bot's name for 15 minutes."""


_OF_THE_NETWORK: Final = (
    OSError,
    aiohttp.ClientError,
    discord.ConnectionClosed,
    discord.GatewayNotFound,
    discord.HTTPException,
)


_BY_ENDPOINT: Final = "Application has an interaction endpoint URL"
"""How a line of the library begins that does not know of our endpoint; the client says more."""

MALFORMED: Final = 400

_CONNECTING: Final = frozenset({"discord.client", "discord.gateway", "discord.shard"})
_OFFERING: Final = "discord.app_commands.tree"
"""Who logs what goes wrong with the list that is offered for what somebody types. Its answer often
comes too late for Discord, which is nobody's bug: whoever types on is offered the next one."""

_SAID: Final = "Failed to connect for shard_id"
"""How a line of the library begins where the bot has one of its own."""


def _is_ours(record: logging.LogRecord) -> bool:
    """Whether the library logs anything but that what somebody sent is no request."""
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, HttpProcessingError)


server_log: Final = logging.getLogger("aiohttp.server.ours")
"""The library's log of our own servers."""
server_log.addFilter(_is_ours)


def conceal(
    _logger: object, _method: str, line: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Leave out the tokens in the addresses that libraries log."""
    for key in ("event", "exception"):
        if isinstance(line.get(key), str):
            line[key] = _TOKENS.sub(r"\1…", line[key])
    return line


def _count(record: logging.LogRecord) -> bool:
    LINES.labels(record.levelname.lower()).inc()
    return True


def _shorten(record: logging.LogRecord) -> bool:
    """Say in one line what a library logs of a connection that failed, which it tries again.

    Likewise of a list for what somebody types that did not arrive.

    What asyncio says names no values either. What has been said already, by the storage or by the
    bot as it starts, is left out.
    """
    if str(record.msg).startswith(_BY_ENDPOINT):
        return False
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, StorageUnavailableError):
        return False
    if record.name == "asyncio":
        record.msg, record.args = said_by_asyncio(record.getMessage()), None
    if _is_trouble(record, error):
        if str(record.msg).startswith(_SAID):
            return False
        record.msg = f"{record.getMessage()} {type(error).__name__}"
        record.args = record.exc_info = None
        record.levelno, record.levelname = logging.WARNING, "WARNING"
    return True


def _is_trouble(record: logging.LogRecord, error: BaseException | None) -> bool:
    """Whether a library logs trouble on the way to Discord; not that we sent what is malformed."""
    if record.name == _OFFERING and getattr(error, "status", 0) == MALFORMED:
        return False
    expected = record.name in _CONNECTING or record.name == _OFFERING
    return expected and isinstance(error, _OF_THE_NETWORK)


def configure(level: str, form: Literal["text", "json"]) -> None:
    """Send our events and the library's own log lines to standard error in one form."""
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.ExceptionRenderer(text_of),
        conceal,
    ]
    last: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if form == "json"
        else structlog.dev.ConsoleRenderer(
            colors=False, exception_formatter=structlog.dev.plain_traceback
        )
    )
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler()
    handler.addFilter(_shorten)
    handler.addFilter(_count)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, last],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    logging.getLogger("discord").setLevel(max(logging.WARNING, root.level))
    logging.getLogger("alembic").setLevel(logging.WARNING)
    logging.getLogger("aiosqlite").setLevel(logging.WARNING)
