"""How far a click goes: modules and functions of ours from the event to the answer.

Counted are named functions below bot/, cogs/ and games/ that run, from discord.py's event until the
first answer is on its way to Discord; also what runs beside meanwhile. One choice of a move that is
not the last of its step, and one `/pico play`.
"""

import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import discord
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


class ClickPath:
    """The code that ran between the event and the answer."""

    def __init__(self) -> None:
        self.codes: dict[CodeType, None] = {}
        self.open = False

    def note(self, frame: FrameType, event: str, arg: object) -> None:
        del arg
        code = frame.f_code
        named = not code.co_name.startswith("<")
        if event == "call" and self.open and named and code.co_filename.startswith(OURS):
            self.codes[code] = None

    @property
    def modules(self) -> list[str]:
        return sorted({code.co_filename.removeprefix(f"{ROOT}/") for code in self.codes})


@contextmanager
def traced() -> Iterator[ClickPath]:
    path = ClickPath()
    arrived: Callable[..., Any] = Facedown.on_interaction
    answer: Callable[..., Awaitable[object]] = AsyncWebhookAdapter.create_interaction_response

    async def on_interaction(bot: Facedown, interaction: discord.Interaction[Facedown]) -> None:
        path.open = True
        await arrived(bot, interaction)

    def create(*args: object, **named: object) -> Awaitable[object]:
        path.open = False
        return answer(*args, **named)

    Facedown.on_interaction = on_interaction  # type: ignore[method-assign]
    AsyncWebhookAdapter.create_interaction_response = create  # type: ignore[method-assign]
    sys.setprofile(path.note)
    try:
        yield path
    finally:
        sys.setprofile(None)
        Facedown.on_interaction = arrived  # type: ignore[method-assign]
        AsyncWebhookAdapter.create_interaction_response = answer  # type: ignore[method-assign]


def report(what: str, path: ClickPath) -> None:
    print(f"{what}: {len(path.modules)} modules, {len(path.codes)} functions")
    if "-v" in sys.argv:
        for module in path.modules:
            names = [c.co_qualname for c in path.codes if c.co_filename == f"{ROOT}/{module}"]
            print(f"  {module}: {', '.join(names)}")


def cards(person: Client) -> list[Any]:
    """The buttons by which somebody chooses a card, in their newest hand."""
    hands = [m for m in person.direct_messages if any(b.custom_id for b in m.buttons)]
    return [b for b in hands[-1].buttons if ":pick:" in (b.custom_id or "")] if hands else []


async def main() -> None:
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        world = await stack.enter_async_context(Sandbox())
        world.clock.freeze()
        world.faults.rate_limits = False  # the way of a click is measured, and not the waiting
        discord_address.point(world.url)
        storage = await stack.enter_async_context(Storage.open(Path(folder) / "db.sqlite3"))
        workers = await stack.enter_async_context(ProcessPool(1))
        settings = Settings(discord_token=SecretStr(world.token), _env_file=None)
        processes = Processes(pictures=PictureCache(workers))
        pacing = Pacing(between_openings=0.0, defer=60.0)  # the answer's own way, however slow
        bot = await stack.enter_async_context(Facedown(settings, storage, processes, pacing=pacing))
        running = asyncio.create_task(bot.start(world.token))
        stack.push_async_callback(bot.close)
        await world.ready()
        ann, bo = world.person("Ann"), world.person("Bo")
        await asyncio.sleep(2.0)  # what a start begins beside is done by then
        with traced() as path:
            answer = await ann.slash("pico play", channel="games", opponent=bo, hand="desk")
        report("/pico play", path)
        await bo.click(answer.message, "Accept")
        await world.until(lambda: bool(cards(ann)) and bool(cards(bo)))
        await asyncio.sleep(4.0)  # nothing is left to be shown
        letter = ann.direct_messages[-1]
        with traced() as path:
            await ann.click(letter, cards(ann)[0].custom_id)
        report("a choice that is not the last", path)
        letter = bo.direct_messages[-1]
        with traced() as path:
            await bo.click(letter, cards(bo)[0].custom_id)
        report("the last choice", path)
        running.cancel()


if __name__ == "__main__":
    asyncio.run(main())
