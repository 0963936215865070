"""`python -m bot ratings`: checks that all ratings follow from the results, or makes them so."""

import argparse
import asyncio
import sys
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from bot.storage import Storage, server
from bot.storage.ratings import Audit
from bot.text import counted


def add_to(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add the command to those of `python -m bot`."""
    parser = commands.add_parser(
        "ratings",
        help="compare all ratings with the results, or recompute them; stop the bot first",
    )
    parser.set_defaults(begin=lambda asked, database: asyncio.run(asked.work(database)))
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--check",
        dest="work",
        action="store_const",
        const=partial(ratings, rebuild=False),
        help="recompute and compare them, to the last digit; ends with 1 if any differs",
    )
    what.add_argument(
        "--rebuild",
        dest="work",
        action="store_const",
        const=partial(ratings, rebuild=True),
        help="replace the ratings with the recomputed ones",
    )


async def ratings(database: Path | SecretStr, *, rebuild: bool) -> int:
    """Compare this database's ratings with its results, mend them if asked; an exit status."""
    async with (
        Storage.open(database) as storage,
        _held(database),
        storage.transaction() as writing,
    ):
        audit = await writing.ratings.audit()
        if rebuild and not audit.right:
            await writing.ratings.mend(audit)
    sys.stdout.write(f"{findings(audit, rebuilt=rebuild)}\n")
    return 0 if audit.right or rebuild else 1


def _held(database: Path | SecretStr) -> AbstractAsyncContextManager[object]:
    """Keeps bots from using a server's database; a file is nobody else's once it's open."""
    return (
        server.exclusive_connection(database) if isinstance(database, SecretStr) else nullcontext()
    )


def findings(audit: Audit, *, rebuilt: bool) -> str:
    """What was found, as a sentence."""
    base = counted(audit.matches, "rated match", "rated matches")
    if audit.right:
        return f"All ratings match the results of {base}, to the last digit."
    wrong = (
        f"{counted(audit.wrong_ratings, 'rating')} and the change shown with "
        f"{counted(len(audit.wrong_results), 'result')}"
    )
    if rebuilt:
        return f"Recomputed from {base}: {wrong} were wrong and are right now."
    return (
        f"{wrong} don't match the results of {base}. `python -m bot ratings --rebuild` fixes that."
    )
