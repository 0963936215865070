"""`python -m sandbox`, started as in a terminal."""

import asyncio
import os
import signal
import socket
import sys

import aiohttp
import pytest

from tests.support.processes import ended

BOT = (
    f"""{sys.executable} -c "import os, signal; """
    """print('bot', os.getpid(), os.environ['DISCORD_API'], os.environ['DISCORD_TOKEN'][:4]); """
    """signal.pause()" """
)
STUBBORN = (
    f"""{sys.executable} -c "import signal; """
    """signal.signal(signal.SIGTERM, lambda *_: print('no')); print('up'); """
    """[signal.pause() for _ in range(9)]" """
)


class Terminal:
    """The lines printed by a sandbox in a separate process."""

    def __init__(self, process):
        self.process = process
        self.lines = []

    async def line(self, start):
        async with asyncio.timeout(60):
            while True:
                raw = await self.process.stdout.readline()
                assert raw, self.lines
                self.lines.append(raw.decode().rstrip())
                if self.lines[-1].startswith(start):
                    return self.lines[-1]


@pytest.fixture
async def start():
    terminals = []

    async def start(*arguments):
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "sandbox", *arguments, stdout=asyncio.subprocess.PIPE
        )
        terminals.append(Terminal(process))
        return terminals[-1]

    yield start
    for terminal in terminals:
        if terminal.process.returncode is None:
            terminal.process.terminate()
            await terminal.process.wait()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "SIGTERM"])
async def test_it_prints_one_address_starts_the_bot_and_ends_both(start, port, number):
    terminal = await start("--port", str(port), "--bot", BOT)
    address = (await terminal.line("Open ")).removeprefix("Open ")
    bot = (await terminal.line("bot | ")).split()
    handle = os.pidfd_open(int(bot[3]))
    async with aiohttp.ClientSession() as session, session.get(address) as answer:
        assert answer.status == 200

    terminal.process.send_signal(number)

    assert await terminal.process.wait() == 0
    await ended(handle)
    assert address == f"http://127.0.0.1:{port}"
    assert bot[4] == address
    assert sum("http" in line for line in terminal.lines if not line.startswith("bot |")) == 1


async def test_it_starts_and_ends_the_given_number_of_processes(start, port):
    terminal = await start("--port", str(port), "--bot", BOT, "--processes", "2")
    lines = sorted([await terminal.line("bot "), await terminal.line("bot ")])
    handles = [os.pidfd_open(int(line.split()[4])) for line in lines]

    terminal.process.send_signal(signal.SIGTERM)

    assert await terminal.process.wait() == 0
    for handle in handles:
        await ended(handle)
    assert [line[:7] for line in lines] == ["bot 1 |", "bot 2 |"]


async def test_a_second_ctrl_c_does_not_wait_for_a_bot_that_does_not_end(start, port):
    terminal = await start("--port", str(port), "--bot", STUBBORN)
    await terminal.line("bot | up")
    terminal.process.send_signal(signal.SIGINT)
    await terminal.line("bot | no")

    terminal.process.send_signal(signal.SIGINT)

    rest = (await terminal.process.stdout.read()).decode()
    assert await terminal.process.wait() == 0
    assert "did not end within" not in rest


async def test_it_takes_the_next_port_when_one_is_taken_and_says_so(start, port):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", port))
        taken.listen()

        terminal = await start("--port", str(port), "--no-bot")

        said = await terminal.line("Port ")
        address = await terminal.line("Open ")
    chosen = int(address.rpartition(":")[2])
    assert chosen > port
    assert said == f"Port {port} is taken; this is port {chosen}."


async def test_without_a_bot_it_says_how_to_start_one(start, port):
    terminal = await start("--port", str(port), "--no-bot")

    line = await terminal.line("DISCORD_API=")

    assert line.startswith(f"DISCORD_API=http://127.0.0.1:{port} DISCORD_TOKEN=")
