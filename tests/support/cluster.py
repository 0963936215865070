"""A temporary PostgreSQL server for the tests, in its own folder; PostgreSQL must be installed.

`python -m tests.support.cluster COMMAND…` runs a command with DATABASE set to an empty database on
such a server, and removes the server afterwards.
"""

import asyncio
import os
import pwd
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import asyncpg
from pydantic import SecretStr

from bot.storage import server
from bot.storage.schema import metadata

QUICK = {
    "fsync": "off",  # no test cuts the power
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "autovacuum": "off",
    "listen_addresses": "",
    "max_connections": "80",
    "shared_buffers": "32MB",
}
NAME = "facedown"
PATIENCE_SECONDS = 240
"""How long to wait for an answer of the server: the tests may keep the machine busy."""

MISSING = "PostgreSQL is not installed: apt-get install postgresql"

REAPER = """
cat >/dev/null
pid=$(head -n 1 data/postmaster.pid 2>/dev/null) && kill -QUIT "$pid"
for _ in $(seq 100); do [ -e data/postmaster.pid ] || break; sleep 0.1; done
rm -rf "$PWD"
"""
"""A shell script that waits for the end of its input, which comes however the parent process ends.
Then it stops the server at once and removes its folder. The server deletes `postmaster.pid` when it
has stopped."""


@cache
def binaries():
    """The folder with PostgreSQL's programs, the newest if there are several; None without one."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parts[-2]))
    found = shutil.which("initdb")
    folders = [*debian, *([Path(found).resolve().parent] if found else [])]
    return next((f for f in reversed(folders) if (f / "initdb").exists()), None)


class Cluster:
    """A server that can be stopped and started; it doesn't outlive the process that created it."""

    def __init__(self, archive=None, **settings):
        """Create its folder, or unpack `archive`, which `pack` of another server wrote."""
        self.folder = Path(tempfile.mkdtemp(prefix="facedown-pg-", dir="/tmp"))
        self._reaper = subprocess.Popen(  # noqa: S603 - our own words
            ["sh", "-c", REAPER],  # noqa: S607 - found on PATH
            cwd=self.folder,
            stdin=subprocess.PIPE,
            start_new_session=True,  # so that Ctrl-C doesn't end it along with us
        )
        self._settings = {**QUICK, "unix_socket_directories": str(self.folder), **settings}
        self._process = None
        self._as_user: dict[str, Any] = {}
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            other = next(u for u in pwd.getpwall() if u.pw_name in {"postgres", "nobody"})
            os.chown(self.folder, other.pw_uid, other.pw_gid)
            self._as_user = {"user": other.pw_uid, "group": other.pw_gid, "extra_groups": []}
        if archive is None:
            self._make()
        else:
            with archive.open("rb") as packed:  # the server's user may not be able to read it
                self._tar("-xf", "-", stdin=packed)

    def _make(self):
        self._run(
            "initdb", "-D", "data", "-U", "owner", "-E", "UTF8", "--no-locale", "-N", "-A", "trust"
        )
        rules = self.folder / "data" / "pg_hba.conf"  # the first matching line applies
        rules.write_text(f"local all guest scram-sha-256\n{rules.read_text()}")

    def pack(self, archive):
        """Write its data folder to a tar file; the server must be stopped."""
        with archive.open("wb") as packed:
            self._tar("-cf", "-", "data", stdout=packed)

    def _tar(self, *arguments, **streams):
        subprocess.run(  # noqa: S603 - our own words
            ["tar", *arguments],  # noqa: S607 - found on PATH
            cwd=self.folder,
            check=True,
            **streams,
            **self._as_user,
        )

    def address(self, name=NAME, user="owner", **options):
        """The connection URL of a database on this server; `options` are added to its query."""
        query = "&".join(f"{k}={v}" for k, v in {"host": self.folder, **options}.items())
        return SecretStr(f"postgresql://{user}@/{name}?{query}")

    def start(self):
        """Start the server, and wait until it accepts connections."""
        settings = [f"-c{name}={value}" for name, value in self._settings.items()]
        log = (self.folder / "log").open("ab")
        with log:
            self._process = subprocess.Popen(  # noqa: S603 - our own words
                [binaries() / "postgres", "-D", "data", *settings],
                cwd=self.folder,
                stdout=log,
                stderr=log,
                **self._as_user,
            )
        self._run("pg_isready", "-q", "-h", str(self.folder), tries=200)

    def make(self, name):
        """Create a database without tables; a client of it."""
        self._on_server(f"CREATE DATABASE {name}")
        return Client(self.address(name))

    def drop(self, name):
        self._on_server(f"DROP DATABASE {name} WITH (FORCE)")

    def _on_server(self, statement):
        client = Client(self.address("postgres"))
        client.script(statement)
        client.close()

    def stop(self, how="fast"):
        """Stop the server with this mode of `pg_ctl`; connections are closed."""
        if self._process is not None:
            self._run("pg_ctl", "stop", "-D", "data", "-m", how, "-w")
            self._process.wait()
            self._process = None

    def remove(self):
        self._reaper.stdin.close()
        self._reaper.wait()
        if self._process is not None:
            self._process.wait()
            self._process = None

    def _run(self, program, *arguments, tries=1):
        for n in range(tries):
            done = subprocess.run(  # noqa: S603 - our own words
                [binaries() / program, *arguments],
                cwd=self.folder,
                capture_output=True,
                text=True,
                check=False,
                **self._as_user,
            )
            if done.returncode == 0:
                return
            if n + 1 < tries:
                self._process.poll()
                threading.Event().wait(0.02)
        raise AssertionError(done.stderr)


