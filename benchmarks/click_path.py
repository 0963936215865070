"""How far a click goes: modules and functions of ours from the event to the answer.

Counted are named functions below bot/, cogs/ and games/ that run because of the click, from the
gateway's event until the first answer is on its way to Discord. The context tells what runs because
of it: the event sets a variable, which each task inherits that is begun in that context. So does a
batch of choices that the click waits for: one click is under way at a time, so it begins the batch.
Left out is what runs beside it by the clock (deadlines, notices, posts), and what the database's
thread does for a statement. In brackets is what is counted with all that runs beside meanwhile.

It tells how many of them are in which package; with -v, which they are.

One choice of a move that is not the last of its step, the last one, and one `/pico play`.
"""

import asyncio
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from discord.webhook.async_ import AsyncWebhookAdapter
from pydantic import SecretStr

from bot.client import Facedown
from bot.config import Settings
from bot.messaging import discord_address
from bot.messaging.picture_cache import PictureCache
from bot.messaging.process_pool import ProcessPool
from bot.services import Pacing, Processes
from bot.storage import Storage
from sandbox import Client, Sandbox

ROOT = Path(__file__).resolve().parents[1]
OURS = tuple(f"{ROOT / folder}/" for folder in ("bot", "cogs", "games"))


CHANGED = 7
"""The kind of an answer that changes the message that was clicked."""

Codes = dict[CodeType, None]


class ClickPath:
    """The code that ran between the event and the answer."""

    def __init__(self) -> None:
        self.caused: Codes = {}
        """Because of the click."""

        self.ran: Codes = {}
        """That, and what ran beside it."""

        self.open = False

    def note(self, frame: FrameType, event: str, arg: object) -> None:
        del arg
        code = frame.f_code
        named = not code.co_name.startswith("<")
        if event == "call" and self.open and named and code.co_filename.startswith(OURS):
            self.ran[code] = None
            if CLICK.get() is self:
                self.caused[code] = None


CLICK: ContextVar[ClickPath | None] = ContextVar("click", default=None)
"""Because of which click it is that something runs."""


def modules(codes: Codes) -> list[str]:
    return sorted({code.co_filename.removeprefix(f"{ROOT}/") for code in codes})


def package(code: CodeType) -> str:
    """Where a function is at home: `bot/live`, `cogs`."""
    top, *inner = code.co_filename.removeprefix(f"{ROOT}/").split("/")
    return f"{top}/{inner[0]}" if top == "bot" and len(inner) > 1 else top


@contextmanager
def traced(bot: Facedown) -> Iterator[ClickPath]:
    path = ClickPath()
    parsers = bot._connection.parsers  # noqa: SLF001 - where the gateway's events go
    arrived = parsers["INTERACTION_CREATE"]
    request: Callable[..., Awaitable[object]] = AsyncWebhookAdapter.request

    def arrive(payload: Any) -> None:  # noqa: ANN401 - of Discord
        path.open = True
        before = CLICK.set(path)
        arrived(payload)  # begins the tasks that handle it
        CLICK.reset(before)

    def answer(*args: object, **named: object) -> Awaitable[object]:
        path.open = False
        return request(*args, **named)

    parsers["INTERACTION_CREATE"] = arrive
    AsyncWebhookAdapter.request = answer  # type: ignore[assignment,method-assign]
    sys.setprofile(path.note)
    try:
        yield path
    finally:
        sys.setprofile(None)
        parsers["INTERACTION_CREATE"] = arrived
        AsyncWebhookAdapter.request = request  # type: ignore[assignment,method-assign]


def report(what: str, path: ClickPath) -> None:
    print(
        f"{what}: {len(modules(path.caused))} modules, {len(path.caused)} functions "
        f"({len(modules(path.ran))}, {len(path.ran)} with what ran beside)"
    )
    by_package = Counter(package(code) for code in path.caused)
    print("  " + ", ".join(f"{name} {count}" for name, count in by_package.most_common()))
    if "-v" in sys.argv:
        for module in modules(path.caused):
            names = [c.co_qualname for c in path.caused if c.co_filename == f"{ROOT}/{module}"]
            print(f"  {module}: {', '.join(names)}")


async def until_quiet(world: Sandbox) -> None:
    """Until nothing is left to be shown: a picture that follows late has its own way."""
    seen = -1
    while seen != len(world.requests):
        seen = len(world.requests)
        await asyncio.sleep(4.0)


def cards(person: Client) -> list[Any]:
    """The buttons by which somebody chooses a card, in their newest hand, once it has its picture.

    In words it is answered later, with the picture.
    """
    hands = [m for m in person.direct_messages if m.images]
    return [b for b in hands[-1].buttons if ":pick:" in (b.custom_id or "")] if hands else []


async def main() -> None:
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        world = await stack.enter_async_context(Sandbox())
        world.clock.freeze()
        world.faults.rate_limits = False  # the way of a click is measured, and not the waiting
        discord_address.use_address(world.url)
        storage = await stack.enter_async_context(Storage.open(Path(folder) / "db.sqlite3"))
        workers = await stack.enter_async_context(ProcessPool(1))
        await workers.run(os.getpid)  # no picture waits for its start, which would leave it out
        settings = Settings(discord_token=SecretStr(world.token), _env_file=None)
        processes = Processes(pictures=PictureCache(workers))
        pacing = Pacing(between_openings=0.0, defer=60.0)  # the answer's own way, however slow
        bot = await stack.enter_async_context(Facedown(settings, storage, processes, pacing=pacing))
        running = asyncio.create_task(bot.start(world.token))
        stack.push_async_callback(bot.close)
        await world.ready()
        ann, bo = world.person("Ann"), world.person("Bo")
        await asyncio.sleep(2.0)  # what a start begins beside is done by then
        with traced(bot) as path:
            answer = await ann.slash("pico play", channel="games", opponent=bo, hand="desk")
        report("/pico play", path)
        assert answer.message is not None
        await bo.click(answer.message, "Accept")
        await world.until(lambda: bool(cards(ann)) and bool(cards(bo)))
        await until_quiet(world)
        letter = ann.direct_messages[-1]
        with traced(bot) as path:
            answer = await ann.click(letter, cards(ann)[0].custom_id)
        assert answer.kind == CHANGED, "answered by the hand as it shows the choice"
        report("a choice that is not the last", path)
        await until_quiet(world)
        letter = bo.direct_messages[-1]
        with traced(bot) as path:
            await bo.click(letter, cards(bo)[0].custom_id)
        report("the last choice", path)
        running.cancel()


if __name__ == "__main__":
    asyncio.run(main())
