"""Structured logs: one event name and its values; ids, and never names, moves or secrets."""

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
"""Tokens in URLs of requests: anybody who has one can write in the bot's name for 15 minutes."""


_NETWORK_ERRORS: Final = (
    OSError,
    aiohttp.ClientError,
    discord.ConnectionClosed,
    discord.GatewayNotFound,
    discord.HTTPException,
)


_UNAWARE_OF_ENDPOINT: Final = "Application has an interaction endpoint URL"
"""The beginning of a line of discord.py's, which doesn't know this bot's endpoint; the client logs
more."""

MALFORMED: Final = 400

_CONNECTING: Final = frozenset({"discord.client", "discord.gateway", "discord.shard"})
_AUTOCOMPLETE: Final = "discord.app_commands.tree"
"""The logger of errors in autocompletion. Its answers often come too late for Discord, which is
nobody's bug: with the next letter, Discord asks again."""

_LOGGED_BY_US: Final = "Failed to connect for shard_id"
"""The beginning of a line of discord.py's for which the bot logs one of its own."""


def _is_ours(record: logging.LogRecord) -> bool:
    """False for what aiohttp logs about a malformed request that somebody sent."""
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, HttpProcessingError)


server_log: Final = logging.getLogger("aiohttp.server.ours")
"""aiohttp's log of the bot's own HTTP servers."""
server_log.addFilter(_is_ours)


def conceal(
    _logger: object, _method: str, line: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Remove the tokens from URLs that libraries log."""
    for key in ("event", "exception"):
        if isinstance(line.get(key), str):
            line[key] = _TOKENS.sub(r"\1…", line[key])
    return line


def _count(record: logging.LogRecord) -> bool:
    LINES.labels(record.levelname.lower()).inc()
    return True


def _shorten(record: logging.LogRecord) -> bool:
    """Shorten to one line what a library logs of a failed connection, which it tries again.

    The same for failed autocompletion. asyncio's messages are stripped of values. Returns False for
    what the storage, or the bot as it starts, has logged already.
    """
    if str(record.msg).startswith(_UNAWARE_OF_ENDPOINT):
        return False
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, StorageUnavailableError):
        return False
    if record.name == "asyncio":
        record.msg, record.args = said_by_asyncio(record.getMessage()), None
    if _is_trouble(record, error):
        if str(record.msg).startswith(_LOGGED_BY_US):
            return False
        record.msg = f"{record.getMessage()} {type(error).__name__}"
        record.args = record.exc_info = None
        record.levelno, record.levelname = logging.WARNING, "WARNING"
    return True


def _is_trouble(record: logging.LogRecord, error: BaseException | None) -> bool:
    """Whether a library logs network trouble with Discord, and not a malformed request of ours."""
    if record.name == _AUTOCOMPLETE and getattr(error, "status", 0) == MALFORMED:
        return False
    expected = record.name in _CONNECTING or record.name == _AUTOCOMPLETE
    return expected and isinstance(error, _NETWORK_ERRORS)


def configure(level: str, form: Literal["text", "json"]) -> None:
    """Write the bot's events and the libraries' log lines to standard error, in one format."""
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
