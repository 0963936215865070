"""What a choice costs on SQLite and on PostgreSQL with each driver.

`python -m benchmarks.databases [BATCHES]` makes the same choices in matches, without Discord, in
each database in turn, batch by batch, so that a slow moment of the machine affects all. It starts
its own PostgreSQL server on a socket, with fsync on, which makes it as durable as SQLite. CPU is
that of this process, without the server's. Requires PostgreSQL; psycopg is optional.
"""

import asyncio
import logging
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import structlog
from sqlalchemy.exc import NoSuchModuleError
from sqlalchemy.ext.asyncio import create_async_engine

from bot.matches import Challenge, Matches
from bot.storage import MatchId, Storage, engine, postgres, server, startup
from bot.storage.writer import Writer
from games.pico import PICO
from tests.support.cluster import Cluster, binaries
from tests.support.matches import RETURNS

IN_FLIGHT = 50
BATCHES = 15


Submission = tuple[MatchId, int, int, str]


@dataclass
class Bench:
    """A database with running matches, and how long each batch took."""

    name: str
    matches: Matches
    found: list[MatchId] = field(default_factory=list)
    taken: dict[str, list[tuple[float, float]]] = field(default_factory=dict)
    """Seconds, and seconds of CPU, of each batch, by the title of the measurement."""

    async def begin(self) -> None:
        """Begin a match for each choice in flight."""
        self.found = await asyncio.gather(*(self._begin(n) for n in range(IN_FLIGHT)))

    async def _begin(self, n: int) -> MatchId:
        challenge = Challenge(
            interaction=n,
            game="pico",
            options=PICO.presets["standard"],
            guild=n,
            channel=n,
            opener=10_000 + n,
            opponents=(20_000 + n,),
            wanted=2,
            time_control="none",
        )
        match = (await self.matches.open(challenge)).public().match
        await self.matches.accept(match, 20_000 + n)
        return match

    async def submissions(self, seats: Sequence[int], which: int) -> list[Submission]:
        """A choice for each player in these seats; `which` selects the card."""

        async def one(n: int, seat: int) -> Submission:
            # As the bot does after each change; the shortcut for a choice relies on it.
            _, *hands = await self.matches.snapshots(self.found[n])
            hand, user = hands[seat], (10_000, 20_000)[seat] + n
            return self.found[n], hand.step, user, str(hand.legal[which % len(hand.legal)])

        return await asyncio.gather(*(one(n, seat) for seat in seats for n in range(IN_FLIGHT)))

    async def at_once(self, what: str, seats: Sequence[int], which: int) -> None:
        """All players in the first of these seats choose a card at once, then those in the next."""
        asked = [await self.submissions([seat], which) for seat in seats]

        async def choose() -> None:
            for each in asked:
                await asyncio.gather(*(self.matches.submit(*one) for one in each))

        await self._timed(what, choose)

    async def one_by_one(self, what: str, which: int) -> None:
        """All players in the first seat choose a card, one after another."""
        asked = await self.submissions([0], which)

        async def choose() -> None:
            for each in asked:
                await self.matches.submit(*each)

        await self._timed(what, choose)

    async def _timed(self, what: str, act: Callable[[], Awaitable[object]]) -> None:
        began, used = time.perf_counter(), time.process_time()
        await act()
        taken = time.perf_counter() - began, time.process_time() - used
        self.taken.setdefault(what, []).append(taken)


@asynccontextmanager
async def benches(folder: Path, cluster: Cluster) -> AsyncIterator[list[Bench]]:
    """A bench for each database, with its matches begun."""
    file = folder / "bench.sqlite3"
    await startup.migrate(file)
    storages = {"SQLite": (Writer(engine.writer(file)), engine.readers(file))}
    for driver in ("asyncpg", "psycopg"):
        address = cluster.make(driver).address
        await server.migrate(address)
        if driver == "asyncpg":
            engines = postgres.writers(address), postgres.readers(address)
        else:
            url = f"postgresql+psycopg://{address.get_secret_value().partition('://')[2]}"
            try:
                made = [create_async_engine(url, pool_size=8, hide_parameters=True) for _ in "wr"]
            except (NoSuchModuleError, ImportError):
                print("psycopg is not installed.")
                continue
            engines = made[0], made[1].execution_options(isolation_level="REPEATABLE READ")
        storages[driver] = Writer(engines[0], postgres.CONNECTIONS["write"]), engines[1]
    found = [
        Bench(name, Matches(Storage(*parts), returns=RETURNS, now=time.time))
        for name, parts in storages.items()
    ]
    for bench in found:
        await bench.begin()
    yield found
    for writer, readers in storages.values():
        await writer.dispose()
        await readers.dispose()


def report(found: Sequence[Bench], what: str, each: int) -> None:
    """Print a line for each database; the ratio is the median of those to SQLite in each turn.

    `each` is the number of choices in a batch.
    """
    print(what)
    compared = [seconds for seconds, _ in found[0].taken[what][1:]]
    for bench in found:
        seconds, cpu = zip(*bench.taken[what][1:], strict=True)  # the first warms up
        ratios = [first / own for first, own in zip(compared, seconds, strict=True)]
        print(
            f"  {bench.name:8} {each / statistics.median(seconds):7.0f} per second, "
            f"{statistics.median(cpu) / each * 1000:5.2f} ms of CPU each, "
            f"{statistics.median(ratios):4.2f} times SQLite"
        )


async def main(batches: int) -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    assert binaries() is not None, "PostgreSQL is not installed: apt-get install postgresql"
    cluster = Cluster(fsync="on", full_page_writes="on", synchronous_commit="on")
    async with AsyncExitStack() as stack:
        stack.callback(cluster.remove)
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        cluster.start()
        found = await stack.enter_async_context(benches(Path(folder), cluster))
        many, single = f"choices, {IN_FLIGHT} in flight", "choices, one by one"
        whole = f"choices of whole steps, {IN_FLIGHT} in flight"
        for turn in range(batches + 1):
            for bench in found:
                await bench.at_once(many, [0], turn)
            for bench in found:
                await bench.one_by_one(single, turn + 1)
        for turn in range(batches // 2 + 1):
            for bench in found:
                await bench.at_once(whole, [0, 1], turn)
        report(found, many, IN_FLIGHT)
        report(found, single, IN_FLIGHT)
        report(found, whole, 2 * IN_FLIGHT)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if sys.argv[1:] else BATCHES))
