"""Prepares a PostgreSQL database: waits for the server, checks that it's ours, and migrates it."""

import asyncio
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import asyncpg
import structlog
from pydantic import SecretStr
from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.config import location_of
from bot.storage import postgres, startup
from bot.storage.postgres import UnreachableError, sqlstate
from bot.storage.startup import InUseError, MalformedError, UnusableError
from bot.storage.trouble import NOT_VALID, UNREACHABLE, reason_of, refusal

log = structlog.get_logger()

OLDEST: Final = 14
"""The oldest supported major version of PostgreSQL."""

PATIENCE_SECONDS: Final = 60.0
"""How long to wait for the server: it may have been started together with the bot."""

FIRST_PAUSE: Final = 0.5
LONGEST_PAUSE: Final = 5.0

MIGRATING: Final = 0x46414345
"""The advisory lock for changing tables, or copying a whole database."""

TABLE_PATIENCE: Final = "800ms"
"""How long a migration waits for a table at a time: other readers queue behind it, and a click must
be answered within 3 seconds."""

_TABLE_IN_USE: Final = frozenset({"55P03", "40P01"})
"""SQLSTATEs of a lock that wasn't available in that time, or of a deadlock."""

_NOT_YET: Final = frozenset({"57P03", "53300", "57P01"})
"""SQLSTATEs of a server that is starting, full or stopping: it may be different in a moment."""

_REFUSALS: Final = {
    "28P01": "the server refuses this user name or password",
    "28000": "the server refuses this user name or password",
    "3D000": "the server has no database with this name. Make one with createdb",
    "42501": "this user can't make tables there. Make them the owner of the database",
    "25006": "the server is read-only, as a standby is. Name the one that takes writes",
}


_MALFORMED: Final = (
    f"{NOT_VALID}: it must look like postgresql://user:password@host/name, with %40 for an @, %2F "
    "for a /, %3F for a ? and %23 for a # in the password."
)
_CLEAR: Final = re.compile(r"postgres(ql)?://([^@/?#]*@)?[^@/?#]*/[^@?#]+(\?.*)?")
"""An address that every parser splits into the same password, host and name."""


async def migrate(
    address: SecretStr, target: str = "head", *, patience: float = PATIENCE_SECONDS
) -> None:
    """Migrate a database to a revision, in one transaction; UnusableError says why it fails.

    Of several processes one does it, and the others wait. If somebody reads a table for long, it's
    tried again and again, and between tries everybody else can continue.
    """
    until, pause = time.monotonic() + patience, FIRST_PAUSE
    await must_fit(address, patience)
    # A process that has waited must see what the other one did, whatever the server's default is.
    upkeep = postgres.upkeep(address, isolation_level="READ COMMITTED")
    try:
        while True:
            try:
                if await _try_to_migrate(upkeep, location_of(address), target):
                    return
            except (DBAPIError, UnreachableError) as error:
                # It has answered before, so it's too busy now, or gone again.
                if reason_of(error) != UNREACHABLE or time.monotonic() + pause > until:
                    raise unusable(address, error) from None
                log.info("waiting for the database server", why=UNREACHABLE)
            else:
                log.warning("waiting for the tables", why="a long transaction, such as pg_dump's")
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
    finally:
        await upkeep.dispose()


async def _try_to_migrate(upkeep: AsyncEngine, place: str, target: str) -> bool:
    """Try to migrate; returns False if a table was in use."""
    try:
        async with upkeep.begin() as connection:
            await connection.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATING})"))
            await connection.execute(text(f"SET LOCAL lock_timeout = '{TABLE_PATIENCE}'"))
            await connection.run_sync(_upgrade, place, target)
    except DBAPIError as error:
        if sqlstate(error) not in _TABLE_IN_USE:
            raise
        return False
    return True


def unusable(database: SecretStr, error: BaseException) -> Exception:
    """The exception for a server's error: UnusableError, or the error itself if it's our bug."""
    reason = why(error)
    if reason is None:
        return error if isinstance(error, Exception) else RuntimeError(str(error))
    return UnusableError(refusal(location_of(database), reason))


def why(error: BaseException) -> str | None:
    """Why a database can't be used, as exactly as its server says; None if it may be our bug."""
    return _REFUSALS.get(sqlstate(error) or "") or reason_of(error)


def must_be_clear(address: SecretStr) -> None:
    """Raise MalformedError unless this is the address of a database and is unambiguous."""
    try:
        # Without a database name, asyncpg would use the user's name.
        if _CLEAR.fullmatch(address.get_secret_value()) and postgres.is_complete(address):
            return
    except (ValueError, ArgumentError):  # the port is not a number
        pass
    raise MalformedError(_MALFORMED)


async def must_fit(address: SecretStr, patience: float = PATIENCE_SECONDS) -> None:
    """Wait until the server answers; UnusableError unless it's new enough and uses UTF-8."""
    connection = await _connect_patiently(address, patience)
    try:
        version = connection.get_server_version().major
        encoding = connection.get_settings().server_encoding
    finally:
        await connection.close()
    if version < OLDEST:
        raise UnusableError(
            f"DATABASE cannot be used: {location_of(address)}: the server is PostgreSQL "
            f"{version}, and the bot needs {OLDEST} or newer."
        )
    if encoding != "UTF8":
        raise UnusableError(
            f"DATABASE cannot be used: {location_of(address)}: its encoding is {encoding}, "
            "and the bot needs UTF8. Make another one with "
            "createdb --encoding=UTF8 --template=template0."
        )


async def _connect_patiently(address: SecretStr, patience: float) -> Any:  # noqa: ANN401 - asyncpg is untyped
    """Connect, with retries after growing pauses while the server isn't up yet."""
    must_be_clear(address)
    until, pause = time.monotonic() + patience, FIRST_PAUSE
    while True:
        try:
            return await postgres.connect(address, **postgres.UPKEEP)
        except (ValueError, asyncpg.ClientConfigurationError):
            raise MalformedError(_MALFORMED) from None
        except (asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            is_passing = isinstance(error, UnreachableError) or sqlstate(error) in _NOT_YET
            if not is_passing or time.monotonic() + pause > until:
                raise unusable(address, error) from None
            log.info("waiting for the database server", why=reason_of(error))
        await asyncio.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)


@asynccontextmanager
async def exclusive_connection(
    address: SecretStr,
    **options: Any,  # noqa: ANN401 - handed to SQLAlchemy
) -> AsyncIterator[AsyncConnection]:
    """A connection to a database that no bot uses meanwhile; InUseError if one does."""
    upkeep = postgres.upkeep(address, **options)
    try:
        async with upkeep.connect() as connection:
            # A bot that starts now waits for this lock.
            mine = await connection.execute(text(f"SELECT pg_try_advisory_xact_lock({MIGRATING})"))
            others = await connection.execute(
                text(
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
                    "AND pid <> pg_backend_pid() AND application_name = :name"
                ),
                {"name": postgres.SETTINGS["application_name"]},
            )
            if not mine.scalar_one() or others.scalar_one():
                raise InUseError(f"A bot is using {location_of(address)}. Stop it first.")
            yield connection
    finally:
        await upkeep.dispose()


def _upgrade(connection: Connection, place: str, target: str) -> None:
    tables = set(inspect(connection).get_table_names())
    if tables and not tables >= startup.OURS:
        raise UnusableError(
            f"DATABASE cannot be used: {place} holds tables that are not Facedown's. Make a "
            "database for the bot alone."
        )
    startup.upgrade(connection, place, target)