class Client:
    """A blocking client of a database, with an event loop in its own thread.

    So a test can query the database in synchronous code while its own event loop runs.
    """

    def __init__(self, address):
        self.address = address
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._connection = None

    def ask(self, query, *values):
        """All rows, as tuples."""
        return [tuple(row) for row in self.rows(query, *values)]

    def rows(self, query, *values):
        """All rows, as mappings."""
        return self._wait(self._fetch(query, values))

    def script(self, statements):
        """Execute several statements as one transaction."""
        self._wait(self._execute(statements))

    def close(self):
        if self._connection is not None:
            self._wait(self._end(self._connection))
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _fetch(self, query, values):
        return await (await self._connected()).fetch(query, *values)

    async def _execute(self, statements):
        await (await self._connected()).execute(statements)

    async def _end(self, connection):
        """Close a connection, without the server if it is dead or too busy to answer."""
        try:
            await connection.close(timeout=1)
        except TimeoutError:
            connection.terminate()

    async def _connected(self):
        if self._connection is None or self._connection.is_closed():
            self._connection = await asyncpg.connect(
                self.address.get_secret_value(), statement_cache_size=0, timeout=PATIENCE_SECONDS
            )
        return self._connection

    def _wait(self, work):
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE_SECONDS)


_END_OTHERS = """
SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
"""Ends all other connections to the database, and waits up to 10 s for each."""


@dataclass(frozen=True)
class ServerDatabase:
    """A database on the tests' server; takes the part of a `database` that is a file's path."""

    address: SecretStr
    client: Client

    def __str__(self):
        return self.address.get_secret_value()

    def ask(self, query, values=()):
        return self.client.ask(translated(query), *values)

    def damage(self, statement):
        """Execute a statement without enforcing foreign keys."""
        free, bound = ("SET LOCAL session_replication_role = " + r for r in ("replica", "origin"))
        self.client.script(f"{free}; {translated(statement)}; {bound}")

    def empty(self):
        """Delete every row, and restart all sequences.

        First end the connections of processes that were killed: the server may still be executing
        their last statements.
        """
        deleted = [f'DELETE FROM "{table.name}"' for table in reversed(metadata.sorted_tables)]  # noqa: S608
        names = ("matches_id_seq", "notices_id_seq", "seasons_id_seq", "results_sequence")
        anew = [f"ALTER SEQUENCE {name} RESTART" for name in names]
        self.client.ask(_END_OTHERS)
        self.client.script("; ".join(deleted + anew))


def translated(query):
    """A query for SQLite as PostgreSQL takes it: `?` as `$1`, reserved words in quotes."""
    query = re.sub(r'(?<![."\w])(user|left)(?![\w"])', r'"\1"', query)
    numbers = iter(range(1, 100))
    return re.sub(r"\?", lambda _: f"${next(numbers)}", query)


def made(cluster):
    """Create a database with the current tables and no rows."""
    client = cluster.make(NAME)
    asyncio.run(server.migrate(client.address))
    return ServerDatabase(client.address, client)


def main(command):
    """Run the command on a new server; its exit status. Signals are left to the command."""
    if binaries() is None:
        sys.stderr.write(f"{MISSING}\n")
        return 1
    cluster = Cluster()
    try:
        cluster.start()
        cluster.make(NAME).close()
        environment = {**os.environ, "DATABASE": cluster.address().get_secret_value()}
        running = subprocess.Popen(command, env=environment)  # noqa: S603 - our caller's command
        for number in (signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)  # a terminal sends these to both processes
        signal.signal(signal.SIGTERM, lambda number, _: running.send_signal(number))
        return running.wait()
    finally:
        cluster.remove()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
