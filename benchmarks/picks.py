"""What a secret pick costs, compared with a bare handler that only acknowledges the same click.

`python -m benchmarks.picks` runs both bots against sandboxes in this process, in turn, batch by
batch, so that a slow moment of the machine affects both. CPU is what the kernel counts for the
bot's process, without its drawing workers; time is from the click to the answer. A pick here is a
change of choice, which is committed and answered with the hand. The first choices are a warm-up,
followed by a wait until the tables show "has chosen", which a change doesn't affect. Then whole
rounds are played, with reveal and pictures, to measure CPU and the requests that count toward
Discord's 50 a second. The cost of each batch is printed too, to show outliers.
"""

import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, Self

from benchmarks.shares import shares
from sandbox import Answer, Client, Message, Sandbox

IN_FLIGHT = 50
BATCHES = 8
ROUNDS = 5


@dataclass
class Bot:
    """A bot in its own process, with its own sandbox."""

    name: str
    discord: Sandbox
    process: asyncio.subprocess.Process
    people: list[Client] = field(default_factory=list)
    """The people whose hands are clicked."""

    def cpu(self) -> float:
        """Seconds of CPU that its process has used so far."""
        return cpu_of(self.process.pid)

    async def stop(self) -> None:
        self.process.terminate()
        await self.process.wait()
        await self.discord.stop()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.stop()


def cpu_of(pid: int) -> float:
    """Seconds of CPU that the threads of a process have used so far.

    Read from the scheduler, in nanoseconds: the ticks of `stat` are as long as a batch of clicks.
    """
    threads = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9


async def start(module: str, **environment: str) -> Bot:
    discord = await Sandbox().start()
    discord.clock.freeze()  # so that slow answers are measured, not refused after 3 seconds
    discord.faults.rate_limits = False  # waiting would be measured too
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        module,
        env={
            **os.environ,
            "DISCORD_API": discord.url,
            "DISCORD_TOKEN": discord.token,
            **environment,
        },
    )
    await discord.ready(180)
    return Bot(module, discord, process)


async def start_bare() -> Bot:
    """Start the baseline bot, with a hand for each of 50 people."""
    bot = await start("benchmarks.bare")
    for n in range(IN_FLIGHT):
        bot.discord.world.add_person(f"P{n}")
        person = bot.discord.person(f"P{n}")
        await person.slash("desk", channel="lobby")
        bot.people.append(person)
    return bot


async def start_ours(folder: str, pace: str = "", **environment: str) -> Bot:
    """Start our bot with 50 running matches, each in its own channel, as on many servers.

    `pace` is a value of the command's option of that name; empty for the default time control.
    `people` has the players of the first seats, then those of the second.
    """
    # A high DEFER, so that on a slow machine slow answers are measured, not deferrals.
    file = f"{folder}/bench.sqlite3"
    bot = await start("benchmarks.served", DATABASE=file, DEFER="60", **environment)
    discord, pairs = bot.discord, []
    for n in range(IN_FLIGHT):
        for name in (f"P{n}", f"Q{n}"):
            discord.world.add_person(name)
        first, second = discord.person(f"P{n}"), discord.person(f"Q{n}")
        channel = discord.world.add_channel(f"table-{n}")
        options = {"opponent": second, "hand": "desk"} | ({"pace": pace} if pace else {})
        answer = await first.slash("pico play", channel=channel, options=options)
        # If the answer was deferred, the challenge is a follow-up.
        message = await discord.until(partial(challenge, answer), 120)
        assert message is not None
        await second.click(message, "Accept")
        await discord.until(partial(all_have_cards, (first, second)), 120)
        pairs.append((first, second))
    bot.people = [pair[seat] for seat in (0, 1) for pair in pairs]
    return bot


def challenge(answer: Answer) -> Message | None:
    """The challenge among the messages of an answer; None until there is one."""
    said = [m for m in (answer.message, *answer.followups) if m is not None and not m.deleted]
    return next((m for m in said if any(b.label == "Accept" for b in m.buttons)), None)


def desk(person: Client) -> Message | None:
    """A person's latest direct message with buttons: their hand, no notice and no old hand."""
    return next((told for told in reversed(person.direct_messages) if told.buttons), None)


def cards(person: Client) -> list[str]:
    """The custom_ids of the cards in a person's hand, or of the bare handler's buttons."""
    found = desk(person)
    ids = [button.custom_id or "" for button in found.buttons] if found else []
    return [custom for custom in ids if ":pick:" in custom or custom.startswith("bare:")]


def all_have_cards(people: Iterable[Client]) -> bool:
    return all(map(cards, people))


async def click(person: Client, turn: int) -> float:
    """Click once; returns the seconds until it was answered."""
    message, wanted = desk(person), cards(person)
    assert message is not None, f"{person.name} has a desk"
    began = time.perf_counter()
    answer = await person.click(message, wanted[turn % len(wanted)])
    taken = time.perf_counter() - began
    assert answer.kind in (6, 7), answer
    return taken


