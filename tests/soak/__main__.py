"""Kill the bot again and again while all games are played and everything else goes wrong too.

`python -m tests.soak [kills]`: by default 1,000 kills. Prints what happened and what was lost; the
exit status is 1 if anything was lost. With `--processes 3`, the bot is three processes with 16
shards and one PostgreSQL server; each time, one of them is killed, or suspended for longer than its
lease. Nothing else goes wrong then, so that the time until everything is answered can be measured.
After SIGTERM, the current kill is the last, and everything is checked and reported as usual.
"""

import argparse
import asyncio
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from bot.storage import TABLE
from sandbox import Sandbox
from sandbox.guilds import Thread
from sandbox.permissions import Permission
from tests.soak import database_checks
from tests.soak.chaos import Chaos
from tests.soak.fleet import Fleet, fleet_sandbox
from tests.soak.fleet_siege import FleetSiege
from tests.soak.measurements import spread
from tests.soak.opener import AMONG_PEOPLE, MANY, THREAD
from tests.soak.siege import Siege
from tests.support.cluster import MISSING, Cluster, binaries, made
from tests.support.processes import Process
from tests.support.sandboxes import quick_sandbox

GUESTS = ("Eve", "Finn", "Gus", "Hal")
RESTLESS = 0.02
SHARDS = 16


async def soak(kills: int, seed: int, folder: Path) -> list[str]:
    began = time.monotonic()
    async with quick_sandbox() as discord:
        for name in GUESTS:
            discord.world.add_person(name)
        _set_up_channels(discord)
        chaos = Chaos(discord, random.Random(seed))
        bot = Process(discord, folder / "facedown.sqlite3", folder / "bot.log")
        siege = Siege(discord, bot, MANY, seed=seed, restless=RESTLESS, chaos=chaos)
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, siege.stop_early)
        try:
            await siege.kill(kills)
            chaos.end()
            await siege.start_anew()
            await siege.end()
        finally:
            await siege.abandon()
        _report(siege, discord, time.monotonic() - began)
        print(f"Faults     {sum(chaos.ordered.values())}")
        for name, number in sorted(chaos.ordered.items()):
            print(f"  {number:6} {name}")
        return _lost(siege)


async def soak_of_several(kills: int, seed: int, folder: Path, processes: int) -> list[str]:
    began = time.monotonic()
    cluster = Cluster()
    cluster.start()
    try:
        database = await asyncio.to_thread(made, cluster)
        async with fleet_sandbox(SHARDS) as discord:
            for name in GUESTS:
                user = discord.world.add_person(name)
                for guild in list(discord.world.guilds.values())[1:]:
                    discord.world.add_member(user, guild)
            fleet = Fleet(discord, database, folder, processes)
            siege = FleetSiege(discord, fleet, AMONG_PEOPLE, seed=seed, tell=_progress)
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, siege.stop_early)
            try:
                await siege.kill(kills)
                await siege.end()
            finally:
                await siege.abandon()
                _report(siege, discord, time.monotonic() - began)
                _report_times(siege)
            print(f"Late       {len(siege.late) or 'nothing'}")
            for problem in siege.late:
                print(f"  {problem}")
            return _lost(siege) + siege.late
    finally:
        cluster.remove()


def _progress(line: str) -> None:
    print(f"  {line}", flush=True)


def _report_times(siege: FleetSiege) -> None:
    print("Answered again in all servers after a death")
    for what, seconds in sorted(siege.answered.items()):
        print(f"  {len(seconds):6} {what}: {spread(seconds)}")
    print(f"Shards taken over: {spread(siege.taken_over)}")
    lags = siege.lags
    for since, worst in (("in all", lags.worst), ("since a death", lags.worst_since_death)):
        tables = [seconds for (_, place), seconds in worst.items() if place == TABLE]
        hands = [seconds for (_, place), seconds in worst.items() if place != TABLE]
        print(f"Behind at worst, {since}, {len(tables)} tables: {spread(tables)}")
        print(f"Behind at worst, {since}, {len(hands)} hands: {spread(hands)}")


def _lost(siege: Siege) -> list[str]:
    print(f"Lost       {len(siege.tally.lost) or 'nothing'}")
    for problem in siege.tally.lost:
        print(f"  {problem}")
    return siege.tally.lost


def _set_up_channels(discord: Sandbox) -> None:
    now, games = discord.world.clock.now(), discord.world.channel("games")
    # New servers give this to everyone. Without it, a bot that was away longer than Discord
    # remembers nonces couldn't know which messages it has already sent.
    discord.world.set_permissions(games, allow=Permission.READ_MESSAGE_HISTORY)
    details = Thread(owner=discord.clients[0].id, created_at=now, changed_at=now)
    discord.world.add_thread(games, THREAD, details)


def _report(siege: Siege, discord: Sandbox, seconds: float) -> None:
    database, tally, record = siege.bot.database, siege.tally, siege.record
    matches = database_checks.rows(
        database, "SELECT game, status, count(*) FROM matches GROUP BY game, status"
    )
    moves = database_checks.rows(database, "SELECT how, count(*) FROM moves GROUP BY how")
    left = database_checks.rows(
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
    print(f"Refusals   {sum(record.refused.values())}")
    for sentence, number in record.refused.most_common(8):
        print(f"  {number:6} {sentence[:80]}")


def _statuses(discord: Sandbox) -> Counter[str]:
    return Counter(str(request.status or "cut") for request in discord.requests)


def _counted(numbers: dict[str, int]) -> str:
    return ", ".join(f"{number} {name}" for name, number in sorted(numbers.items()))


def main() -> int:
    parser = argparse.ArgumentParser(prog="soak", description=__doc__)
    parser.add_argument("kills", nargs="?", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--folder", type=Path, help="keep the database and the log there")
    parser.add_argument("--processes", type=int, default=1, help="more than one: on PostgreSQL")
    wanted = parser.parse_args()
    if wanted.processes > 1 and binaries() is None:
        print(MISSING)
        return 2
    print(f"Seed       {wanted.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        chosen = wanted.folder or Path(folder)
        chosen.mkdir(parents=True, exist_ok=True)
        asked = wanted.kills, wanted.seed, chosen
        several = wanted.processes > 1
        lost = asyncio.run(soak_of_several(*asked, wanted.processes) if several else soak(*asked))
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
