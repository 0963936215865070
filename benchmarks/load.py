"""What people see of a bot under load: many reveals at once, a crowded channel, a kill.

`python -m benchmarks.load [reveals] [crowded] [expired] [killed]` runs all unless some are named.
The bot runs in its own process against a sandbox; times are from the click until Discord has the
message.

- reveals: 50 matches, each in its own channel, get their last choices at once. When does each table
  say who won, when does it show the new picture, and how much CPU does that take? The sandbox and
  the people who click share the cores with the bot. Discord's rate limits are off.
- crowded: 30 tables are in one channel, their interaction tokens have expired, and there are 3
  choices a second for a minute, with two or three players per table. How long is a table behind?
  Discord allows 5 edits in 5 seconds per channel; with two players, 3 choices a second cause 1.5
  reveals a second, which is more.
- expired: 50 matches, each in its own channel, get their last choices at once after all interaction
  tokens have expired, so that Discord counts every edit. How many edits are there in a second?
- killed: the bot is killed during the reveals of MATCHES (200) matches. How many requests are
  refused after its restart, how many counted ones are made in a second, and when is every table
  up to date?
"""

import asyncio
import os
import random
import re
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

from benchmarks.picks import Bot, cards, cpu_of, desk, start
from sandbox import Client, Message
from sandbox.guilds import Channel
from sandbox.ratelimits import RateLimits

REVEALS = int(os.environ.get("REVEALS", "50"))
CROWD = int(os.environ.get("CROWD", "30"))
CLICKS_PER_SECOND = 3
SECONDS = int(os.environ.get("SECONDS", "60"))
KILLED = int(os.environ.get("MATCHES", "200"))
PATIENCE = 60.0


@dataclass
class Seated:
    """A match: its players, and what its table should show."""

    number: int
    """The id of the match."""

    history: Sequence[Message]
    """The messages of its channel, where a late table in a crowded channel is posted again."""

    people: list[Client]
    owed: list[Client] = field(default_factory=list)
    """The players who still have to choose in this round."""

    chosen: list[str] = field(default_factory=list)
    """The cards chosen in this round; after it, those of the last one."""

    revealed: list[str] = field(default_factory=list)
    """The cards of the last round in which everybody has chosen."""

    step: int = -1
    """The last step in which everybody has chosen."""

    behind_since: float | None = None

    async def choose(self) -> bool:
        """Let the next player choose a card; returns whether it was the last of the round."""
        if not self.owed:
            self.owed, self.chosen = list(self.people), []
        person = self.owed.pop(0)
        message = desk(person)
        assert message is not None
        custom = cards(person)[0]
        self.chosen.append(custom.split(":")[4])
        answer = await person.click(message, custom)
        assert answer.failed is None, answer
        if not self.owed:
            self.revealed, self.step = self.chosen, step_of(custom)
        return not self.owed

    @property
    def table(self) -> Message:
        """The match's current table."""
        return next(m for m in reversed(self.history) if match_of(m) == self.number)

    @property
    def is_shown(self) -> bool:
        """Whether the table shows the last cards that were revealed."""
        story = next((line for line in self.table.text.split("\n") if "Round " in line), "")
        return set(self.revealed) <= set(re.findall(r"\d+", story.partition("**")[2]))

    @property
    def can_choose(self) -> bool:
        """Whether the next player's hand already asks for a card of the next step."""
        asked = cards((self.owed or self.people)[0])
        return bool(asked) and step_of(asked[0]) > self.step


def step_of(custom: str) -> int:
    """The step of a match that a button's custom_id belongs to."""
    return int(custom.split(":")[2])


def match_of(message: Message) -> int | None:
    """The match whose buttons a message has."""
    return next((int(b.custom_id.split(":")[1]) for b in message.buttons if b.custom_id), None)


async def seat(bot: Bot, number: int, channel: Channel, players: int) -> Seated:
    discord = bot.discord
    people = []
    for letter in "PQR"[:players]:
        discord.world.add_person(f"{letter}{number}")
        people.append(discord.person(f"{letter}{number}"))
    more = {"second_opponent": people[2]} if players > 2 else {}
    options = {"opponent": people[1], "hand": "desk", **more}
    await people[0].slash("pico play", channel=channel, options=options)

    history = discord.world.history[channel.id]

    def challenge() -> Message | None:
        """The challenge; on a slow machine, the answer's own message says that it's thinking."""
        return next(
            (m for m in reversed(history) if any(b.label == "Accept" for b in m.buttons)), None
        )

    await discord.until(lambda: challenge() is not None, PATIENCE)
    table = challenge()
    assert table is not None
    for person in people[1:]:
        await person.click(table, "Accept")
    await discord.until(lambda: all(cards(person) for person in people), PATIENCE)
    match = match_of(table)
    assert match is not None
    return Seated(match, history, people)