async def side_by_side(bot: Bot, turn: int) -> list[float]:
    """Let all players in the first seats click at once; the seconds of each click."""
    return list(await asyncio.gather(*(click(bot.people[n], turn) for n in range(IN_FLIGHT))))


async def one_by_one(bot: Bot, turn: int) -> list[float]:
    return [await click(bot.people[n], turn) for n in range(IN_FLIGHT)]


Batch = Callable[[Bot, int], Coroutine[Any, Any, list[float]]]


async def compare(bots: Sequence[Bot], batch: Batch) -> None:
    """Run batches in turn, and print each bot's costs and the ratios of ours to the bare one's."""
    times: dict[str, list[float]] = {bot.name: [] for bot in bots}
    costs: dict[str, list[float]] = {bot.name: [] for bot in bots}
    for bot in bots:
        await batch(bot, 0)
        await _until_quiet(bot.discord)
    for turn in range(1, BATCHES + 1):
        for bot in bots:
            before = bot.cpu()
            taken = await batch(bot, turn)
            times[bot.name] += taken
            costs[bot.name].append((bot.cpu() - before) / len(taken))
    bare, ours = (bot.name for bot in bots)
    for name in (bare, ours):
        cost, each = statistics.mean(costs[name]) * 1000, sorted(times[name])
        p99 = each[int(len(each) * 0.99)]
        median = statistics.median(each)
        listed = " ".join(f"{cost * 1000:.2f}" for cost in costs[name])
        print(
            f"  {name:18} CPU {cost:6.2f} ms per click, answer after "
            f"{median * 1000:6.1f} ms (median), {p99 * 1000:6.1f} ms (p99); batches {listed}"
        )
    ratio = statistics.mean(costs[ours]) / statistics.mean(costs[bare])
    middle = statistics.median(times[ours]) / statistics.median(times[bare])
    late = (
        sorted(times[ours])[-len(times[ours]) // 100]
        / sorted(times[bare])[-len(times[bare]) // 100]
    )
    print(f"  ratio: CPU {ratio:.1f}, median {middle:.1f}, p99 {late:.1f}")


async def rounds(ours: Bot, *, expired: bool) -> None:
    """Play whole rounds of all matches, and print the CPU and the counted requests of one."""
    discord, requests, cpu = ours.discord, 0, 0.0
    for _ in range(ROUNDS):
        if expired:
            discord.clock.advance(timedelta(minutes=20))
        await _until_quiet(discord)
        began, before = len(discord.requests), ours.cpu()
        steps = [step(person) for person in ours.people]
        # The first seats may have chosen already; once the second ones have, they no longer can.
        for row in (range(IN_FLIGHT), range(IN_FLIGHT, 2 * IN_FLIGHT)):
            await asyncio.gather(*(click(ours.people[n], 0) for n in row))
        await discord.until(partial(moved_on, ours, steps), 60)
        await _until_quiet(discord)
        cpu += ours.cpu() - before
        requests += sum(exchange.counted for exchange in discord.requests[began:])
    played = ROUNDS * IN_FLIGHT
    when = "20 minutes after the last click" if expired else "clicks less than 15 minutes apart"
    print(
        f"  {when}: {requests / played:.2f} counted requests and "
        f"{cpu / played * 1000:.1f} ms of CPU per round ({played} rounds of two, with reveals)"
    )


def step(person: Client) -> str:
    picks = cards(person)
    return picks[0].split(":")[2] if picks else ""


def moved_on(ours: Bot, steps: Sequence[str]) -> bool:
    """Whether everybody's hand asks for a card of another step; while it waits, it has none."""
    now = [step(person) for person in ours.people]
    return all(new and new != old for new, old in zip(now, steps, strict=True))


async def _until_quiet(discord: Sandbox) -> None:
    """Wait until there have been no requests for longer than a detail is delayed."""
    seen = -1
    while seen != len(discord.requests):
        seen = len(discord.requests)
        await asyncio.sleep(4.0)  # longer than bot/live/live.py delays "has chosen"


async def beside_bare(ours: Bot, pace: str) -> None:
    async with await start_bare() as bare:
        print(
            f"A pick compared with a bare acknowledgment, time control {pace}, "
            f"{BATCHES} batches of {IN_FLIGHT} clicks:"
        )
        for title, batch in (("1 in flight", one_by_one), ("50 in flight", side_by_side)):
            print(f" {title}")
            await compare((bare, ours), batch)


async def main() -> None:
    for pace in ("", "live"):
        with tempfile.TemporaryDirectory() as folder:
            async with await start_ours(folder, pace) as ours:
                await beside_bare(ours, pace or "default")
                if not pace:
                    print(" rounds of two seats, hands in direct messages")
                    await rounds(ours, expired=False)
                    await rounds(ours, expired=True)
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/profile"
        async with await start_ours(folder, PROFILE=file) as ours:
            for turn in range(2 * BATCHES):
                await side_by_side(ours, turn)
        print(" time of the event loop (a separate run under cProfile, including the start)")
        for line in shares(Path(file)):
            print(f"  {line}")


if __name__ == "__main__":
    asyncio.run(main())
