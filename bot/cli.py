"""The command line: reads the settings, opens what the bot needs, runs it and closes it again."""

import argparse
import asyncio
import gc
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Final

import discord
import structlog
from pydantic import SecretStr, ValidationError

from bot.client import Facedown
from bot.cluster.leases import Leases
from bot.computers.pool import ComputerPool
from bot.config import (
    LOGIN_REFUSED,
    DatabaseSettings,
    Settings,
    SettingsError,
    explain,
    location_of,
    misspelled,
    read,
)
from bot.errors import StorageUnavailableError
from bot.interactions.endpoint import EndpointError
from bot.messaging import discord_address
from bot.messaging.picture_cache import PictureCache
from bot.messaging.process_pool import ProcessPool
from bot.operations import backup, move, puzzles, ratings_audit, smoke
from bot.operations.health import HealthServer
from bot.operations.shutdown import run_until_signal
from bot.scheduling.movable_clock import MovableClock
from bot.services import Processes
from bot.storage import Storage
from bot.storage.private_files import is_open_to_others
from bot.storage.startup import MalformedError, UnusableError
from bot.storage.trouble import refusal
from bot.telemetry.logging import configure

log = structlog.get_logger()

VERIFYING_NICENESS: Final = 10
"""Lower priority than drawing and replays: a file can be crafted to take long."""

PICTURES_OF_A_PROCESS: Final = 10_000
"""Pictures after which a drawing process is replaced: it grew by some 9 MB per 1,000 matches."""

HUNG_SECONDS: Final = 60.0
"""Seconds on one picture after which a drawing process counts as hung. A picture takes a tenth of a
second; starting a process on a busy machine may take ten."""

YOUNG_OBJECTS: Final = 10_000
"""New objects after which the garbage collector looks at the youngest generation. With Python's
default of 700, the objects of fifty clicks in progress were scanned seventeen times and moved to an
older generation."""


async def run(settings: Settings) -> None:
    """Run the bot until cancelled; everything it has answered is in the database by then."""
    discord_address.use_address(settings.discord_api)
    async with AsyncExitStack() as stack:
        storage = await stack.enter_async_context(Storage.open(settings.database))
        workers = await stack.enter_async_context(
            ProcessPool(
                settings.drawing_workers,
                renew_after=PICTURES_OF_A_PROCESS,
                hung_after=HUNG_SECONDS,
            )
        )
        # These processes start when first needed. Files that people upload have one of their own,
        # so that a file crafted to take long holds up nobody else.
        replays = await stack.enter_async_context(ProcessPool(1))
        verifier = await stack.enter_async_context(ProcessPool(1, VERIFYING_NICENESS))
        pool = await stack.enter_async_context(ComputerPool())
        processes = Processes(
            pictures=PictureCache(workers), replays=replays, verifier=verifier, computers=pool
        )
        database = settings.database
        leases = Leases(storage, database) if isinstance(database, SecretStr) else None
        clock = MovableClock(settings.clock_file) if settings.clock_file else None
        now = clock or (leases.clock if leases else time.time)
        bot = await stack.enter_async_context(
            Facedown(settings, storage, processes, now=now, leases=leases)
        )
        if clock is not None:
            following = asyncio.create_task(clock.follow(bot.services.deadlines.clock_moved))
            stack.callback(following.cancel)
        if settings.metrics_port:
            await stack.enter_async_context(HealthServer(bot, storage, settings.metrics_port))
        await serve(bot, settings.discord_token.get_secret_value())


async def serve(bot: Facedown, token: str) -> None:
    """Log in, load everything, and stay connected until cancelled.

    What is loaded by then lives as long as the process, so the garbage collector never scans it
    again: that took 0.15 s of CPU every few hundred clicks, during which nobody was answered.
    """
    await bot.login(token)
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS)
    await bot.connect()


async def check() -> None:
    """Load every cog and create a database in a temporary folder, as a start does, but offline."""
    settings = Settings(discord_token=SecretStr("none"), _env_file=None)
    with tempfile.TemporaryDirectory() as folder:
        async with (
            Storage.open(Path(folder) / "check.sqlite3") as storage,
            Facedown(settings, storage, Processes(pictures=PictureCache(ProcessPool(1)))) as bot,
        ):
            await bot.load()
            names = ", ".join(sorted(command.name for command in bot.tree.get_commands()))
            sys.stdout.write(f"Everything loads. Commands: {names}.\n")


