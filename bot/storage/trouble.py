"""When SQLite refuses what it should do: no room, no permission, damage. Said once a minute."""

import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Final

import structlog
from sqlalchemy.exc import DBAPIError

from bot.errors import StorageUnavailableError

log = structlog.get_logger()

SILENCE_SECONDS: Final = 60.0
"""Between two log lines about it, however many clicks are refused meanwhile."""

DAMAGED: Final = "the file is damaged"
READ_ONLY: Final = "the file is read-only"

_REASONS: Final[Mapping[int, str]] = MappingProxyType(
    {
        sqlite3.SQLITE_FULL: "the disk is full",
        sqlite3.SQLITE_READONLY: READ_ONLY,
        sqlite3.SQLITE_CORRUPT: DAMAGED,
        sqlite3.SQLITE_NOTADB: DAMAGED,
        sqlite3.SQLITE_IOERR: "the disk is full or does not work",
        sqlite3.SQLITE_CANTOPEN: "the file cannot be opened",
        sqlite3.SQLITE_PERM: "the file may not be used",
        sqlite3.SQLITE_BUSY: "another program holds the file",
    }
)


def reason_of(error: BaseException) -> str | None:
    """Why SQLite refuses, if that is no bug of ours."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    code: int = getattr(cause, "sqlite_errorcode", 0)
    return _REASONS.get(code & 0xFF)  # what is above tells kinds of the same apart


class Trouble:
    """What is wrong with the database at present, if anything."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.reason: str | None = None
        self._clock = clock
        self._silent_until = float("-inf")
        self._is_said = False
        self._refused = 0

    @contextmanager
    def translating(self, *, writing: bool) -> Iterator[None]:
        """Turn what SQLite refuses in this block into StorageUnavailableError."""
        try:
            yield
        except (DBAPIError, sqlite3.Error) as error:
            reason = reason_of(error)
            if reason is None or (reason == READ_ONLY and not writing):
                raise
            self._note(reason)
            raise StorageUnavailableError(reason, is_damaged=reason == DAMAGED) from None

    def over(self) -> None:
        """Something was written. That says nothing of the rest of a damaged file."""
        if self.reason is None or self.reason == DAMAGED:
            return
        self.reason = None
        if self._is_said:
            self._is_said = False
            log.info("database works again")

    def _note(self, reason: str) -> None:
        self._refused += 1
        if self.reason != DAMAGED:
            self.reason = reason
        now = self._clock()
        if now >= self._silent_until:
            log.error("database unavailable", why=self.reason, refused=self._refused)
            self._silent_until, self._is_said, self._refused = now + SILENCE_SECONDS, True, 0
