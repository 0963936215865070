"""The bot as a separate process that can be killed together with its children."""

import asyncio
import contextlib
import os
import secrets
import signal
import sys
from pathlib import Path

from sandbox import Sandbox

MARK = "FACEDOWN_TEST_MARK"


class Process:
    """`python -m bot` connected to a sandbox; at most one process at a time."""

    def __init__(self, discord: Sandbox, database: object, log: Path, **settings: str) -> None:
        """`str(database)` must be the value of DATABASE: a file's path, or a connection URL."""
        self.discord = discord
        self.database = database
        self.log = log
        self._settings = settings
        self._mark = secrets.token_hex(8)
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start it, and wait until every shard is connected."""
        await self.launch()
        assert self._process is not None
        ready = asyncio.create_task(self.discord.ready())
        ended = asyncio.create_task(self._process.wait())
        await asyncio.wait({ready, ended}, return_when=asyncio.FIRST_COMPLETED)
        for task in (ready, ended):
            task.cancel()
        assert self._process.returncode is None, f"The bot has ended; see {self.log}."
        await ready

    async def launch(self) -> None:
        """Start it without waiting until it is connected."""
        # Cached bytecode, and no coverage: otherwise each of the many starts would be slower.
        unwanted = ("PYTHONDONTWRITEBYTECODE", "COVERAGE")
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(unwanted)}
        environment = {
            **inherited,
            "DISCORD_API": self.discord.url,
            "DISCORD_TOKEN": self.discord.token,
            "DATABASE": str(self.database),
            "MOST_CLICKS": "1000000",  # players in tests are fast
            "METRICS_PORT": "0",  # several bots run at once
            **self._settings,
            MARK: self._mark,
        }
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "bot", env=environment, stdout=log, stderr=log
            )

    async def until_ended(self) -> int:
        """Wait until it has ended by itself; its exit status."""
        assert self._process is not None
        return await self._process.wait()

    async def kill(self) -> None:
        """Kill it by SIGKILL, and wait until its children have ended too."""
        await self._end(signal.SIGKILL)

    async def stop(self) -> int:
        """Send SIGTERM, and wait until it and its children have ended; its exit status."""
        return await self._end(signal.SIGTERM)

    async def stop_alone(self) -> int:
        """Send SIGTERM, and wait until it has ended, but not for its children; its exit status."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        return await self._process.wait()

    def suspend(self) -> None:
        """Suspend it, as if its machine were swapping or being moved; its children keep running."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Continue it after `suspend`."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def children(self) -> list[int]:
        """The process ids of the processes that it has started."""
        assert self._process is not None
        return [pid for pid in self.alive() if pid != self._process.pid]

    async def clear_away(self) -> None:
        """Kill it if it was started, however the test ended."""
        if self._process is not None:
            await self.kill()

    @property
    def output(self) -> str:
        """Everything that it has logged since its first start."""
        return self.log.read_text()

    async def _end(self, number: signal.Signals) -> int:
        assert self._process is not None
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(number)
        status = await self._process.wait()
        async with asyncio.timeout(60):
            await asyncio.gather(*(_gone(pid) for pid in self.alive()))
        assert not self.alive()
        self._process = None
        return status

    @property
    def is_running(self) -> bool:
        return self._process is not None

    @property
    def pid(self) -> int:
        """Its process id while it is running."""
        assert self._process is not None
        return self._process.pid

    @property
    def has_ended(self) -> bool:
        """Whether it has ended without `kill` or `stop`."""
        return self._process is not None and self._process.returncode is not None

    def alive(self) -> list[int]:
        """The ids of its own process and those it has started, found by an environment variable."""
        wanted = f"{MARK}={self._mark}".encode()
        found = []
        for folder in Path("/proc").iterdir():
            if folder.name.isdecimal():
                try:
                    marked = wanted in (folder / "environ").read_bytes().split(b"\0")
                except OSError:
                    continue  # it has just ended, or belongs to another user
                if marked:
                    found.append(int(folder.name))
        return found


async def _gone(pid: int) -> None:
    """Return when this process has ended; it doesn't have to be our child."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    await ended(descriptor)


async def ended(descriptor: int) -> None:
    """Return when the process of this pidfd has ended, and close the descriptor; 60 s at most."""
    loop, over = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(descriptor, over.set)
    try:
        async with asyncio.timeout(60):
            await over.wait()
    finally:
        loop.remove_reader(descriptor)
        os.close(descriptor)