@contextmanager
def ending_in_order() -> Iterator[None]:
    """Make SIGTERM raise SystemExit in this block, to clean up unfinished work as Ctrl-C does."""

    def end(number: int, _frame: object) -> None:
        sys.exit(128 + number)  # the exit status that shells use for a signal

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@ending_in_order()
def on_database(asked: argparse.Namespace) -> int:
    """Run a command that needs only the database; returns the exit status."""
    try:
        database = read(DatabaseSettings).database
    except SettingsError as error:
        return refuse_settings(str(error))
    try:
        if isinstance(database, Path) and not asked.creates_database and not database.exists():
            sentence = f"There is no database at {database}. DATABASE says where it should be."
            sys.stderr.write(f"{sentence}\n")
            return 3
        status: int = asked.begin(asked, database)
    except UnusableError as error:
        return refuse_place(error)
    except StorageUnavailableError as error:
        return refuse_database(database, error)
    except OSError as error:  # for example a file in a folder without read permission
        if error.filename is None:
            raise
        sys.stderr.write(f"{error.filename} can't be used: {error.strerror}.\n")
        return 3
    return status


def refuse_settings(why: str) -> int:
    """Print which settings are wrong, without their values; returns the exit status."""
    sys.stderr.write(f"{why}\n")
    return 2


def refuse_place(error: UnusableError) -> int:
    """Print why the database can't be used; returns the exit status."""
    sys.stderr.write(f"{error}\n")
    return 2 if isinstance(error, MalformedError) else 3


def refuse_database(database: Path | SecretStr, error: StorageUnavailableError) -> int:
    """Print why the database can't be read or written; returns the exit status."""
    sys.stderr.write(f"{refusal(location_of(database), str(error))}\n")
    return 3


def main() -> int:
    """Run what the command line asks for; returns the exit status.

    docs/operating.md lists what each status means.
    """
    parser = argparse.ArgumentParser(prog="python -m bot", description="Facedown, a Discord bot.")
    parser.add_argument(
        "--check", action="store_true", help="check that everything loads, then exit"
    )
    commands = parser.add_subparsers(title="commands", dest="command")
    parser.set_defaults(creates_database=False, online=False)
    ratings_audit.add_to(commands)
    backup.add_to(commands)
    move.add_to(commands)
    smoke.add_to(commands)
    puzzles.add_to(commands)
    asked = parser.parse_args()
    if asked.check and asked.command is not None:
        parser.error("--check takes no command")
    if asked.check:
        try:
            asyncio.run(check())
        except ValidationError as error:
            return refuse_settings(explain(error))
        return 0
    if asked.command is None:
        return start()
    return int(asked.begin(asked)) if asked.online else on_database(asked)


def warn_of_open_file(file: Path) -> None:
    """Log how to protect the file with the token, if users other than its owner can read it."""
    if file.exists() and is_open_to_others(file):
        log.warning("others can read the token", file=str(file), close_it=f"chmod 600 {file}")


def warn_of_misspelled_settings() -> None:
    """Log the names in `.env` that are ignored but look like those of settings."""
    for name, meant in misspelled().items():
        log.warning("unknown setting ignored", name=name, hint=f"did you mean {meant}?")


def start() -> int:
    """Read the settings and run the bot until it's told to stop; returns the exit status."""
    try:
        settings = read(Settings)
    except SettingsError as error:
        return refuse_settings(str(error))
    configure(settings.log_level, settings.log_format)
    warn_of_open_file(Path(".env"))
    warn_of_misspelled_settings()
    try:
        asyncio.run(run_until_signal(run(settings)))
    except UnusableError as error:
        return refuse_place(error)
    except StorageUnavailableError as error:
        return refuse_database(settings.database, error)
    except EndpointError as error:
        sys.stderr.write(f"{error}\n")
        return 3 if error.may_pass else 2
    except discord.LoginFailure:
        return refuse_settings(LOGIN_REFUSED)
    return 0
