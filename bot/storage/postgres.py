"""Connections to a PostgreSQL server, and its errors without values from rows."""

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
"""The size of each connection pool of a process; a server takes 100 connections by default. One
more listens for hints."""

SETTINGS: Final = {
    "application_name": "facedown",
    "lock_timeout": "10s",
    # A process that hangs in a transaction must not block others: it's cut off before they reach
    # their `lock_timeout`.
    "idle_in_transaction_session_timeout": "6s",
}
UPKEEP: Final = {
    "application_name": "facedown upkeep",  # so that it isn't taken for a running bot
    "lock_timeout": "0",
    "statement_timeout": "0",  # the server, database or user may set one
    "idle_in_transaction_session_timeout": "0",
}
"""For work that may take long, and for work that waits for it."""

CONNECT_SECONDS: Final = 5.0
"""How long each host of an address may take to answer before the next is tried."""

LOST_SECONDS: Final = 6
"""After this many seconds without a TCP acknowledgment, all connections to a host are given up: its
machine has lost power, or the network is cut. A host that is only slow acknowledges what it
receives."""

STATEMENT_SECONDS: Final = 60.0
"""How long a statement may take before its connection is given up."""

_DATA_ERRORS: Final = "22"
"""The SQLSTATE class of errors whose message may contain a value."""

_SECRETS: Final = frozenset(
    {"password", "sslpassword", "scram_client_key", "scram_server_key", "oauth_client_secret"}
)
"""The secret parameters of an address, of all versions of PostgreSQL."""

_LAST_WRITABLE_HOST: Final[dict[str, str]] = {}
"""The last host that took writes, for each address that asks for one that does. After a failover
each new connection would otherwise wait for the old host first."""

_TRY_NEXT: Final = (OSError, TargetServerAttributeNotMatched, asyncpg.CannotConnectNowError)
"""Errors of one host after which the next is tried; TimeoutError is an OSError."""


class UnreachableError(asyncpg.InterfaceError):  # type: ignore[misc]  # it has no types
    """No host at the address answers, or none is what the address asks for."""


def writers(address: SecretStr) -> AsyncEngine:
    """Connections whose statements each see what was committed before them."""
    return _engine(address, "write", "READ COMMITTED")


def coordinators(address: SecretStr) -> AsyncEngine:
    """Connections for coordination between processes, which never waits for people's choices."""
    return _engine(address, "share", "READ COMMITTED")


def readers(address: SecretStr) -> AsyncEngine:
    """Connections whose transactions see one state of the database and can't write."""
    engine = _engine(address, "read", "REPEATABLE READ")
    return engine.execution_options(postgresql_readonly=True)


def dsn(address: SecretStr) -> str:
    """The address in the form that asyncpg accepts."""
    return re.sub(r"^postgres(ql)?://", "postgresql://", address.get_secret_value())


def hosts(address: SecretStr) -> list[str]:
    """One address for each host in it; ValueError if the numbers of hosts and ports differ.

    asyncpg would give all hosts together the time that a single unresponsive one takes.
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
    """The address for PostgreSQL's own tools, without passwords, which they ask for."""
    parts = urlsplit(dsn(address))
    login, at, named = parts.netloc.rpartition("@")
    options = urlencode([pair for pair in parse_qsl(parts.query) if pair[0] not in _SECRETS])
    plain = f"postgresql://{login.partition(':')[0]}{at}{named}{parts.path}"
    return f"{plain}?{options}" if options else plain


def is_complete(address: SecretStr) -> bool:
    """Whether it names a database; ValueError or ArgumentError if a port is not a number."""
    return all(make_url(one).database for one in hosts(address))


async def connect(address: SecretStr, **settings: str) -> Any:  # noqa: ANN401 - asyncpg is untyped
    """An asyncpg connection with our settings; raises only asyncpg's errors.

    All settings but the application's name are made after connecting, because PgBouncer refuses
    others at startup.
    """
    wanted = {**SETTINGS, **settings}
    name = wanted.pop("application_name")
    try:
        connection = await _connect_to_first(
            address,
            command_timeout=None if settings else STATEMENT_SECONDS,
            server_settings={"application_name": name},
        )
        with _closed_on_error(connection):
            await connection.execute("; ".join(f"SET {key} = '{wanted[key]}'" for key in wanted))
    except OSError as error:  # includes TimeoutError
        raise UnreachableError(error.strerror or "no answer") from error
    except asyncpg.ObjectNotInPrerequisiteStateError as error:  # during its own maintenance
        raise UnreachableError("the database takes no connections at present") from error
    except TargetServerAttributeNotMatched as error:  # no standby has taken over yet
        raise UnreachableError("no server there is what the address asks for") from error
    return connection


