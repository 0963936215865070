"""The length of a click's path: how many of our modules and functions run until its answer.

It counts the named functions in bot/, cogs/ and games/ that run because of the click, from the
gateway's event until the first answer is sent to Discord. A context variable tells them apart: the
event sets it, and tasks that are started in its context inherit it. So does the batch of choices
that the click waits for, as only one click is handled at a time and so starts its batch. Scheduled
work (deadlines, notices, posts) and the database's thread aren't counted. The numbers in
parentheses include everything else that runs in the meantime.

Measured are one `/pico play`, a choice that isn't the last of its step, and the last one. It prints
the number of functions in each package; with -v, their names too.
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
"""The `Answer.kind` of an answer that edits the message that was clicked."""

Codes = dict[CodeType, None]


class ClickPath:
    """The functions that ran between the event and the answer."""

    def __init__(self) -> None:
        self.caused: Codes = {}
        """Those that ran because of the click."""

        self.ran: Codes = {}
        """All of them, including those that ran for other reasons."""

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
"""The click that the current code runs for."""


def modules(codes: Codes) -> list[str]:
    return sorted({code.co_filename.removeprefix(f"{ROOT}/") for code in codes})


def package(code: CodeType) -> str:
    """The package of a function, such as `bot/live` or `cogs`."""
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
        arrived(payload)  # starts the tasks that handle it
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
        f"({len(modules(path.ran))} and {len(path.ran)} with everything else that ran)"
    )
    by_package = Counter(package(code) for code in path.caused)
    print("  " + ", ".join(f"{name} {count}" for name, count in by_package.most_common()))
    if "-v" in sys.argv:
        for module in modules(path.caused):
            names = [c.co_qualname for c in path.caused if c.co_filename == f"{ROOT}/{module}"]
            print(f"  {module}: {', '.join(names)}")


async def until_quiet(world: Sandbox) -> None:
    """Wait until nothing is left to be shown, not even pictures, which are sent later."""
    seen = -1
    while seen != len(world.requests):
        seen = len(world.requests)
        await asyncio.sleep(4.0)


def cards(person: Client) -> list[Any]:
    """The buttons for choosing a card in a person's latest hand; empty until it has its picture.

    Without its picture, the hand would be answered later, together with it.
    """
    hands = [m for m in person.direct_messages if m.images]
    return [b for b in hands[-1].buttons if ":pick:" in (b.custom_id or "")] if hands else []


async def main() -> None:
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        world = await stack.enter_async_context(Sandbox())
        world.clock.freeze()
        world.faults.rate_limits = False  # waiting isn't part of the path
        discord_address.use_address(world.url)
        storage = await stack.enter_async_context(Storage.open(Path(folder) / "db.sqlite3"))
        workers = await stack.enter_async_context(ProcessPool(1))
        await workers.run(os.getpid)  # starts the worker, so that no picture is late and left out
        settings = Settings(discord_token=SecretStr(world.token), _env_file=None)
        processes = Processes(pictures=PictureCache(workers))
        pacing = Pacing(between_openings=0.0, defer=60.0)  # never deferred, however slow
        bot = await stack.enter_async_context(Facedown(settings, storage, processes, pacing=pacing))
        running = asyncio.create_task(bot.start(world.token))
        stack.push_async_callback(bot.close)
        await world.ready()
        ann, bo = world.person("Ann"), world.person("Bo")
        await asyncio.sleep(2.0)  # until the background work of the start is done
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
        assert answer.kind == CHANGED, "the answer should be the hand with the choice"
        report("a choice that isn't the last", path)
        await until_quiet(world)
        letter = bo.direct_messages[-1]
        with traced(bot) as path:
            await bo.click(letter, cards(bo)[0].custom_id)
        report("the last choice", path)
        running.cancel()


if __name__ == "__main__":
    asyncio.run(main())
