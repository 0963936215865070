"""How much memory many matches take, in the bot's process and the one that draws.

`python -m benchmarks.memory [MATCHES]` (10,000 by default, which takes about an hour) runs the real
bot against a sandbox, with two people per match and 20 matches at a time. Each match is challenged,
accepted, played for one round with pictures, and resigned. After every tenth of the matches, it
prints the memory of the bot's process and of its children; the last line compares the end with the
state after 1,000 matches. What counts is private memory. The bot also maps up to 1 GB of its
database; the system can reclaim those pages, but they're resident memory too.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.picks import Bot, cards, desk, start
from sandbox import Answer, Client, Message

MATCHES: Final = 10_000
COMPARED: Final = 1_000
"""The number of matches after which everything that stays in memory should be loaded."""

PAIRS: Final = 20
PATIENCE: Final = 300.0


async def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else MATCHES
    compared, began = min(COMPARED, count // 2), time.perf_counter()
    marks = {compared, *(count * n // 10 for n in range(1, 11))}
    found: dict[int, tuple[float, float, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        bot = await start("benchmarks.served", DATABASE=f"{folder}/bench.sqlite3")
        async with bot:
            people(bot)
            played = 0
            for mark in sorted(marks):
                left = iter(range(mark - played))
                await asyncio.gather(*(play(bot, n, left) for n in range(PAIRS)))
                played = mark
                bot.discord.requests.clear()
                found[mark] = memory(bot.process.pid)
                of_bot, others, mapped = found[mark]
                print(
                    f"  {mark:6} matches: bot {of_bot:6.1f} MB, drawing {others:6.1f} MB, "
                    f"mapped by the bot {mapped:6.1f} MB, {time.perf_counter() - began:5.0f} s",
                    flush=True,
                )
    more = [end - begin for begin, end in zip(found[compared], found[count], strict=True)]
    print(
        f"from {compared} to {count} matches: bot {more[0]:+.1f} MB, drawing {more[1]:+.1f} MB, "
        f"together {more[0] + more[1]:+.1f} MB (target: at most 30); mapped {more[2]:+.1f} MB"
    )


def people(bot: Bot) -> None:
    for n in range(PAIRS):
        for name in (f"P{n}", f"Q{n}"):
            bot.discord.world.add_person(name)
            bot.people.append(bot.discord.person(name))
        bot.discord.world.add_channel(f"table-{n}")


async def play(bot: Bot, pair: int, left: Iterator[int]) -> None:
    """Let two people play matches one after another, as long as there are any left."""
    first, second = bot.people[2 * pair : 2 * pair + 2]
    for _ in left:
        await play_one(bot, pair, first, second)


async def play_one(bot: Bot, pair: int, first: Client, second: Client) -> None:
    discord, before = bot.discord, {p: hand_of(p) for p in (first, second)}
    answer = await first.slash(
        "pico play", channel=f"table-{pair}", opponent=second, hand="desk", rated=False
    )
    opened = await shown(bot, answer)
    await second.click(opened, "Accept")
    await discord.until(
        lambda: all(hand_of(p) not in {None, before[p]} for p in (first, second)), PATIENCE
    )
    for person in (first, second):
        await discord.until(partial(cards, person), PATIENCE)
        message = desk(person)
        assert message is not None
        await person.click(message, cards(person)[0])
    await discord.until(lambda: all(cards(p) for p in (first, second)), PATIENCE)
    message = desk(first)
    assert message is not None
    menu = await shown(bot, await first.click(message, "Menu"))
    asked = await shown(bot, await first.click(menu, "Resign"))
    await first.click(asked, "Resign")
    await discord.until(lambda: not any(cards(p) for p in (first, second)), PATIENCE)


async def shown(bot: Bot, answer: Answer) -> Message:
    """The message with buttons of an answer: its own, or a follow-up if it was deferred."""

    def found() -> Message | None:
        made = (answer.message, *answer.followups)
        return next((m for m in made if m is not None and not m.deleted and m.buttons), None)

    message = await bot.discord.until(found, PATIENCE)
    assert message is not None
    return message


def hand_of(person: Client) -> str | None:
    """The id of the match of a person's latest hand; None if they have none."""
    found = cards(person)
    return found[0].split(":")[1] if found else None


def memory(pid: int) -> tuple[float, float, float]:
    """MB of a process's private memory, of its children's, and of the files that it maps."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    others = sum(resident(int(child), "RssAnon") for child in children)
    return resident(pid, "RssAnon"), others, resident(pid, "RssFile")


def resident(pid: int, kind: str) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    (line,) = [line for line in status.splitlines() if line.startswith(f"{kind}:")]
    return int(line.split()[1]) / 1024


if __name__ == "__main__":
    asyncio.run(main())
