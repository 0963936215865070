"""The bot as a process of its own, which can be killed, and its children with it."""

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
    """`python -m bot` at a sandbox; one at a time."""

    def __init__(self, discord: Sandbox, database: object, log: Path, **settings: str) -> None:
        """`str` makes of the database the path of its file, or its address on a server."""
        self.discord = discord
        self.database = database
        self.log = log
        self._settings = settings
        self._mark = secrets.token_hex(8)
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start it and wait until every shard is there."""
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
        """Start it, and wait for nothing."""
        # Bytecode is kept and coverage is not measured: each of many starts would be slower.
        unwanted = ("PYTHONDONTWRITEBYTECODE", "COVERAGE")
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(unwanted)}
        environment = {
            **inherited,
            "DISCORD_API": self.discord.url,
            "DISCORD_TOKEN": self.discord.token,
            "DATABASE": str(self.database),
            "MOST_CLICKS": "1000000",  # players of the tests are fast
            "METRICS_PORT": "0",  # several bots run at once here
            **self._settings,
            MARK: self._mark,
        }
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "bot", env=environment, stdout=log, stderr=log
            )

    async def until_ended(self) -> int:
        """Wait until it has ended by itself; its status."""
        assert self._process is not None
        return await self._process.wait()

    async def kill(self) -> None:
        """End it as a power cut would, and wait until nothing of it is left."""
        await self._end(signal.SIGKILL)

    async def stop(self) -> int:
        """Ask it to end; its exit status."""
        return await self._end(signal.SIGTERM)

    async def stop_alone(self) -> int:
        """The same without waiting for its children."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        return await self._process.wait()

    def suspend(self) -> None:
        """Let it stand still, as a machine does that swaps or is moved; its children go on."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it go on after that, as if no time had passed."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def children(self) -> list[int]:
        """What it has started."""
        assert self._process is not None
        return [pid for pid in self.alive() if pid != self._process.pid]

    async def clear_away(self) -> None:
        """Let nothing of it be left, whatever the test has come to."""
        if self._process is not None:
            await self.kill()

    @property
    def output(self) -> str:
        """All that it has ever logged."""
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
        """Its process id, while it runs."""
        assert self._process is not None
        return self._process.pid

    @property
    def has_ended(self) -> bool:
        """Whether it is gone though nobody here has ended it."""
        return self._process is not None and self._process.returncode is not None

    def alive(self) -> list[int]:
        """Every process that this bot has started, itself included, by the mark they inherit."""
        wanted = f"{MARK}={self._mark}".encode()
        found = []
        for folder in Path("/proc").iterdir():
            if folder.name.isdecimal():
                try:
                    marked = wanted in (folder / "environ").read_bytes().split(b"\0")
                except OSError:
                    continue  # it ended meanwhile, or is not ours
                if marked:
                    found.append(int(folder.name))
        return found


async def _gone(pid: int) -> None:
    """Return when this process has ended; it need not be a child of ours."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    await ended(descriptor)


async def ended(descriptor: int) -> None:
    """Return when a process has ended, whoever's child it is, and close its descriptor."""
    loop, over = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(descriptor, over.set)
    try:
        async with asyncio.timeout(60):
            await over.wait()
    finally:
        loop.remove_reader(descriptor)
        os.close(descriptor)
