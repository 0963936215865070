"""A database on a PostgreSQL server: connections to it, and its errors without what rows hold."""

import asyncio
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, Literal
from urllib.parse import parse_qsl, urlencode, urlsplit

import asyncpg
from asyncpg.exceptions import TargetServerAttributeNotMatched
from pydantic import SecretStr
from sqlalchemy import event, make_url
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import DBAPIError, DisconnectionError, InvalidatePoolError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from bot.storage.engine import observe_statements

CONNECTIONS: Final = {"write": 8, "read": 4, "share": 2}
"""Of one process, by what they are for: a server takes 100 unless it is told otherwise. One more
hears hints."""

SETTINGS: Final = {
    "application_name": "facedown",
    "lock_timeout": "10s",
    # A process that stands still in the middle of a transaction must not hold others up: whoever
    # waits for what it has locked gets it before they give up.
    "idle_in_transaction_session_timeout": "6s",
}
UPKEEP: Final = {
    "application_name": "facedown upkeep",  # so that it is not taken for a bot
    "lock_timeout": "0",
    "statement_timeout": "0",  # a server, a database or a user may have one
    "idle_in_transaction_session_timeout": "0",
}
"""For what may take long, and for what waits for that."""

CONNECT_SECONDS: Final = 5.0
"""In which each host of an address must answer, or the next one is tried."""

LOST_SECONDS: Final = 6
"""After which a host that acknowledges nothing is given up with all connections to it: its machine
has lost its power, or the way there is cut. One that is only slow acknowledges what it gets."""

STATEMENT_SECONDS: Final = 60.0
"""In which the server must answer, or the connection is given up."""

_VALUES: Final = "22"
"""The class of errors whose message may repeat a value."""


_ANSWERED: Final[dict[str, str]] = {}
"""By addresses that ask for a host that takes writes: the one that was this last. After a failover
each new connection would otherwise wait for the one before."""

_TRY_NEXT: Final = (OSError, TargetServerAttributeNotMatched, asyncpg.CannotConnectNowError)
"""Errors of one host that say nothing of the others; a TimeoutError is an OSError."""


class UnreachableError(asyncpg.InterfaceError):  # type: ignore[misc]  # it has no types
    """Nothing answers at the address, or nothing that the address asks for."""


def writers(address: SecretStr) -> AsyncEngine:
    """Connections whose transactions see at each statement what is committed by then."""
    return _engine(address, "write", "READ COMMITTED")


def sharers(address: SecretStr) -> AsyncEngine:
    """Connections for what processes do among themselves, which waits behind nobody's choice."""
    return _engine(address, "share", "READ COMMITTED")


def readers(address: SecretStr) -> AsyncEngine:
    """Connections whose transactions see one state of the database and cannot write."""
    engine = _engine(address, "read", "REPEATABLE READ")
    return engine.execution_options(postgresql_readonly=True)


def dsn(address: SecretStr) -> str:
    """The address as asyncpg takes it."""
    return re.sub(r"^postgres(ql)?://", "postgresql://", address.get_secret_value())


def hosts(address: SecretStr) -> list[str]:
    """The address once for each host that it names; ValueError where ports and hosts don't match.

    asyncpg would give all of them together no more time than one that never answers takes.
    """
    whole = dsn(address)
    parts = urlsplit(whole)
    user, at, named = parts.netloc.rpartition("@")
    if "," in named:
        return [
            whole.replace(f"//{user}{at}{named}", f"//{user}{at}{one}", 1)
            for one in named.split(",")
        ]
    options = dict(parse_qsl(parts.query))
    names = options.get("host", "").split(",")
    if len(names) == 1:
        return [whole]
    ports = options.get("port", "").split(",")
    if len(ports) == 1:
        ports *= len(names)
    plain = whole.partition("?")[0]
    return [
        f"{plain}?{urlencode({**options, 'host': name, **({'port': port} if port else {})})}"
        for name, port in zip(names, ports, strict=True)
    ]


def without_password(address: SecretStr) -> str:
    """The address as PostgreSQL's own tools take it; they ask for the password."""
    parts = urlsplit(dsn(address))
    login, at, named = parts.netloc.rpartition("@")
    options = urlencode([pair for pair in parse_qsl(parts.query) if pair[0] != "password"])
    plain = f"postgresql://{login.partition(':')[0]}{at}{named}{parts.path}"
    return f"{plain}?{options}" if options else plain


def is_complete(address: SecretStr) -> bool:
    """Whether a database is named; ValueError or ArgumentError where a port is no number."""
    return all(make_url(one).database for one in hosts(address))


async def connect(address: SecretStr, **settings: str) -> Any:  # noqa: ANN401 - asyncpg is untyped
    """A connection of asyncpg's own, with our settings; all its errors are asyncpg's.

    They are set once it is there, but for its name: PgBouncer refuses any other at the start.
    """
    wanted = {**SETTINGS, **settings}
    name = wanted.pop("application_name")
    try:
        connection = await _first(
            address,
            command_timeout=None if settings else STATEMENT_SECONDS,
            server_settings={"application_name": name},
        )
        with _ended_by_errors(connection):
            await connection.execute("; ".join(f"SET {key} = '{wanted[key]}'" for key in wanted))
    except OSError as error:  # also a TimeoutError
        raise UnreachableError(error.strerror or "no answer") from error
    except asyncpg.ObjectNotInPrerequisiteStateError as error:  # during upkeep of the server's own
        raise UnreachableError("the database takes no connections at present") from error
    except TargetServerAttributeNotMatched as error:  # no standby has taken over yet
        raise UnreachableError("no server there is what the address asks for") from error
    return connection


