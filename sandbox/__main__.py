"""`python -m sandbox`: a Discord on this machine, a page to click on, and the bot.

The bot can run as several processes; then the sandbox has a shard and a server for each.
"""

import argparse
import asyncio
import contextlib
import errno
import shlex
import signal
import tempfile
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

from sandbox.console import Console
from sandbox.guilds import ChannelType
from sandbox.server import Sandbox
from sandbox.supervisor import Supervisor

MAX_PORTS_TRIED = 50


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m sandbox", description=__doc__)
    parser.add_argument("--port", type=int, default=8090, help="the page's port (default: 8090)")
    parser.add_argument(
        "--bot",
        default="python -m bot",
        help='the command that starts the bot (default: "python -m bot")',
    )
    parser.add_argument(
        "--patience",
        type=float,
        default=3.0,
        help="how many seconds the bot has to answer (default: 3, like Discord)",
    )
    parser.add_argument(
        "--processes", type=int, default=1, help="how many processes run the bot (default: 1)"
    )
    parser.add_argument("--no-bot", action="store_true", help="don't start a bot")
    return parser.parse_args()


async def furnish(sandbox: Sandbox) -> None:
    """Add other types of channels, group chats and a server without the bot, to try it in each."""
    add = sandbox.world.add_channel
    add("news", kind=ChannelType.ANNOUNCEMENT)
    add("Parlor", kind=ChannelType.VOICE)
    forum = add("opponents-wanted", kind=ChannelType.FORUM)
    await sandbox.person("Bo").begin_post(forum, "Anyone up for a match?", "I'm here until ten.")
    strange = sandbox.world.add_guild("Book Club", channels=("novels",))
    sandbox.world.remove_bot(strange)
    ann, bo, cleo = (sandbox.person(name).user for name in ("Ann", "Bo", "Cleo"))
    sandbox.world.add_channel_without_bot(ann, bo, cleo, name="Weekend")
    sandbox.world.add_channel_without_bot(ann, bo, name="Ann and Bo")


async def open_sandbox(port: int, patience: float, shards: int) -> tuple[Sandbox, Console]:
    """Start a sandbox with its page on this port, or on the next free one.

    It has a server for each shard, and all shards may identify at once. Raises SystemExit if
    `MAX_PORTS_TRIED` ports are taken.
    """
    for candidate in range(port, port + MAX_PORTS_TRIED):
        sandbox = Sandbox(
            port=candidate, shards=shards, guilds=shards, answer_within=timedelta(seconds=patience)
        )
        sandbox.limits.max_concurrency = shards
        console = Console(sandbox)
        try:
            await sandbox.start()
        except OSError as error:
            await sandbox.stop()
            if error.errno != errno.EADDRINUSE:
                raise
        else:
            if candidate != port:
                print(f"Port {port} is taken; this is port {candidate}.", flush=True)
            return sandbox, console
    last = port + MAX_PORTS_TRIED - 1
    raise SystemExit(f"Ports {port} to {last} are all taken; choose another one with --port.")


def tell_time(sandbox: Sandbox, file: Path) -> None:
    """Keep the seconds that the sandbox's clock is ahead in a file, which the bot reads."""

    def write() -> None:
        new = file.with_suffix(".new")
        new.write_text(str(sandbox.clock.offset.total_seconds()), encoding="ascii")
        new.replace(file)  # atomic, so the bot never reads half a number

    write()
    sandbox.clock.subscribe(write)


def supervise(
    command: str, sandbox: Sandbox, console: Console, clock_file: Path, processes: int
) -> list[Supervisor]:
    """Create a supervisor for each bot process; output goes to the page and the terminal."""
    environment = {
        "DISCORD_API": sandbox.url,
        "DISCORD_TOKEN": sandbox.token,
        "CLOCK_FILE": str(clock_file),
    }
    tell_time(sandbox, clock_file)

    def supervised(number: int) -> Supervisor:
        name = "bot" if processes == 1 else f"bot {number}"

        def echo(line: str) -> None:
            print(f"{name} | {line}", flush=True)
            console.wake()

        return Supervisor(shlex.split(command), environment, on_line=echo, on_change=console.wake)

    console.bots = [supervised(number) for number in range(1, processes + 1)]
    return console.bots


def when_asked_to_end(bots: Sequence[Supervisor]) -> asyncio.Event:
    """An event that the first Ctrl-C, SIGTERM or SIGHUP sets; a second one kills the bot."""
    over = asyncio.Event()
    killing: set[asyncio.Task[None]] = set()  # keeps the task alive

    def end() -> None:
        if over.is_set():
            killing.update(asyncio.create_task(bot.kill()) for bot in bots)
        over.set()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, end)
    return over


async def run(options: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory(prefix="sandbox-") as folder:
        await run_with(options, Path(folder) / "clock")


async def run_with(options: argparse.Namespace, clock_file: Path) -> None:
    sandbox, console = await open_sandbox(options.port, options.patience, options.processes)
    await furnish(sandbox)
    bots: Sequence[Supervisor] = ()
    if not options.no_bot:
        bots = supervise(options.bot, sandbox, console, clock_file, options.processes)
    over = when_asked_to_end(bots)
    try:
        print(f"Open {sandbox.url}", flush=True)
        if not bots:
            print(f"DISCORD_API={sandbox.url} DISCORD_TOKEN={sandbox.token}", flush=True)
        await asyncio.gather(*(bot.start() for bot in bots))
        await over.wait()
    finally:
        await asyncio.gather(*(bot.stop() for bot in bots))
        await console.close()
        await sandbox.stop()


def main() -> None:
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(run(read_arguments()))


if __name__ == "__main__":
    main()
