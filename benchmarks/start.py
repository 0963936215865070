"""What a start costs with 10,000 running matches of five games, none of which has changed.

`python -m benchmarks.start` prints the CPU of the bot's process from its start until it's idle,
when all messages are known to be up to date, and that of a start with an empty database. Both
alternate.
"""

import asyncio
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from benchmarks.picks import Bot, start
from bot.matches import Challenge, Matches, Snapshot
from bot.storage import TABLE, MatchId, Storage
from games import GAMES
from tests.support.matches import RETURNS

LIVE_MATCHES: Final = 10_000
RUNS: Final = 3
IDLE_SECONDS: Final = 4.0
GUILD, CHANNEL = 1160000000000000000, 1160000000000000101
"""Those of every new sandbox; with unknown ones, the bot would clean up their matches."""

FIRST_USER: Final = 3 * 10**17


async def begun(matches: Matches, game: str, number: int) -> MatchId:
    """Begin a match of two people, in which nobody has chosen yet."""
    users = (FIRST_USER + 2 * number, FIRST_USER + 2 * number + 1)
    challenge = Challenge(
        interaction=number + 1,
        game=game,
        options=GAMES[game].presets["standard"],
        guild=GUILD,
        channel=CHANNEL,
        opener=users[0],
        opponents=users[1:],
        wanted=2,
        time_control="relaxed",
    )
    match = (await matches.open(challenge)).public().match
    await matches.accept(match, users[1])
    return match


def columns(connection: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]


def copy(connection: sqlite3.Connection, first: int, number: int) -> None:
    """Insert a copy of match `first` as match `number`, with other people and other messages."""
    changes = {
        "matches": {"id": str(number), "interaction": str(-number)},
        "seats": {"match": str(number), "user": f"user + {4 * number}"},
        "places": {"match": str(number), "message": f"message + {4 * number}"},
    }
    for table, changed in changes.items():
        names = columns(connection, table)
        wanted = ", ".join(changed.get(name, f'"{name}"') for name in names)
        key = "id" if table == "matches" else "match"
        listed = ", ".join(f'"{name}"' for name in names)
        connection.execute(
            f"INSERT INTO {table} ({listed}) SELECT {wanted} FROM {table} WHERE {key} = {first}"  # noqa: S608 - our own words
        )


async def shown_at(matches: Matches, match: MatchId) -> Iterable[tuple[int, Snapshot]]:
    """The place and the snapshot of each message of a match of two."""
    snapshots: Iterable[Snapshot] = await matches.snapshots(match)
    return zip((TABLE, 0, 1), snapshots, strict=True)


async def fill(file: Path) -> None:
    """Fill a database with matches of all games, each with an up-to-date table and two hands."""
    async with Storage.open(file) as storage:
        matches = Matches(storage, returns=RETURNS, now=time.time)
        firsts = {await begun(matches, game, i): game for i, game in enumerate(GAMES)}
        shown: list[tuple[Any, ...]] = [
            (match, place, CHANNEL, 10**18 + 10 * match + place, s.key, s.turn, s.revision)
            for match in firsts
            for place, s in await shown_at(matches, match)
        ]
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.executemany(
            "INSERT INTO places (match, place, channel, message, shown, turn, revision, coming)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, 0)",
            shown,
        )
        connection.execute("DELETE FROM notices")  # those of the beginnings would be sent
        for number in range(len(firsts) + 1, LIVE_MATCHES + 1):
            copy(connection, list(firsts)[number % len(firsts)], number)


async def until_idle(bot: Bot) -> float:
    """Wait until the bot is idle for `IDLE_SECONDS`; returns its seconds of CPU so far."""
    used = -1.0
    while bot.cpu() - used > 0.02 * IDLE_SECONDS:
        used = bot.cpu()
        await asyncio.sleep(IDLE_SECONDS)
    return bot.cpu()


async def measured(file: Path) -> float:
    async with await start("benchmarks.served", DATABASE=str(file)) as bot:
        used = await until_idle(bot)
        edits = [r for r in bot.discord.requests if "/messages" in r.path]
        assert not edits, "nothing should have been behind"
        return used


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        full, empty_file = Path(folder) / "full.sqlite3", Path(folder) / "empty.sqlite3"
        await fill(full)
        async with Storage.open(empty_file):
            pass  # creates the tables, which isn't part of a start
        costs: dict[str, list[float]] = {"empty": [], "full": []}
        for _ in range(RUNS):
            costs["empty"].append(await measured(empty_file))
            costs["full"].append(await measured(full))
    empty, live = (statistics.median(costs[name]) for name in ("empty", "full"))
    print(f"A start with an empty database: {empty:.2f} s of CPU")
    print(f"with {LIVE_MATCHES} live matches: {live:.2f} s, {live - empty:.2f} s more")


if __name__ == "__main__":
    asyncio.run(main())