async def quiet(bot: Bot) -> None:
    """Wait until there have been no requests for longer than a detail is delayed."""
    seen = -1
    while seen != len(bot.discord.requests):
        seen = len(bot.discord.requests)
        await asyncio.sleep(4.0)


async def before_reveals(bot: Bot, count: int) -> list[Seated]:
    """Begin matches, each in its own channel, in which only the last choice is missing."""
    world = bot.discord.world
    matches = [await seat(bot, n, world.add_channel(f"table-{n}"), 2) for n in range(count)]
    for match in matches:
        await match.choose()
    await quiet(bot)
    return matches


def print_times(what: str, times: Sequence[float]) -> None:
    each = sorted(times)
    median, p99 = each[len(each) // 2], each[min(len(each) - 1, int(len(each) * 0.99))]
    print(f"  {what}: {median:.2f} s (median), {p99:.2f} s (p99), {each[-1]:.2f} s (max)")


async def until(bot: Bot, holds: Callable[[], bool]) -> float:
    await bot.discord.until(holds, PATIENCE)
    return time.perf_counter()


async def reveals(folder: str) -> None:
    async with await start("benchmarks.served", DATABASE=f"{folder}/reveals.sqlite3") as bot:
        matches = await before_reveals(bot, REVEALS)
        pictures = {match.table.id: match.table.images[0].url for match in matches}
        used, to_go = [cpu(bot)], set(pictures)

        async def one(match: Seated) -> tuple[float, float, float]:
            began = time.perf_counter()
            await match.choose()
            answered = time.perf_counter()
            words = await until(bot, lambda: match.is_shown)
            to_go.discard(match.table.id)
            if not to_go:
                used.append(cpu(bot))
            while not match.table.images or match.table.images[0].url == pictures[match.table.id]:
                if time.perf_counter() - began > PATIENCE:
                    return answered - began, words - began, float("inf")
                await asyncio.sleep(0.05)
            return answered - began, words - began, time.perf_counter() - began

        times = await asyncio.gather(*(one(match) for match in matches))
        print(f"{REVEALS} reveals at once")
        print_times("a choice is answered after", [answered for answered, *_ in times])
        print_times("a table says who won after", [words for _, words, _ in times])
        print_times("it shows the new picture after", [picture for *_, picture in times])
        used.append(cpu(bot))
        for when, (begin, end) in zip(("words", "pictures"), pairwise(used), strict=True):
            print(f"  CPU per reveal until all tables have {when}: ", end="")
            each = {who: 1000 * (end[who] - begin[who]) / REVEALS for who in end}
            print(", ".join(f"{who} {spent:.1f} ms" for who, spent in each.items()))


def cpu(bot: Bot) -> dict[str, float]:
    """Seconds of CPU so far, by process that shares the cores."""
    children = Path(f"/proc/{bot.process.pid}/task/{bot.process.pid}/children").read_text()
    return {
        "the bot": cpu_of(bot.process.pid),
        "drawing": sum(cpu_of(int(child)) for child in children.split()),
        "the sandbox and its people": time.process_time(),
    }


@contextmanager
def counted() -> Iterator[list[float]]:
    """The times of all requests within the block that Discord counts."""
    moments: list[float] = []
    check = RateLimits.check

    def noted(limits: RateLimits, route: str, major: str, *, counted: bool) -> dict[str, str]:
        if counted:
            moments.append(time.perf_counter())
        return check(limits, route, major, counted=counted)

    RateLimits.check = noted  # type: ignore[assignment,method-assign]
    try:
        yield moments
    finally:
        RateLimits.check = check  # type: ignore[method-assign]


def most_in_a_second(moments: Sequence[float]) -> int:
    within = (sum(m <= n < m + 1.0 for n in moments[i : i + 200]) for i, m in enumerate(moments))
    return max(within, default=0)


def refused(bot: Bot, since: int) -> int:
    return sum(exchange.status == 429 for exchange in bot.discord.requests[since:])


async def crowded(folder: str, players: int) -> None:
    file = f"{folder}/crowded{players}.sqlite3"
    async with await start("benchmarks.served", DATABASE=file) as bot:
        discord = bot.discord
        channel = discord.world.add_channel("crowded")
        matches = [await seat(bot, n, channel, players) for n in range(CROWD)]
        await quiet(bot)
        discord.faults.rate_limits = True
        discord.clock.advance(timedelta(minutes=20))
        since = len(discord.requests)
        waited: list[float] = []
        running = [asyncio.create_task(watch(bot, match, waited)) for match in matches]
        began = time.perf_counter()
        anybody = random.Random(players)
        for n in range(CLICKS_PER_SECOND * SECONDS):
            await asyncio.sleep(max(0.0, began + n / CLICKS_PER_SECOND - time.perf_counter()))
            match = anybody.choice([match for match in matches if match.can_choose])
            if await match.choose() and match.behind_since is None:
                match.behind_since = time.perf_counter()
        late = [time.perf_counter() - m.behind_since for m in matches if m.behind_since is not None]
        for task in running:
            task.cancel()
        print(f"{CROWD} tables of {players} in one channel, {CLICKS_PER_SECOND} choices a second")
        print_times(f"{len(waited)} times a table was behind, for", waited)
        print(f"  {len(late)} still behind at the end, for up to {max(late, default=0.0):.2f} s")
        print(f"  requests refused by rate limits: {refused(bot, since)}")


async def watch(bot: Bot, match: Seated, waited: list[float]) -> None:
    """Add to `waited` how long the table was behind, each time it has caught up."""
    while True:
        await bot.discord.until(lambda: match.behind_since is not None and match.is_shown, 3600.0)
        assert match.behind_since is not None
        waited.append(time.perf_counter() - match.behind_since)
        match.behind_since = None


def print_requests(bot: Bot, moments: Sequence[float], since: int) -> None:
    print(f"  {len(moments)} counted requests, at most {most_in_a_second(moments)} in a second")
    print(f"  requests refused by rate limits: {refused(bot, since)}")


async def expired(folder: str) -> None:
    async with await start("benchmarks.served", DATABASE=f"{folder}/expired.sqlite3") as bot:
        discord = bot.discord
        matches = await before_reveals(bot, REVEALS)
        discord.faults.rate_limits = True
        discord.clock.advance(timedelta(minutes=20))
        since, began = len(discord.requests), time.perf_counter()
        with counted() as moments:
            await asyncio.gather(*(match.choose() for match in matches))
            await discord.until(lambda: all(match.is_shown for match in matches), PATIENCE)
            right = time.perf_counter() - began
            await quiet(bot)
        print(f"{REVEALS} reveals at once, with expired tokens")
        print(f"  every table was up to date after {right:.1f} s")
        print_requests(bot, moments, since)


async def killed(folder: str) -> None:
    file = f"{folder}/killed.sqlite3"
    bot = await start("benchmarks.served", DATABASE=file)
    discord = bot.discord
    matches = await before_reveals(bot, KILLED)
    discord.faults.rate_limits = True
    await asyncio.gather(*(match.choose() for match in matches))
    bot.process.kill()
    await bot.process.wait()
    # A click that was only deferred before the kill may be lost: it was never confirmed.
    with closing(sqlite3.connect(file)) as database:
        revealed = {number for (number,) in database.execute("SELECT id FROM matches WHERE step")}
    behind = [m for m in matches if m.number in revealed and not m.is_shown]
    since = len(discord.requests)
    with counted() as moments:
        where = {"DISCORD_API": discord.url, "DISCORD_TOKEN": discord.token, "DATABASE": file}
        bot.process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "benchmarks.served", env={**os.environ, **where}
        )
        await discord.ready(180)
        began = time.perf_counter()
        await discord.until(lambda: all(match.is_shown for match in behind), 600.0)
        right = time.perf_counter() - began
        await quiet(bot)
    print(f"Bot killed after {len(revealed)} reveals; {len(behind)} tables were behind")
    print(f"  every table was up to date {right:.1f} s after the restart")
    print_requests(bot, moments, since)
    await bot.stop()


async def main() -> None:
    wanted = set(sys.argv[1:]) or {"reveals", "crowded", "expired", "killed"}
    with tempfile.TemporaryDirectory() as folder:
        if "reveals" in wanted:
            await reveals(folder)
        if "crowded" in wanted:
            await crowded(folder, 2)
            await crowded(folder, 3)
        if "expired" in wanted:
            await expired(folder)
        if "killed" in wanted:
            await killed(folder)


if __name__ == "__main__":
    asyncio.run(main())
