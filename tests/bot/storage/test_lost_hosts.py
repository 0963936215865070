"""A database host that is lost while connected: it's given up, and the next one is used."""

import asyncio
import socket
from contextlib import asynccontextmanager, suppress
from urllib.parse import parse_qs, urlsplit

import asyncpg
import pytest
from pydantic import SecretStr

from bot.errors import StorageUnavailableError
from bot.storage import postgres
from bot.storage.health import why_unusable
from tests.support.cluster import ServerDatabase
from tests.support.made_servers import own_database
from tests.support.storages import storage_of

pytestmark = pytest.mark.slow


class ServerProxy:
    """A TCP proxy for a server that can stop answering, like a machine without power.

    Until then it forwards data both ways. It connects to the server's Unix socket in a folder.
    """

    def __init__(self, folder):
        self.port = None
        self._target = folder / ".s.PGSQL.5432"
        self._ends = []
        self._ways = set()
        self._passes_on = asyncio.Event()
        self._passes_on.set()

    @asynccontextmanager
    async def open(self):
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()
            self._passes_on.set()
            for end in self._ends:
                end.transport.abort()
            await asyncio.gather(*self._ways)

    def fall_silent(self):
        """Accept data and new connections from now on, but forward nothing."""
        self._passes_on.clear()

    async def _accept(self, reader, writer):
        self._ways.add(asyncio.current_task())
        there, back = await asyncio.open_unix_connection(self._target)
        self._ends += (writer, back)
        await asyncio.gather(self._pass_on(reader, back), self._pass_on(there, writer))

    async def _pass_on(self, reader, writer):
        with suppress(ConnectionError):
            while sent := await reader.read(65536):
                await self._passes_on.wait()
                writer.write(sent)
        writer.close()


@pytest.fixture
async def first(cluster):
    """The first host in the address of the database."""
    async with ServerProxy(cluster.folder).open() as proxy:
        yield proxy


@pytest.fixture
def database(cluster, server_database, first):
    """A database with two hosts: the proxy and the server itself."""
    server_database.empty()
    hosts = f"host=127.0.0.1,{cluster.folder}&port={first.port},5432&user=owner"
    return ServerDatabase(SecretStr(f"postgresql:///facedown?{hosts}"), server_database.client)


async def put(storage, fingerprint="x"):
    async with storage.transaction() as writing:
        await writing.commands.put_synced(1, fingerprint)


async def fingerprint(storage):
    async with storage.reading() as reading:
        return await reading.commands.fingerprint(1)


async def test_after_a_host_stops_answering_the_next_one_is_used(first, database, monkeypatch):
    """New connections try the silent host first, and one connection is inside a transaction."""
    for limit in ("STATEMENT_SECONDS", "CONNECT_SECONDS"):
        monkeypatch.setattr(postgres, limit, 1.0)
    async with storage_of(database) as storage:
        await put(storage)
        first.fall_silent()
        with pytest.raises(StorageUnavailableError):
            await put(storage)

        assert await why_unusable(storage, 60.0) is None


async def test_the_host_that_last_accepted_writes_is_tried_before_a_lost_one(
    cluster, server_database, first, monkeypatch
):
    """Otherwise each new connection would first wait for the lost host."""
    monkeypatch.setattr(postgres, "CONNECT_SECONDS", 1.0)
    asked, begin = [], asyncpg.connect

    async def connect(where, **options):
        asked.append("lost" if str(first.port) in where else "other")
        return await begin(where, **options)

    monkeypatch.setattr(asyncpg, "connect", connect)
    named = f"host=127.0.0.1,{cluster.folder}&port={first.port},5432&user=owner"
    wanted = SecretStr(f"postgresql:///facedown?{named}&target_session_attrs=read-write")
    first.fall_silent()
    for _ in range(2):
        await (await postgres.connect(wanted)).close()
    as_named = SecretStr(f"postgresql:///facedown?{named}")
    for _ in range(2):
        await (await postgres.connect(as_named)).close()

    assert asked == ["lost", "other", "other"] + ["lost", "other"] * 2


async def test_sockets_have_the_limits_after_which_a_host_is_given_up(database):
    """The effect itself can't be tested here: it takes a host that answers no packets at all."""
    connection = await postgres.connect(database.address)
    reached = connection._transport.get_extra_info("socket")
    try:
        assert reached.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
        limits = [
            reached.getsockopt(socket.IPPROTO_TCP, option)
            for option in (
                socket.TCP_KEEPIDLE,
                socket.TCP_KEEPINTVL,
                socket.TCP_USER_TIMEOUT,
            )
        ]
    finally:
        await connection.close()

    assert limits == [2, 2, 6000]


@pytest.fixture
def read_only(server_database):
    """Makes the tests' server read-only, even for open sessions."""
    client = server_database.client

    def set_read_only(setting):
        before = client.ask("SHOW default_transaction_read_only")
        client.script(f"ALTER SYSTEM {setting}")
        client.ask("SELECT pg_reload_conf()")
        while client.ask("SHOW default_transaction_read_only") == before:
            pass  # a session reloads its settings between statements

    yield lambda: set_read_only("SET default_transaction_read_only = on")
    set_read_only("RESET default_transaction_read_only")


@pytest.fixture
def other():
    """A database on another server."""
    with own_database() as found:
        yield found


async def test_connections_to_a_host_that_became_read_only_move_to_the_writable_one(
    cluster, server_database, other, read_only
):
    """For example if two servers switch roles while the bot is connected to one of them."""
    server_database.empty()
    folder = parse_qs(urlsplit(str(other)).query)["host"][0]
    hosts = f"host={cluster.folder},{folder}&user=owner&target_session_attrs=read-write"
    database = ServerDatabase(SecretStr(f"postgresql:///facedown?{hosts}"), other.client)
    async with storage_of(database) as storage:
        await asyncio.gather(*(put(storage, "before") for _ in range(8)))
        assert await fingerprint(storage) == "before"
        await asyncio.to_thread(read_only)
        with pytest.raises(StorageUnavailableError, match="is read-only"):
            await put(storage, "refused")
        await fingerprint(storage)  # its answer reports that it's read-only now

        await put(storage, "after")
        await asyncio.gather(*(put(storage, "after") for _ in range(8)))
        assert await fingerprint(storage) == "after"

    of_each = [d.ask("SELECT fingerprint FROM synced_commands") for d in (server_database, other)]
    assert of_each == [[("before",)], [("after",)]]