async def _connected(address: SecretStr) -> Any:  # noqa: ANN401 - asyncpg is untyped
    """The same in a task of its own, which a host's time limit can cancel.

    A limit cancels the task in which it is. That of a `ShieldedConnection` goes on nonetheless.
    """
    return await asyncio.create_task(connect(address))


async def _first(address: SecretStr, **options: Any) -> Any:  # noqa: ANN401
    """A connection to the first host that is there and is what the address asks for.

    The one that was the last to take writes is asked before all others. Where an address asks for
    nothing, the order in it is the owner's wish.
    """
    why: Exception | None = None
    last = _ANSWERED.get(dsn(address))
    for one in sorted(hosts(address), key=lambda host: host != last):
        try:
            connection = await asyncpg.connect(one, timeout=CONNECT_SECONDS, **options)
        except _TRY_NEXT as error:
            why = error
        else:
            if _takes_writes(address):
                _ANSWERED[dsn(address)] = one
            _watch_host(connection)
            return connection
    assert why is not None  # there is always one host
    raise why


def _watch_host(connection: Any) -> None:  # noqa: ANN401
    """Let the system end this connection when its host is lost, also while nothing is sent.

    It would take a quarter of an hour otherwise, or never notice. Not all systems can.
    """
    reached = connection._transport.get_extra_info("socket")  # noqa: SLF001 - no public way
    if reached.family == socket.AF_UNIX or not hasattr(socket, "TCP_USER_TIMEOUT"):
        return
    reached.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    reached.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, LOST_SECONDS // 3)
    reached.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, LOST_SECONDS // 3)
    reached.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, LOST_SECONDS * 1000)


@contextmanager
def _ended_by_errors(connection: Any) -> Iterator[None]:  # noqa: ANN401
    """End a connection that nobody gets."""
    try:
        yield
    except BaseException:
        connection.terminate()
        raise


def sqlstate(error: BaseException) -> str | None:
    """The code of five characters by which PostgreSQL says what is wrong; None without one."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    found: str | None = getattr(cause, "sqlstate", None)
    return found


def upkeep(address: SecretStr, **options: Any) -> AsyncEngine:  # noqa: ANN401 - SQLAlchemy's
    """Connections that may take as long as they need, for what is done before or beside play."""
    return _quiet(
        create_async_engine(
            "postgresql+asyncpg://",
            async_creator=lambda: connect(address, **UPKEEP),
            poolclass=NullPool,
            hide_parameters=True,
            **options,
        )
    )


def _quiet(engine: AsyncEngine) -> AsyncEngine:
    """The same, whose errors hold no values."""
    event.listen(engine.sync_engine, "handle_error", _without_values)
    return engine


def _engine(
    address: SecretStr,
    part: Literal["write", "read", "share"],
    isolation_level: Any,  # noqa: ANN401
) -> AsyncEngine:
    engine = create_async_engine(
        "postgresql+asyncpg://",
        async_creator=lambda: _connected(address),
        isolation_level=isolation_level,
        pool_size=CONNECTIONS[part],
        max_overflow=0,
        pool_timeout=None,
        # What one has just learned of its host comes to light at once, and counts for all.
        pool_use_lifo=True,
        hide_parameters=True,  # an error's text gets into the log, and they hold hands and seeds
    )
    observe_statements(engine, part)
    event.listen(engine.sync_engine, "checkout", _must_be_open)
    if _takes_writes(address):
        event.listen(engine.sync_engine, "checkout", _must_take_writes)
    return _quiet(engine)


def _must_be_open(driver: Any, _record: object, _proxy: object) -> None:  # noqa: ANN401
    """Let the pool connect anew where the server has ended a connection meanwhile."""
    if driver.driver_connection.is_closed():
        raise DisconnectionError


def _takes_writes(address: SecretStr) -> bool:
    """Whether it asks for a host that takes writes, so that a new connection is to one."""
    options = dict(parse_qsl(urlsplit(dsn(address)).query))
    return options.get("target_session_attrs") == "read-write"


def _must_take_writes(driver: Any, _record: object, _proxy: object) -> None:  # noqa: ANN401
    """Let the pool connect anew where the host takes no writes any more, as another may by now.

    It says so with its next answer, before it would end the connection.
    """
    told = driver.driver_connection.get_settings()
    if getattr(told, "default_transaction_read_only", None) == "on":  # a pooler tells nothing
        raise InvalidatePoolError


def _without_values(context: ExceptionContext) -> None:
    """Take out of an error what the server says of a row: it may be a hand or a seed."""
    adapted = context.original_exception
    cause = adapted.__cause__
    if isinstance(cause, asyncpg.PostgresError):
        cause.detail = cause.hint = cause.context = cause.query = None
    has_value = isinstance(cause, asyncpg.DataError) or (sqlstate(adapted) or "")[:2] == _VALUES
    if not has_value:
        return
    plain = f"{type(cause).__name__}, which names a value"
    for error in (cause, adapted, context.sqlalchemy_exception):
        if error is not None:
            error.args = (plain,)
