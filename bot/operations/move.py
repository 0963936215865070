"""`python -m bot move ADDRESS`: copies everything from a file to a server, or back."""

import argparse
import asyncio
import sys
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from bot.config import SQLITE, database_file, location_of
from bot.storage import moving
from bot.text import counted


def add_to(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add the command to those of `python -m bot`."""
    parser = commands.add_parser(
        "move",
        help="copy the database to a PostgreSQL server, or back to a file; stop the bot first",
    )
    parser.add_argument(
        "target",
        type=target,
        metavar="TARGET",
        help="postgresql://user:password@host/name, or sqlite:FILE; it must be empty",
    )
    parser.set_defaults(begin=move)


def target(words: str) -> Path | SecretStr:
    """The file or server to copy to; ArgumentTypeError if it's neither."""
    if words.startswith(("postgresql://", "postgres://")):
        return SecretStr(words)
    if words.startswith(SQLITE) and words != SQLITE:
        try:
            return database_file(words.removeprefix(SQLITE))
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None
    raise argparse.ArgumentTypeError("must be postgresql://user:password@host/name or sqlite:FILE")


def move(asked: argparse.Namespace, database: Path | SecretStr) -> int:
    """Copy everything, and say what to do next; an exit status. UnusableError if that fails."""
    moved = asyncio.run(moving.move(database, asked.target))
    matches = counted(moved.matches, "match", "matches", separator=",")
    rows = counted(moved.rows, "row", separator=",")
    sys.stdout.write(
        f"{location_of(asked.target)} has all of {location_of(database)} now: "
        f"{matches}, {rows}, each compared. "
        "Set DATABASE to it and start the bot. The old one stays as it was.\n"
    )
    return 0
