"""What a whole match adds to the database, and how many requests to Discord it takes, by game.

`python -m benchmarks.match_costs [MATCHES]` first measures storage: MATCHES (10) matches with the
standard options are played by two easy computers without Discord, so that they have a realistic
length. It prints the number of rows, and the bytes in use on the pages of the file, including
indexes; the file is larger by the free space on its pages.

Then it measures requests: two people with hands in direct messages play one match of each game,
with shorter options, at a sandbox. After each click, everything is shown before the next, as people
are slower than that. The first time, clicks follow quickly, so that edits use the tokens of clicks;
the second time, 20 minutes apart, when these have expired and each edit counts toward the 50 a
second. In a step, everyone who is awaited chooses.
"""

import asyncio
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any, Final

from bot.matches import Challenge, Matches
from bot.messaging import discord_address
from bot.storage import Storage
from bot.telemetry.logging import configure
from games import GAMES
from games.chance import Chance
from games.computers import COMPUTERS
from tests.soak.messages import Messages
from tests.soak.opener import OPPONENTS
from tests.soak.player import Player
from tests.soak.record import Record
from tests.support.matches import RETURNS
from tests.support.sandboxes import quick_sandbox
from tests.support.tables import Table, seated

STORED: Final = 10
GUILDS: Final = 10
PAIRS: Final = 20
FIRST_USER: Final = 3 * 10**17
OPTIONS: Final[Mapping[str, Mapping[str, Any]]] = {
    "pico": {"hand": "desk"},
    "duel": {"hand": "desk"},
    "conquest": {"turn_limit": 6},
    "prize": {"hands": 2},
    "spite": {"stock": 3},
}
EXPIRED: Final = timedelta(minutes=20)


class Steady(Random):
    """Random numbers for players who never change their minds."""

    def random(self) -> float:
        return 0.99

    getrandbits = Random.getrandbits  # otherwise integers would be drawn with `random` too


@dataclass(frozen=True)
class Asked:
    """A match's requests to Discord, and the steps and interactions that caused them."""

    steps: int
    interactions: int
    counted: Counter[str]
    free: Counter[str]

    def line(self) -> str:
        kinds = [f"{number} {kind}" for kind, number in self.counted.most_common()]
        return (
            f"{self.steps} steps, {self.interactions} commands and clicks: "
            f"{self.counted.total()} counted requests ({', '.join(kinds)}), "
            f"{self.free.total()} free"
        )


async def finished(matches: Matches, game: str, number: int) -> int:
    """Play one match from the challenge to its result; returns the number of its steps."""
    users = tuple(FIRST_USER + 2 * (number % PAIRS) + n for n in range(2))
    challenge = Challenge(
        interaction=number + 1,
        game=game,
        options=GAMES[game].presets["standard"],
        guild=10**17 + number % GUILDS,
        channel=10**18 + number % GUILDS,
        opener=users[0],
        opponents=users[1:],
        wanted=2,
        time_control="slow",
    )
    match = (await matches.open(challenge)).public().match
    await matches.accept(match, users[1])
    computer = COMPUTERS[game]
    level = computer.levels_for(challenge.options, 2)[0]
    public = await matches.public(match)
    while public.awaiting:
        for seat in sorted(public.awaiting - public.chosen):
            own = await matches.snapshot(match, users[seat])
            move = computer.choose(own.view, seat, level, Chance(f"{number}:{seat}", own.step))
            effect = await matches.submit(match, own.step, users[seat], str(move))
            public = effect.public()
    return public.step


def counted(file: Path) -> Counter[str]:
    """The number of rows in each table, and the "bytes" in use."""
    with closing(sqlite3.connect(file)) as connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        found = Counter(
            {
                name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0]  # noqa: S608 - our own names
                for (name,) in names
            }
        )
        (used,) = connection.execute("SELECT sum(pgsize - unused) FROM dbstat").fetchone()
    return found + Counter({"bytes": used})


async def stored(folder: Path, game: str, number: int) -> str:
    file = folder / f"{game}.sqlite3"
    async with Storage.open(file) as storage:
        matches = Matches(storage, returns=RETURNS, now=time.time)
        await finished(matches, game, 0)
    before = counted(file)
    async with Storage.open(file) as storage:
        matches = Matches(storage, returns=RETURNS, now=time.time)
        steps = sum([await finished(matches, game, n) for n in range(1, number + 1)])
    grown = counted(file) - before
    each = {name: grown[name] / number for name in ("matches", "seats", "moves", "results")}
    rows = ", ".join(f"{value:.1f} in {name}" for name, value in each.items())
    return (
        f"{steps / number:.1f} steps, {grown['bytes'] / number / 1024:.1f} KiB, "
        f"{sum(each.values()):.1f} rows: {rows}"
    )


async def asked(folder: Path, game: str, *, expired: bool) -> Asked:
    async with quick_sandbox() as discord:
        discord.faults.rate_limits = False
        discord_address.use_address(discord.url)
        async with seated(discord, folder) as table:
            await table.quiet_now()
            began = len(discord.requests)
            interactions = await _play(table, game, expired=expired)
            requests = discord.requests[began:]
            ((steps, status),) = table.sql("SELECT step, status FROM matches")
            assert status == "over", status
    kinds: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    for request in requests:
        kinds[request.counted][f"{request.method} {_kind(request.path)}"] += 1
    return Asked(steps, interactions, kinds[True], kinds[False])


async def _play(table: Table, game: str, *, expired: bool) -> int:
    """Play one match of two people; returns the number of commands and clicks."""
    discord, chance = table.discord, Steady(7)
    people = [discord.person(name) for name in ("Ann", "Bo")]
    messages, record = Messages(discord), Record()
    players = [
        Player(discord, person, messages, record, chance, reachable=discord.is_connected)
        for person in people
    ]
    options = {OPPONENTS[0]: people[1], "pace": "none", **OPTIONS[game]}
    await people[0].slash(f"{game} play", channel="games", **options)
    while not table.sql("SELECT 1 FROM matches WHERE status = 'over'"):
        await table.quiet_now()
        asked = await discord.until(lambda: [(p, s) for p in players if (s := p.due())], 30)
        if expired:
            discord.clock.advance(EXPIRED)
        player, seen = asked[0]
        await player.act(seen)
    await table.quiet_now()
    messages.stop()
    return sum(r.path.endswith("/callback") for r in discord.requests)


def _kind(path: str) -> str:
    """The path of a request without ids."""
    return "/".join(part for part in path.split("/") if part.isalpha() or part == "@original")


async def main() -> None:
    configure("error", "text")
    number = int(sys.argv[1]) if len(sys.argv) > 1 else STORED
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print(f"Storage of a match, mean of {number} with standard options:")
        for game in GAMES:
            print(f"  {game:9}{await stored(folder, game, number)}")
        for expired in (False, True):
            apart = "20 minutes apart" if expired else "close together"
            print(f"Requests of a match, clicks {apart}:")
            for game in GAMES:
                below = folder / f"{game}-{expired}"
                below.mkdir()
                print(f"  {game:9}{(await asked(below, game, expired=expired)).line()}", flush=True)


if __name__ == "__main__":
    asyncio.run(main())
