"""How long 2,000 simultaneous deadlines take, and clicks meanwhile.

`python -m benchmarks.deadlines [MATCHES]`: the deadlines of matches of all games, each in its own
server, expire at the same time, and the clock acts on all of them, while people choose moves in 50
other matches, 20 a second. Half of the late players have missed their last deadline too, so their
match ends and is rated. It runs without Discord, on SQLite and, if it's installed, on PostgreSQL.
"""

import asyncio
import logging
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

import structlog
from sqlalchemy import Table, insert, select
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.cluster.share import EVERYTHING
from bot.live.live import Live
from bot.matches import Challenge, Matches
from bot.matches.effect import Effect
from bot.scheduling.deadlines import Deadlines
from bot.scheduling.due_matches import DueMatches
from bot.scheduling.notices import Notices
from bot.storage import MatchId, Storage, TimeControl, engine, postgres, server, startup
from bot.storage.schema import matches, seats
from bot.storage.writer import Writer
from games import GAMES
from tests.support.cluster import Cluster, binaries
from tests.support.matches import RETURNS

MATCHES: Final = 2_000
CLICKED: Final = 50
"""The number of other matches, in which people choose moves meanwhile."""

CLICKS_PER_SECOND: Final = 20
DAY: Final = 24 * 60 * 60
FIRST_GUILD, FIRST_USER = 10**6, 10**9


class Watch:
    """The bot's clock: Unix time plus `ahead` seconds."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def __call__(self) -> float:
        return time.time() + self.ahead


@dataclass
class ChangeRecorder:
    """Stands in for `Live` and `Notices`: records when each match changed."""

    changed_at: dict[MatchId, float] = field(default_factory=dict)

    @property
    def sent(self) -> "ChangeRecorder":
        """Stands in for `Notices.sent` too."""
        return self

    def note_changed(self, match: MatchId) -> None:
        self.changed_at[match] = time.perf_counter()

    async def start(self, owns: object) -> None:
        """Do nothing: there are no notices."""
        del owns

    async def close(self) -> None:
        """Do nothing: nothing is being sent."""

    def concerns(self, changed: object) -> bool:
        del changed
        return False

    async def look(self, shards: object) -> None:
        del shards


async def main() -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    count = int(sys.argv[1]) if len(sys.argv) > 1 else MATCHES
    async with databases() as found:
        for name, (writer, readers) in found.items():
            await measured(name, writer, readers, count)


@asynccontextmanager
async def databases() -> AsyncIterator[dict[str, tuple[Writer, AsyncEngine]]]:
    """An empty database of each kind, by name: its writer, and the engine of its readers."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bench.sqlite3"
        await startup.migrate(file)
        found = {"SQLite": (Writer(engine.writer(file)), engine.readers(file))}
        async with AsyncExitStack() as stack:
            if binaries():
                cluster = Cluster(fsync="on", full_page_writes="on", synchronous_commit="on")
                stack.callback(cluster.remove)
                cluster.start()
                address = cluster.make("bench").address
                await server.migrate(address)
                writer = Writer(postgres.writers(address), postgres.CONNECTIONS["write"])
                found["PostgreSQL"] = writer, postgres.readers(address)
            try:
                yield found
            finally:
                for writer, readers in found.values():
                    await writer.dispose()
                    await readers.dispose()


async def nothing() -> None:
    """Do nothing: there is nothing old to forget."""


