"""Runs the bot as a child process: starts, stops, kills and restarts it, and keeps its output."""

import asyncio
import codecs
import contextlib
import os
import signal
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Literal

MAX_KEPT_LINES = 500
STOP_GRACE = timedelta(seconds=10)
ORPHAN_GRACE = timedelta(seconds=2)
MAX_LINE_CHARACTERS = 10_000

State = Literal["never started", "running", "stopping", "stopped"]


def _ignore(*_: object) -> None:
    """Do nothing: the default for listeners."""


class Supervisor:
    """One child process at a time, in its own process group.

    So a Ctrl-C in the terminal doesn't reach the child before the supervisor has decided what to
    do, and the supervisor can kill the processes that the child leaves behind.
    """

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        *,
        on_line: Callable[[str], None] = _ignore,
        on_change: Callable[[], None] = _ignore,
    ) -> None:
        self.command = tuple(command)
        self.environment = dict(environment)
        self.state: State = "never started"
        self.exit_code: int | None = None
        self.exited_alone = False
        self.starts = 0
        self.lines: deque[str] = deque(maxlen=MAX_KEPT_LINES)
        self.lines_ever = 0
        self._on_line = on_line
        self._on_change = on_change
        self._process: asyncio.subprocess.Process | None = None
        self._watch: asyncio.Task[None] | None = None
        self._turn = asyncio.Lock()
        """Makes starts, stops and restarts run one after the other."""

    @property
    def pid(self) -> int | None:
        """The child's process id; None if there is no child."""
        return self._process.pid if self._process else None

    async def start(self) -> None:
        """Start the child unless it runs; if the command fails, `lines` gets the reason."""
        async with self._turn:
            await self._start()

    async def stop(self, grace: timedelta = STOP_GRACE) -> None:
        """Send SIGTERM to the child, and kill it if it hasn't ended after the grace period."""
        async with self._turn:
            await self._stop(grace)

    async def restart(self, grace: timedelta = STOP_GRACE) -> None:
        """Stop the child if it runs, then start it."""
        async with self._turn:
            await self._stop(grace)
            await self._start()

    async def kill(self) -> None:
        """Kill the child immediately, even while it's being stopped."""
        watch = self._watch
        if self._process is None or watch is None:
            return
        self._set_state("stopping")
        self._signal(signal.SIGKILL)
        await watch

    async def _start(self) -> None:
        if self._process is not None:
            return
        # With asyncio's own pipe, wait() wouldn't return before all heirs of the pipe have ended.
        output, theirs = os.pipe()
        try:
            process = await asyncio.create_subprocess_exec(
                *self.command,
                env={"PYTHONUNBUFFERED": "1", **os.environ, **self.environment},
                stdin=asyncio.subprocess.DEVNULL,
                stdout=theirs,
                stderr=theirs,
                start_new_session=True,
            )
        except OSError as error:
            os.close(output)
            self._add_line(f"cannot be started: {error}")
            self.exited_alone = True
            self._set_state("stopped")
            return
        finally:
            os.close(theirs)
        self._process = process
        self.exit_code = None
        self.exited_alone = False
        self.starts += 1
        self._watch = asyncio.create_task(self._supervise(process, output), name="supervisor")
        self._set_state("running")

    async def _stop(self, grace: timedelta) -> None:
        watch = self._watch
        if self._process is None or watch is None:
            return
        self._set_state("stopping")
        self._signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(asyncio.shield(watch), grace.total_seconds())
        except TimeoutError:
            self._add_line(f"did not end within {grace.total_seconds():g} s and is killed")
            self._signal(signal.SIGKILL)
            await watch

    def _signal(self, number: signal.Signals) -> None:
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(number)

    async def _supervise(self, process: asyncio.subprocess.Process, output: int) -> None:
        """Read the child's output until it ends, then kill the processes that it left behind."""
        reader = asyncio.create_task(self._read(output))
        code = await process.wait()
        # The pipe closes when its last holder ends: the child's helpers get time to end too.
        done, _ = await asyncio.wait({reader}, timeout=ORPHAN_GRACE.total_seconds())
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
            if not done:  # otherwise the group has only zombies
                self._add_line("left processes behind, which are killed")
        if not done:
            await reader
        self._process = None
        self.exit_code = code
        self.exited_alone = self.state == "running"
        self._set_state("stopped")

    async def _read(self, output: int) -> None:
        stream = asyncio.StreamReader()
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(stream), os.fdopen(output, "rb", buffering=0)
        )
        decode = codecs.getincrementaldecoder("utf-8")(errors="replace").decode
        rest = ""
        while block := await stream.read(65_536):
            *lines, rest = (rest + decode(block)).split("\n")
            for line in lines:
                self._add_line(line)
            if len(rest) > MAX_LINE_CHARACTERS:
                self._add_line(rest)
                rest = ""
        if rest:
            self._add_line(rest)
        transport.close()

    def _add_line(self, line: str) -> None:
        self.lines.append(line.rstrip("\r")[:MAX_LINE_CHARACTERS])
        self.lines_ever += 1
        self._on_line(self.lines[-1])

    def _set_state(self, state: State) -> None:
        self.state = state
        self._on_change()
