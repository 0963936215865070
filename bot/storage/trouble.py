"""Recognizes that the database can't be used: no room, no permission, damage.

Logged at most once a minute.
"""

import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Final

import asyncpg
import structlog
from sqlalchemy.exc import DBAPIError

from bot.errors import StorageUnavailableError
from bot.storage.postgres import UnreachableError, sqlstate

log = structlog.get_logger()

SILENCE_SECONDS: Final = 60.0
"""The time between two log lines about it, however many clicks are refused meanwhile."""

UNUSABLE: Final = "DATABASE cannot be used"
"""How sentences about it begin."""

NOT_VALID: Final = "DATABASE is not valid"
"""How they begin if the setting can't be the place of a database."""

DAMAGED: Final = "the file is damaged"
READ_ONLY: Final = "the file is read-only"
UNREACHABLE: Final = "the database server can't be reached"
SERVER_DAMAGED: Final = "the database on the server is damaged"
SERVER_READ_ONLY: Final = "the database server is read-only"
_RESTORE: Final = "Put a backup in its place: python -m bot restore --force FILE"
_BUSY: Final = "the database server is too busy"

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

_SERVER_REASONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "53100": "the disk of the database server is full",
        "53300": "the database server takes no more connections",
        "25006": SERVER_READ_ONLY,
        "42501": "the database server forbids that to this user",
        "28P01": "the database server refuses the password",
        "28000": "the database server refuses the user name",
        "3D000": "the database is gone from the server",
        "58030": "the disk of the database server does not work",
        "XX001": SERVER_DAMAGED,
        "XX002": SERVER_DAMAGED,
        # Another transaction held a lock for too long, and this one gave up.
        "40P01": _BUSY,
        "40001": _BUSY,
        "55P03": _BUSY,
        "57014": _BUSY,
        "25P03": _BUSY,
    }
)
"""By PostgreSQL's SQLSTATE."""

_SERVER_CLASSES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "08": UNREACHABLE,
        "53": "the database server lacks resources",
        "57": UNREACHABLE,  # it's stopping or starting
    }
)
"""For other SQLSTATEs, by their first two characters."""

ERRORS: Final = (DBAPIError, sqlite3.Error, asyncpg.InterfaceError, ConnectionError, TimeoutError)
"""What a database may raise; errors while connecting pass through SQLAlchemy unwrapped."""


def reason_of(error: BaseException) -> str | None:
    """Why the database can't be used; None if the error may be a bug of ours."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    code: int = getattr(cause, "sqlite_errorcode", 0)
    return _REASONS.get(code & 0xFF) or _server_reason(error)  # higher bits are the extended code


def _server_reason(error: BaseException) -> str | None:
    state = sqlstate(error)
    if state is not None:
        return _SERVER_REASONS.get(state, _SERVER_CLASSES.get(state[:2]))
    cause: BaseException | None = error
    if isinstance(error, DBAPIError):
        if error.connection_invalidated:
            return UNREACHABLE
        cause = error.orig and error.orig.__cause__
    is_unreachable = isinstance(cause, (UnreachableError, ConnectionError, TimeoutError))
    return UNREACHABLE if is_unreachable else None


def refusal(database: object, reason: str, before: str = UNUSABLE) -> str:
    """What the owner is told if the bot can't use its database, and what would help."""
    sentence = f"{before}: {database}: {reason}."
    return f"{sentence} {_RESTORE}" if reason == DAMAGED else sentence


class Trouble:
    """What is wrong with the database at the moment, if anything."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.reason: str | None = None
        self._clock = clock
        self._silent_until = float("-inf")
        self._is_said = False
        self._refused = 0

    @contextmanager
    def translating(self, *, writing: bool) -> Iterator[None]:
        """Turn errors of an unusable database in this block into StorageUnavailableError."""
        try:
            yield
        except ERRORS as error:
            reason = reason_of(error)
            if reason is None or (reason in {READ_ONLY, SERVER_READ_ONLY} and not writing):
                raise
            self._note(reason)
            is_damaged = reason in {DAMAGED, SERVER_DAMAGED}
            raise StorageUnavailableError(reason, is_damaged=is_damaged) from None

    def note_written(self) -> None:
        """Note that something was written, which ends any trouble but damage to other parts."""
        if self.reason in {None, DAMAGED, SERVER_DAMAGED}:
            return
        self.reason = None
        if self._is_said:
            self._is_said = False
            log.info("database works again")

    def _note(self, reason: str) -> None:
        self._refused += 1
        if self.reason not in {DAMAGED, SERVER_DAMAGED}:
            self.reason = reason
        now = self._clock()
        if now >= self._silent_until:
            log.error("database unavailable", why=self.reason, refused=self._refused)
            self._silent_until, self._is_said, self._refused = now + SILENCE_SECONDS, True, 0
