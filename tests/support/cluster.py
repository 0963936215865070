"""A PostgreSQL server of the tests' own, in a folder of its own, where PostgreSQL is installed.

`python -m tests.support.cluster COMMAND…` runs a command with DATABASE set to an empty database on
such a server, which is gone after it.
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

import asyncpg
from pydantic import SecretStr

from bot.storage import server
from bot.storage.schema import metadata

QUICK = {
    "fsync": "off",  # nobody cuts the power here
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "autovacuum": "off",
    "listen_addresses": "",
    "max_connections": "80",
    "shared_buffers": "32MB",
}
NAME = "facedown"
PATIENCE_SECONDS = 240
"""How long an answer of the server is waited for: the machine may be busy with what is tested."""

MISSING = "PostgreSQL is not installed: apt-get install postgresql"

AFTER_US = """
cat >/dev/null
pid=$(head -n 1 data/postmaster.pid 2>/dev/null) && kill -QUIT "$pid"
for _ in $(seq 100); do [ -e data/postmaster.pid ] || break; sleep 0.1; done
rm -rf "$PWD"
"""
"""For a shell: wait until nobody holds the other end of its input any more, however they ended;
then end the server at once and remove its folder. The server removes its file when it has ended."""


@cache
def binaries():
    """The folder with PostgreSQL's programs, the newest if there are several; None without any."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parts[-2]))
    found = shutil.which("initdb")
    folders = [*debian, *([Path(found).resolve().parent] if found else [])]
    return next((f for f in reversed(folders) if (f / "initdb").exists()), None)


class Cluster:
    """A server that can be stopped and started, and is gone after the process that made it."""

    def __init__(self, archive=None, **settings):
        """Make its folder, or unpack the one of another that was stopped."""
        self.folder = Path(tempfile.mkdtemp(prefix="facedown-pg-", dir="/tmp"))
        self._heir = subprocess.Popen(  # noqa: S603 - our own words
            ["sh", "-c", AFTER_US],  # noqa: S607 - wherever it is
            cwd=self.folder,
            stdin=subprocess.PIPE,
            start_new_session=True,  # so that a Ctrl-C, which ends us, does not end it
        )
        self._settings = {**QUICK, "unix_socket_directories": str(self.folder), **settings}
        self._process = None
        self._as = {}
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            other = next(u for u in pwd.getpwall() if u.pw_name in {"postgres", "nobody"})
            os.chown(self.folder, other.pw_uid, other.pw_gid)
            self._as = {"user": other.pw_uid, "group": other.pw_gid, "extra_groups": []}
        if archive is None:
            self._make()
        else:
            with archive.open("rb") as packed:  # by us: it may lie where the server cannot read
                self._tar("-xf", "-", stdin=packed)

    def _make(self):
        self._run(
            "initdb", "-D", "data", "-U", "owner", "-E", "UTF8", "--no-locale", "-N", "-A", "trust"
        )
        rules = self.folder / "data" / "pg_hba.conf"  # the first that fits counts
        rules.write_text(f"local all guest scram-sha-256\n{rules.read_text()}")

    def pack(self, archive):
        """Write what it keeps into a file; it has to be stopped."""
        with archive.open("wb") as packed:
            self._tar("-cf", "-", "data", stdout=packed)

    def _tar(self, *arguments, **streams):
        subprocess.run(  # noqa: S603 - our own words
            ["tar", *arguments],  # noqa: S607 - wherever it is
            cwd=self.folder,
            check=True,
            **streams,
            **self._as,
        )

    def address(self, name=NAME, user="owner", **options):
        """Where a database of this server is."""
        query = "&".join(f"{k}={v}" for k, v in {"host": self.folder, **options}.items())
        return SecretStr(f"postgresql://{user}@/{name}?{query}")

    def start(self):
        """Let it answer."""
        settings = [f"-c{name}={value}" for name, value in self._settings.items()]
        log = (self.folder / "log").open("ab")
        with log:
            self._process = subprocess.Popen(  # noqa: S603 - our own words
                [binaries() / "postgres", "-D", "data", *settings],
                cwd=self.folder,
                stdout=log,
                stderr=log,
                **self._as,
            )
        self._run("pg_isready", "-q", "-h", str(self.folder), tries=200)

    def make(self, name):
        """A database without tables, and who asks it."""
        self._on_server(f"CREATE DATABASE {name}")
        return Client(self.address(name))

    def drop(self, name):
        self._on_server(f"DROP DATABASE {name} WITH (FORCE)")

    def _on_server(self, statement):
        client = Client(self.address("postgres"))
        client.script(statement)
        client.close()

    def stop(self, how="fast"):
        """Let it end at once, and all connections with it."""
        if self._process is not None:
            self._run("pg_ctl", "stop", "-D", "data", "-m", how, "-w")
            self._process.wait()
            self._process = None

    def remove(self):
        self._heir.stdin.close()
        self._heir.wait()
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
                **self._as,
            )
            if done.returncode == 0:
                return
            if n + 1 < tries:
                self._process.poll()
                threading.Event().wait(0.02)
        raise AssertionError(done.stderr)


class Client:
    """Asks a database from tests that are in the middle of something: in a thread of its own."""

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
        """Several statements, as one transaction."""
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
        """In order if the server answers, which it may be too busy or too dead for."""
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


@dataclass(frozen=True)
class ServerDatabase:
    """A database on the server of the tests, as `database` where that is no file."""

    address: SecretStr
    client: Client

    def __str__(self):
        return self.address.get_secret_value()

    def ask(self, query, values=()):
        return self.client.ask(translated(query), *values)

    def damage(self, statement):
        """Do what the tables' references to each other forbid."""
        free, bound = ("SET LOCAL session_replication_role = " + r for r in ("replica", "origin"))
        self.client.script(f"{free}; {translated(statement)}; {bound}")

    def empty(self):
        """Let no row be in any table, and all numbers begin anew."""
        deleted = [f'DELETE FROM "{table.name}"' for table in reversed(metadata.sorted_tables)]  # noqa: S608
        names = ("matches_id_seq", "notices_id_seq", "seasons_id_seq", "results_sequence")
        anew = [f"ALTER SEQUENCE {name} RESTART" for name in names]
        self.client.script("; ".join(deleted + anew))


def translated(query):
    """A query for SQLite as PostgreSQL wants it: marks have numbers, `user` is a reserved word."""
    query = re.sub(r'(?<![."\w])(user|left)(?![\w"])', r'"\1"', query)
    numbers = iter(range(1, 100))
    return re.sub(r"\?", lambda _: f"${next(numbers)}", query)


def made(cluster):
    """A database with the tables of today and no rows."""
    client = cluster.make(NAME)
    asyncio.run(server.migrate(client.address))
    return ServerDatabase(client.address, client)


def main(command):
    """The exit status of the command, which decides by itself when a signal ends it."""
    if binaries() is None:
        sys.stderr.write(f"{MISSING}\n")
        return 1
    cluster = Cluster()
    try:
        cluster.start()
        cluster.make(NAME).close()
        environment = {**os.environ, "DATABASE": cluster.address().get_secret_value()}
        running = subprocess.Popen(command, env=environment)  # noqa: S603 - who asks names it
        for number in (signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)  # a terminal sends these to both
        signal.signal(signal.SIGTERM, lambda number, _: running.send_signal(number))
        return running.wait()
    finally:
        cluster.remove()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
