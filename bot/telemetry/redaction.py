"""Tracebacks for the log, without the texts of errors that may reveal something.

A ValueError of the rules names the card it was about, one of a codec the whole state. The log is
for the bot's owner, who may be playing. Errors of the network, of Discord and of the database name
nothing of a match, and their texts are needed to find the cause.
"""

import re
import traceback
from collections.abc import Iterator
from types import TracebackType
from typing import Final

_HARMLESS: Final = ("aiohttp", "alembic", "bot", "concurrent", "discord", "sqlalchemy", "sqlite3")
"""Packages whose errors are logged with their text."""

_REMOTE: Final = "_RemoteTraceback"
"""The type of the cause of an error from a worker process. Its text is the worker's whole
traceback, with the text of the error."""

_FRAME: Final = re.compile(r'^  File ".+", line \d+, in .+$', re.MULTILINE)
_TASK: Final = re.compile(r"\bcoro=<([\w.<>]+)")

ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None]


def text_of(exc_info: ExcInfo) -> str:
    """The tracebacks of an error and of those that caused it, the oldest first."""
    return "\n".join(_chain(exc_info[1]))


def said_by_asyncio(text: str) -> str:
    """The first line of what asyncio says of an error that nobody retrieved, and of which task.

    The other lines show the error, and what was called with which arguments.
    """
    line = text.partition("\n")[0]
    if line.startswith("Exception in callback"):
        line = line.partition("(")[0]
    task = _TASK.search(text)
    return line if task is None else f"{line}: {task[1]}"


def _chain(error: BaseException) -> Iterator[str]:
    if error.__cause__ is not None:
        yield from _chain(error.__cause__)
        yield "That was the direct cause of:"
    elif error.__context__ is not None and not error.__suppress_context__:
        yield from _chain(error.__context__)
        yield "While that was handled:"
    frames = traceback.format_tb(error.__traceback__)
    yield "".join(["Traceback (most recent call last):\n", *frames, _name(error)])
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            yield "One of them:"
            yield from _chain(each)


def _name(error: BaseException) -> str:
    kind = type(error)
    if kind.__name__ == _REMOTE:
        return "\n".join(["In a worker:", *_FRAME.findall(str(error))])
    package = kind.__module__.partition(".")[0]
    name = kind.__qualname__ if package == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    if isinstance(error, OSError) or package in _HARMLESS:
        return f"{name}: {error}"
    return name
