"""The supervisor with real child processes: a few lines of Python each."""

import asyncio
import os
import signal
import sys
from datetime import timedelta

import pytest

from sandbox.supervisor import Supervisor
from tests.support.processes import ended

OBEDIENT = """
import os, signal, sys
signal.signal(signal.SIGTERM, lambda *_: (print("bye"), sys.exit(0)))
print("up", os.environ["DISCORD_API"], os.getpid())
while True:
    signal.pause()
"""
STUBBORN = """
import signal
signal.signal(signal.SIGTERM, lambda *_: print("no"))
print("up")
while True:
    signal.pause()
"""
MORTAL = "print('one'); print('two'); raise SystemExit(3)"
PARENT = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"])
print("child", child.pid)
import signal; signal.pause()
"""


class Watched:
    """A supervisor with helpers that wait for lines and changes."""

    def __init__(self, script, command=None):
        self.happened = asyncio.Event()
        self.seen = []
        self.bot = Supervisor(
            command or (sys.executable, "-c", script),
            {"DISCORD_API": "http://127.0.0.1:1"},
            on_line=self.hear,
            on_change=self.happened.set,
        )

    def hear(self, line):
        self.seen.append(line)
        self.happened.set()

    async def until(self, holds):
        async with asyncio.timeout(60):
            while not holds():
                self.happened.clear()
                await self.happened.wait()

    async def line(self, start, count=1):
        await self.until(lambda: sum(line.startswith(start) for line in self.seen) >= count)
        return [line for line in self.seen if line.startswith(start)][-1]


@pytest.fixture
async def watch():
    watched = []

    def begin(script, command=None):
        watched.append(Watched(script, command))
        return watched[-1]

    yield begin
    for each in watched:
        await each.bot.kill()


async def test_the_child_gets_the_documented_environment(watch):
    child = watch(OBEDIENT)

    await child.bot.start()

    assert (await child.line("up")).split()[1] == "http://127.0.0.1:1"
    assert child.bot.state == "running"
    assert child.bot.pid == int(child.seen[0].split()[2])


async def test_stopping_lets_the_child_end_in_order(watch):
    child = watch(OBEDIENT)
    await child.bot.start()
    await child.line("up")

    await child.bot.stop()

    assert child.seen[-1] == "bye"
    assert (child.bot.state, child.bot.exit_code, child.bot.exited_alone) == ("stopped", 0, False)
    assert child.bot.pid is None


async def test_a_restart_starts_another_process(watch):
    child = watch(OBEDIENT)
    await child.bot.start()
    first = (await child.line("up")).split()[2]
    handle = os.pidfd_open(int(first))

    await child.bot.restart()

    second = (await child.line("up", count=2)).split()[2]
    assert first != second
    await ended(handle)
    assert child.bot.starts == 2


async def test_a_child_that_does_not_end_in_time_is_killed(watch):
    child = watch(STUBBORN)
    await child.bot.start()
    await child.line("up")

    await child.bot.stop(grace=timedelta(milliseconds=200))

    assert child.bot.exit_code == -signal.SIGKILL
    assert "did not end within 0.2 s and is killed" in child.seen


async def test_a_kill_does_not_wait_for_a_stop_under_way(watch):
    child = watch(STUBBORN)
    await child.bot.start()
    await child.line("up")
    stopping = asyncio.create_task(child.bot.stop())
    await child.line("no")

    await child.bot.kill()

    await stopping
    assert child.bot.exit_code == -signal.SIGKILL


async def test_a_crash_is_reported_with_the_last_lines(watch):
    child = watch(MORTAL)

    await child.bot.start()
    await child.until(lambda: child.bot.state == "stopped")

    assert child.bot.exited_alone
    assert child.bot.exit_code == 3
    assert list(child.bot.lines) == ["one", "two"]


async def test_the_child_can_be_started_again_after_a_crash(watch):
    child = watch(MORTAL)
    await child.bot.start()
    await child.until(lambda: child.bot.state == "stopped")

    await child.bot.start()

    await child.until(lambda: child.bot.state == "stopped" and len(child.seen) == 4)
    assert child.bot.starts == 2


async def test_a_command_that_does_not_exist_is_reported(watch):
    child = watch("", command=("no-such-program-anywhere",))

    await child.bot.start()

    assert child.bot.state == "stopped"
    assert child.bot.exited_alone
    assert child.seen[0].startswith("cannot be started: ")


async def test_processes_that_the_child_leaves_behind_are_killed(watch, monkeypatch):
    monkeypatch.setattr("sandbox.supervisor.ORPHAN_GRACE", timedelta(milliseconds=200))
    child = watch(PARENT)
    await child.bot.start()
    handle = os.pidfd_open(int((await child.line("child")).split()[1]))

    await child.bot.kill()

    assert "left processes behind, which are killed" in child.seen
    await ended(handle)


async def test_only_the_last_500_lines_are_kept(watch):
    child = watch("for i in range(600): print(i)")

    await child.bot.start()
    await child.until(lambda: child.bot.state == "stopped")

    assert list(child.bot.lines) == [str(i) for i in range(100, 600)]
    assert child.bot.lines_ever == 600


async def test_a_line_without_an_end_does_not_fill_the_memory(watch):
    child = watch("import sys; sys.stdout.write('x' * 1_000_000)")

    await child.bot.start()
    await child.until(lambda: child.bot.state == "stopped")

    assert max(map(len, child.bot.lines)) <= 10_000