async def _connected(address: SecretStr) -> Any:  # noqa: ANN401 - asyncpg is untyped
    """`connect` in a task of its own, so that the time limit per host can cancel it.

    A time limit cancels the task that it's in, and the task of a `ShieldedConnection` continues
    nonetheless.
    """
    return await asyncio.create_task(connect(address))


async def _connect_to_first(address: SecretStr, **options: Any) -> Any:  # noqa: ANN401
    """Connect to the first host that answers and is what the address asks for.

    If it asks for one that takes writes, the last such host is tried first. Otherwise the order in
    the address is what the owner wants.
    """
    why: Exception | None = None
    last = _LAST_WRITABLE_HOST.get(dsn(address))
    for one in sorted(hosts(address), key=lambda host: host != last):
        try:
            connection = await asyncpg.connect(one, timeout=CONNECT_SECONDS, **options)
        except _TRY_NEXT as error:
            why = error
        else:
            if _takes_writes(address):
                _LAST_WRITABLE_HOST[dsn(address)] = one
            _watch_host(connection)
            return connection
    assert why is not None  # there is always one host
    raise why


def _watch_host(connection: Any) -> None:  # noqa: ANN401
    """Have the system close this connection if its host is lost, even while nothing is sent.

    It would take 15 minutes otherwise, or never happen. Not all systems support it.
    """
    reached = connection._transport.get_extra_info("socket")  # noqa: SLF001 - no public way
    if reached.family == socket.AF_UNIX or not hasattr(socket, "TCP_USER_TIMEOUT"):
        return
    reached.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    reached.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, LOST_SECONDS // 3)
    reached.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, LOST_SECONDS // 3)
    reached.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, LOST_SECONDS * 1000)


@contextmanager
def _closed_on_error(connection: Any) -> Iterator[None]:  # noqa: ANN401
    """Close the connection if the block fails, because nobody gets it then."""
    try:
        yield
    except BaseException:
        connection.terminate()
        raise


def sqlstate(error: BaseException) -> str | None:
    """PostgreSQL's SQLSTATE of an error, five characters; None if it has none."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    code: str | None = getattr(cause, "sqlstate", None)
    return code


def upkeep(address: SecretStr, **options: Any) -> AsyncEngine:  # noqa: ANN401 - SQLAlchemy's
    """Connections without time limits, for work before or beside play."""
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
    """The same engine, with errors that contain no values."""
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
        # The connection used last is the first to know that its host has changed.
        pool_use_lifo=True,
        hide_parameters=True,  # errors are logged, and parameters hold hands and seeds
    )
    observe_statements(engine, part)
    event.listen(engine.sync_engine, "checkout", _must_be_open)
    if _takes_writes(address):
        event.listen(engine.sync_engine, "checkout", _must_take_writes)
    return _quiet(engine)


def _must_be_open(driver: Any, _record: object, _proxy: object) -> None:  # noqa: ANN401
    """Have the pool reconnect if the server has closed this connection."""
    if driver.driver_connection.is_closed():
        raise DisconnectionError


def _takes_writes(address: SecretStr) -> bool:
    """Whether the address asks for a host that takes writes, so that new connections are to one."""
    options = dict(parse_qsl(urlsplit(dsn(address)).query))
    return options.get("target_session_attrs") == "read-write"


def _must_take_writes(driver: Any, _record: object, _proxy: object) -> None:  # noqa: ANN401
    """Have the pool reconnect if the host no longer takes writes, because another may by now.

    The host reports this with its next answer, before it would close the connection.
    """
    settings = driver.driver_connection.get_settings()
    if getattr(settings, "default_transaction_read_only", None) == "on":  # a pooler reports none
        raise InvalidatePoolError


def _without_values(context: ExceptionContext) -> None:
    """Remove what the server says about a row from an error: it may be a hand or a seed."""
    adapted = context.original_exception
    cause = adapted.__cause__
    if isinstance(cause, asyncpg.PostgresError):
        cause.detail = cause.hint = cause.context = cause.query = None
    has_value = (
        isinstance(cause, asyncpg.DataError) or (sqlstate(adapted) or "")[:2] == _DATA_ERRORS
    )
    if not has_value:
        return
    plain = f"{type(cause).__name__}, which names a value"
    for error in (cause, adapted, context.sqlalchemy_exception):
        if error is not None:
            error.args = (plain,)
