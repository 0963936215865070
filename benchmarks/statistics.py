"""How long the database takes for /stats and /history, with a million matches in it.

`python -m benchmarks.statistics [FILE]` first creates the file if it's missing, in a few minutes
(see `benchmarks/seeding.py`). The target is 20 ms in the database for every answer, even for the
person who has played most, several thousand matches. It measures the bot's own statements through
its storage. The time in the database is counted as in `/metrics`, until the last row is fetched;
the total includes creating the records. Then it prints SQLite's query plans; a line that begins
with SCAN means that a whole table is read, and makes it fail.
"""

import asyncio
import sqlite3
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from pathlib import Path

from sqlalchemy.dialects import sqlite

from benchmarks.leaderboards import FILE, LIMIT, TIMES
from benchmarks.seeding import counts, make
from bot.storage import Storage, Transaction
from bot.storage.match_history import PageCursor, beyond, lines_of
from bot.storage.profiles import STATEMENTS, ScopeRecord, scope_query
from bot.telemetry.metrics import DATABASE

PER_PAGE = 10
TABLES = ("results", "mine", "other", "matches", "people", "seats", "places", "moves")

Act = Callable[[Transaction], Awaitable[object]]


def people(file: Path) -> tuple[tuple[int, int], tuple[int, int], int]:
    """(user, guild) of the most active player and of a median one; the former's main opponent."""
    with closing(sqlite3.connect(file)) as database:
        ordered = database.execute(
            "SELECT user, guild FROM results GROUP BY user, guild ORDER BY count(*) DESC"
        ).fetchall()
        ((rival,),) = database.execute(
            "SELECT other.user FROM results mine JOIN results other ON other.match = mine.match "
            "WHERE mine.user = ? AND other.user <> mine.user "
            "GROUP BY other.user ORDER BY count(*) DESC LIMIT 1",
            ordered[0][:1],
        ).fetchall()
    return ordered[0], ordered[len(ordered) // 2], rival


def profile(scope: ScopeRecord, page: int = 0) -> Act:
    """All queries of `/stats`."""

    async def act(reading: Transaction) -> object:
        await reading.profiles.favorite(scope)
        await reading.profiles.opponents(scope, onlooker=0, first=page * PER_PAGE, count=PER_PAGE)
        return len(await reading.profiles.played(scope))

    return act


def rivalry(scope: ScopeRecord, rival: int) -> Act:
    async def act(reading: Transaction) -> object:
        return len(await reading.profiles.meetings(scope, rival))

    return act


def page_of(user: int, guild: int | None, cursor: PageCursor | None) -> Act:
    async def act(reading: Transaction) -> object:
        return (await reading.match_histories.page(user, guild, None, cursor, PER_PAGE)).total

    return act


def acts(file: Path) -> Sequence[tuple[str, Act]]:
    """The measurements, each with its title."""
    (most, large), (usual, home), rival = people(file)
    middle, oldest = (PageCursor(sequence=n, newer=False) for n in (500_000, 1))
    return (
        ("/stats of a median player", profile(ScopeRecord(user=usual, guild=home))),
        ("/stats of the most active", profile(ScopeRecord(user=most, guild=large))),
        ("the same, opponents page 50", profile(ScopeRecord(user=most, guild=large), 50)),
        ("the same, one game", profile(ScopeRecord(user=most, guild=large, game="spite"))),
        ("the same, all servers", profile(ScopeRecord(user=most))),
        ("/stats versus", rivalry(ScopeRecord(user=most, guild=large), rival)),
        ("/history of a median player", page_of(usual, home, None)),
        ("/history of the most active", page_of(most, large, None)),
        ("the same, in the middle", page_of(most, large, middle)),
        ("the same, beyond the end", page_of(most, large, oldest)),
        ("the same, all servers", page_of(most, None, middle)),
    )


def statements() -> Sequence[tuple[str, dict[str, object]]]:
    """Every statement, for one server and for all, with dummy values for its parameters."""
    found: list[tuple[str, dict[str, object]]] = []
    wanted = {"rival": 2, "onlooker": 0, "first": 0, "count": 10, "lately": 9, "former": 0}
    for scope in (ScopeRecord(user=1, guild=2), ScopeRecord(user=1, game="pico")):
        for statement in STATEMENTS:
            text, values = scope_query(statement, scope)
            found.append((str(text), {**wanted, "private": -1, **values}))
    for guild in (2, None):
        query = beyond(lines_of(1, guild, None), PageCursor(sequence=5, newer=False), 10)
        literal = query.compile(dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True})
        found.append((str(literal), {}))
    return found


def plans(file: Path) -> Sequence[list[str]]:
    """The steps of SQLite's query plan for each statement that read a table."""
    with closing(sqlite3.connect(file)) as database:
        steps = [
            [row[-1] for row in database.execute(f"EXPLAIN QUERY PLAN {query}", values)]
            for query, values in statements()
        ]
    return [[s for s in plan if s.split(" ")[1] in TABLES] for plan in steps]


async def medians(act: Callable[[], Awaitable[object]]) -> tuple[float, float]:
    """The median milliseconds in the database, and in total."""
    parts, wholes = [], []
    for _ in range(TIMES):
        before, began = in_database(), time.perf_counter()
        await act()
        wholes.append((time.perf_counter() - began) * 1000)
        parts.append((in_database() - before) * 1000)
    return statistics.median(parts), statistics.median(wholes)


def in_database() -> float:
    """Seconds that reading statements have taken so far."""
    (histogram,) = DATABASE.labels("read").collect()
    return sum(s.value for s in histogram.samples if s.name.endswith("_sum"))


async def main(file: Path) -> bool:
    """Measure all; returns whether every answer met the target and no table was read whole."""
    good = True
    async with Storage.open(file) as storage:
        for name, act in acts(file):

            async def once(what: Act = act) -> object:
                async with storage.reading() as reading:
                    return await what(reading)

            inside, whole = await medians(once)
            good &= inside < LIMIT
            print(
                f"  {name:29} {inside:6.2f} ms in the database, {whole:6.2f} in total "
                f"(medians of {TIMES}; {await once()} matches)"
            )
    seen = set()
    print(" query plans, each step once:")
    for plan in plans(file):
        for step in plan:
            good &= not step.startswith("SCAN")
            if step not in seen:
                print(f"  {step}")
            seen.add(step)
    return good


if __name__ == "__main__":
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else FILE
    if not path.exists():
        print(f"Creating {path} first, which takes a few minutes ...", flush=True)
        make(path)
    print("Statistics with", ", ".join(f"{n} {t}" for t, n in counts(path).items()))
    if not asyncio.run(main(path)):
        sys.exit(f"An answer took more than {LIMIT:.0f} ms or read a whole table.")
