"""Kill the bot again and again while all games are played and everything goes wrong.

`python -m tests.soak [kills]`: 1,000 kills unless told otherwise. Prints what has happened and what
was lost, and ends with status 1 if anything was.
"""

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from sandbox import Sandbox
from sandbox.guilds import Thread
from tests.soak import truth
from tests.soak.chaos import Chaos
from tests.soak.opener import MANY, THREAD
from tests.soak.siege import Siege
from tests.support.sandboxes import quick_sandbox

GUESTS = ("Eve", "Finn", "Gus", "Hal")
RESTLESS = 0.02


async def soak(kills: int, seed: int, folder: Path) -> list[str]:
    began = time.monotonic()
    async with quick_sandbox() as discord:
        for name in GUESTS:
            discord.world.add_person(name)
        _add_thread(discord)
        chaos = Chaos(discord, random.Random(seed))
        siege = Siege(discord, folder, MANY, seed=seed, restless=RESTLESS)
        try:
            await siege.kill(kills, chaos)
            chaos.end()
            await siege.start_anew()
            await siege.end()
        finally:
            await siege.abandon()
        _report(siege, chaos, discord, time.monotonic() - began)
        return siege.tally.lost


def _add_thread(discord: Sandbox) -> None:
    now, games = discord.world.clock.now(), discord.world.channel("games")
    details = Thread(owner=discord.clients[0].id, created_at=now, changed_at=now)
    discord.world.add_thread(games, THREAD, details)


def _report(siege: Siege, chaos: Chaos, discord: Sandbox, seconds: float) -> None:
    database, tally, record = siege.bot.database, siege.tally, siege.record
    matches = truth.rows(
        database, "SELECT game, status, count(*) FROM matches GROUP BY game, status"
    )
    moves = truth.rows(database, "SELECT how, count(*) FROM moves GROUP BY how")
    left = truth.rows(
        database, 'SELECT left_why, count(*) FROM seats WHERE "left" IS NOT NULL GROUP BY left_why'
    )
    print(f"Kills      {sum(tally.meant.values())} in {seconds:.0f} s")
    print(f"  aimed at {_counted(tally.meant)}")
    print(f"  in play  {_counted(tally.kills)}")
    print(f"Matches    {sum(n for _, _, n in matches)}")
    for game in sorted({game for game, _, _ in matches}):
        print(f"  {game:9}{_counted({s: n for g, s, n in matches if g == game})}")
    print(f"Moves      {sum(n for _, n in moves)}: {_counted(dict(moves))}")
    print(f"Departures {_counted(dict(left)) or 'none'}")
    print(f"Choices    {sum(record.choices.values())} acknowledged: {_counted(record.choices)}")
    print(f"Requests   {len(discord.requests)}: {_counted(_statuses(discord))}")
    print(f"Gateway    {discord.gateway.identified} identified, {discord.gateway.resumed} resumed")
    print(f"Faults     {sum(chaos.ordered.values())}")
    for name, number in sorted(chaos.ordered.items()):
        print(f"  {number:6} {name}")
    print(f"Refusals   {sum(record.refused.values())}")
    for sentence, number in record.refused.most_common(8):
        print(f"  {number:6} {sentence[:80]}")
    print(f"Lost       {len(tally.lost) or 'nothing'}")
    for problem in tally.lost:
        print(f"  {problem}")


def _statuses(discord: Sandbox) -> Counter[str]:
    return Counter(str(request.status or "cut") for request in discord.requests)


def _counted(numbers: dict[str, int]) -> str:
    return ", ".join(f"{number} {name}" for name, number in sorted(numbers.items()))


def main() -> int:
    parser = argparse.ArgumentParser(prog="soak", description=__doc__)
    parser.add_argument("kills", nargs="?", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--folder", type=Path, help="keep the database and the log there")
    wanted = parser.parse_args()
    print(f"Seed       {wanted.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        chosen = wanted.folder or Path(folder)
        chosen.mkdir(parents=True, exist_ok=True)
        lost = asyncio.run(soak(wanted.kills, wanted.seed, chosen))
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
