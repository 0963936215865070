"""How long the database takes for a page of the leaderboard, with a million matches in it.

`python -m benchmarks.leaderboards [FILE]` first creates the file if it's missing, in a few minutes
(see `benchmarks/seeding.py`). The target is 20 ms for every page. It measures the bot's own
statements through its storage, one page after another, and prints SQLite's query plans; a line that
begins with SCAN means that a whole table is read.

The leaderboard of puzzles and the computer ladder read all of their data for any page. With three
years of a busy server (`benchmarks/busy_server.py`), the targets are 1 s for the first page of
puzzles on a day, 20 ms for other pages, 0.5 s for the ladder's overview, 0.2 s for one game of all
time, and 20 ms for one game of this season.
"""

import asyncio
import sqlite3
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import cast

from benchmarks import busy_server
from benchmarks.seeding import FIRST_PLAYER, FIRST_SERVER, NOW, counts, make
from bot.messaging.membership import Membership
from bot.puzzles.answers import Puzzles
from bot.stats.leaderboards import PER_PAGE, Leaderboards, Query, begin_of
from bot.stats.seasons import Seasons
from bot.storage import Storage
from bot.storage.leaderboards import BoardRecord, board_query

FILE = Path(".bench/million.sqlite3")
BUSY = Path(".bench/busy.sqlite3")
TIMES = 50
LIMIT = 20.0

LARGE, SMALL = FIRST_SERVER, FIRST_SERVER + 900
MONTH, WEEK = begin_of("month", NOW - 1), begin_of("week", NOW - 1)
GONE = tuple(range(FIRST_PLAYER, FIRST_PLAYER + 5000, 10))

BOARDS: Sequence[tuple[str, BoardRecord, int, int, tuple[int, ...]]] = (
    ("largest server, first page", BoardRecord(guild=LARGE, game="spite"), 0, PER_PAGE, ()),
    ("the same, last page", BoardRecord(guild=LARGE, game="spite"), 10**6, PER_PAGE, ()),
    ("the same, 500 people gone", BoardRecord(guild=LARGE, game="spite"), 0, PER_PAGE, GONE),
    ("this season", BoardRecord(guild=LARGE, game="spite", season=2), 0, PER_PAGE, ()),
    ("this month", BoardRecord(guild=LARGE, game="spite", since=MONTH), 0, PER_PAGE, ()),
    ("this week", BoardRecord(guild=LARGE, game="spite", since=WEEK), 0, PER_PAGE, ()),
    ("a small server", BoardRecord(guild=SMALL, game="spite"), 0, PER_PAGE, ()),
)


class Everybody:
    """Stands in for `Membership`, as Discord isn't measured: nobody has left."""

    async def gone(
        self, guild: int, users: Collection[int], *, asker: int | None = None
    ) -> frozenset[int]:
        del guild, users, asker
        return frozenset()


def boards_of(storage: Storage, now: float) -> Leaderboards:
    """The leaderboards at a time, in Unix seconds."""
    seasons = Seasons(storage, now=lambda: now)
    return Leaderboards(storage, seasons, cast(Membership, Everybody()), now=lambda: now)


async def median(act: Callable[[], Awaitable[object]], times: int = TIMES) -> tuple[float, float]:
    """The milliseconds of the first call, and the median of all calls."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        await act()
        taken.append((time.perf_counter() - began) * 1000)
    return taken[0], statistics.median(taken)


def plan(file: Path, board: BoardRecord) -> list[str]:
    """The steps of SQLite's query plan for a board that read a table."""
    statement, values = board_query(board)
    parameters = {**values, "first": 0, "count": PER_PAGE, "me": FIRST_PLAYER, "gone": "[]"}
    with closing(sqlite3.connect(file)) as database:
        rows = database.execute(f"EXPLAIN QUERY PLAN {statement}", parameters).fetchall()
    steps = [row[-1] for row in rows]
    return [step for step in steps if "lines" in step or "people" in step]


async def main(file: Path) -> bool:
    """Measure the leaderboards of ratings; returns whether every page met its target."""
    good = True
    async with Storage.open(file) as storage:
        for name, board, first, count, gone in BOARDS:

            async def act(
                which: BoardRecord = board,
                start: int = first,
                size: int = count,
                absent: tuple[int, ...] = gone,
            ) -> int:
                async with storage.reading() as reading:
                    found = await reading.leaderboards.page(
                        which, first=start, count=size, me=FIRST_PLAYER, gone=absent
                    )
                    return found.total

            once, middle = await median(act)
            good &= middle < LIMIT
            print(
                f"  {name:27} {middle:6.2f} ms (median of {TIMES}; first {once:.2f} ms; "
                f"{await act()} players)"
            )
        boards = boards_of(storage, NOW - 1)
        for period in ("all", "season", "month"):
            query = Query(game="spite", period=period)
            once, middle = await median(partial(boards.board, LARGE, query, 0, 1))
            good &= middle < LIMIT
            print(f"  a whole command, {period:10} {middle:6.2f} ms (first {once:.2f} ms)")
    for name, board in (("ratings", BOARDS[0][1]), ("a month", BOARDS[5][1])):
        print(f" query plan for {name}:")
        for step in plan(file, board):
            print(f"  {step}")
    return good


async def busy(file: Path) -> bool:
    """Measure puzzles and the computer ladder; returns whether every page met its target."""
    everybody = cast(Membership, Everybody())
    guild, me = busy_server.SERVER, busy_server.PEOPLE[0]
    async with Storage.open(file) as storage:
        boards = boards_of(storage, NOW)

        async def first_of_the_day() -> object:
            return await Puzzles(storage, everybody, now=lambda: NOW).solvers(guild, 0, me)

        puzzles = Puzzles(storage, everybody, now=lambda: NOW)
        await puzzles.solvers(guild, 0, me)

        def ladder(game: str | None, period: str) -> Callable[[], Awaitable[object]]:
            query = Query(game=game, period=period, computers=True)
            return lambda: boards.ladder(guild, query, 0, me)

        good = True
        for name, act, limit in (
            ("puzzles, first of the day", first_of_the_day, 1000.0),
            ("puzzles, any other page", lambda: puzzles.solvers(guild, 9, me), LIMIT),
            ("computers, overview", ladder(None, "all"), 500.0),
            ("computers, one game", ladder("pico", "all"), 200.0),
            ("computers, this season", ladder("pico", "season"), LIMIT),
        ):
            once, middle = await median(act, 5)
            good &= middle < limit
            print(
                f"  {name:27} {middle:6.2f} ms (median of 5; first {once:.2f} ms; target {limit})"
            )
    return good


if __name__ == "__main__":
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else FILE
    if not path.exists():
        print(f"Creating {path} first, which takes a few minutes ...", flush=True)
        make(path)
    print("A leaderboard page with", ", ".join(f"{n} {t}" for t, n in counts(path).items()))
    good = asyncio.run(main(path))
    if not BUSY.exists():
        busy_server.make(BUSY)
    print(
        f"A page with {busy_server.DAYS} days of {busy_server.ANSWERS} puzzle answers and "
        f"{busy_server.MATCHES} matches against computers each"
    )
    if not asyncio.run(busy(BUSY)) or not good:
        sys.exit("A page took longer than its target.")