async def measured(name: str, writer: Writer, readers: AsyncEngine, count: int) -> None:
    """Fill a database, let all deadlines expire, and print how long it takes."""
    storage, watch, recorder = Storage(writer, readers), Watch(), ChangeRecorder()
    played = Matches(storage, now=watch, returns=RETURNS)
    clicked = [await begun(played, n, "pico", "none") for n in range(CLICKED)]
    hands = {effect.public().match: effect for effect in clicked}
    begun_too = [await begun(played, 100 + n, game, "slow") for n, game in enumerate(GAMES)]
    models = [effect.public().match for effect in begun_too]
    await multiply(writer.engine, models, count)
    clock = Deadlines(
        storage=storage,
        due=DueMatches(storage, cast(Live, recorder), now=watch),
        notices=cast(Notices, recorder),
        live=cast(Live, recorder),
        upkeep=(),
        forget_old=nothing,
        now=watch,
        share=EVERYTHING,
    )
    await clock.start()
    clock.resume(0, 1)
    quiet = await click(played, hands, until=lambda: False, seconds=5.0)
    watch.ahead = DAY + 60.0
    began, used = time.perf_counter(), time.process_time()
    clock.clock_moved()
    busy = await click(played, hands, until=lambda: len(recorder.changed_at) >= count, seconds=120)
    cpu = time.process_time() - used
    await clock.close()
    taken = sorted(moment - began for moment in recorder.changed_at.values())
    print(f"{name}: {len(taken)} of {count} deadlines")
    print(f"  half of them after {taken[len(taken) // 2]:.1f} s, all after {taken[-1]:.1f} s")
    print(f"  CPU of this process, including clicks: {1000 * cpu / len(taken):.1f} ms each")
    for when, times in (("before", quiet), ("meanwhile", busy)):
        each = sorted(times)
        print(
            f"  {len(each)} clicks {when}: {1000 * each[len(each) // 2]:.0f} ms (median), "
            f"{1000 * each[int(len(each) * 0.99)]:.0f} ms (p99), {1000 * each[-1]:.0f} ms (max)"
        )


async def begun(played: Matches, number: int, game: str, time_control: TimeControl) -> Effect:
    """Begin a match of two players in their own server."""
    opener, opponent = FIRST_USER + 2 * number, FIRST_USER + 2 * number + 1
    challenge = Challenge(
        interaction=number + 1,
        game=game,
        options=GAMES[game].presets["standard"],
        guild=FIRST_GUILD + number,
        channel=number + 1,
        opener=opener,
        opponents=(opponent,),
        wanted=2,
        time_control=time_control,
    )
    match = (await played.open(challenge)).public().match
    return await played.accept(match, opponent)


async def multiply(writer: AsyncEngine, models: Sequence[MatchId], count: int) -> None:
    """Copy these matches until there are `count`, each copy with its own server and players.

    In half of the copies, all players have missed their last deadline.
    """
    async with writer.begin() as connection:

        async def rows(table: Table, match: MatchId) -> list[dict[str, Any]]:
            of_match = table.c.id if table is matches else table.c.match
            found = await connection.execute(select(table).where(of_match == match))
            return [dict(row) for row in found.mappings()]

        kept = [(await rows(matches, m), await rows(seats, m)) for m in models]
        new_matches, new_seats = [], []
        for n in range(count - len(models)):
            (match,), of_match = kept[n % len(kept)]
            number = models[-1] + 1 + n
            new_matches.append(
                {**match, "id": number, "interaction": 10**6 + n, "guild": FIRST_GUILD + 1000 + n}
            )
            new_seats += [
                {**seat, "match": number, "user": 10**7 + 2 * n + i, "strikes": n // len(kept) % 2}
                for i, seat in enumerate(of_match)
            ]
        await connection.execute(insert(matches), new_matches)
        await connection.execute(insert(seats), new_seats)


async def click(
    played: Matches, hands: dict[MatchId, Effect], *, until: Callable[[], bool], seconds: float
) -> list[float]:
    """Let people choose moves until `until()` is true or the seconds are over.

    Returns the seconds that each choice took.
    """
    taken: list[float] = []
    clicks: dict[MatchId, asyncio.Task[None]] = {}
    end, turn = time.perf_counter() + seconds, 0
    while time.perf_counter() < end and not until():
        match = list(hands)[turn % len(hands)]
        if match not in clicks or clicks[match].done():
            clicks[match] = asyncio.create_task(choose(played, hands, match, taken))
        turn += 1
        await asyncio.sleep(1 / CLICKS_PER_SECOND)
    await asyncio.gather(*clicks.values())
    return taken


async def choose(
    played: Matches, hands: dict[MatchId, Effect], match: MatchId, taken: list[float]
) -> None:
    """Choose a move for a player who owes one, as a click does; add its seconds to `taken`."""
    public = hands[match].public()
    seat = min(public.awaiting - public.chosen, default=None)
    if seat is None:
        return  # this match is over
    user = FIRST_USER + 2 * (match - 1) + seat
    move = hands[match].snapshot_of(user).legal[0]
    began = time.perf_counter()
    hands[match] = await played.submit(match, public.step, user, str(move))
    taken.append(time.perf_counter() - began)


if __name__ == "__main__":
    asyncio.run(main())
