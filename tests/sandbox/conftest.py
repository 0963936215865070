import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from io import BytesIO
from json import dumps
from typing import Any

import aiohttp
import pytest
from PIL import Image

from sandbox import Sandbox
from tests.sandbox.bot import Bot


def png(width: int = 40, height: int = 20) -> bytes:
    drawn = BytesIO()
    Image.new("RGB", (width, height)).save(drawn, "PNG")
    return drawn.getvalue()


@dataclass(frozen=True)
class Reply:
    status: int
    body: Any
    headers: Any

    @property
    def code(self) -> int | None:
        return None if self.body is None else self.body.get("code")

    @property
    def problems(self) -> set[str]:
        """Where the form is wrong and why: "content BASE_TYPE_MAX_LENGTH"."""
        return set(_problems(self.body.get("errors", {}), ()))


def _problems(tree: Any, path: tuple[str, ...]) -> Any:
    for key, value in tree.items():
        if key == "_errors":
            yield from (" ".join([".".join(path), error["code"]]).strip() for error in value)
        else:
            yield from _problems(value, (*path, key))


class Rest:
    """A client with no kindness of its own: what is given is what is sent."""

    def __init__(self, sandbox: Sandbox, session: aiohttp.ClientSession) -> None:
        self.sandbox = sandbox
        self._session = session
        self.games = f"/channels/{sandbox.world.channel('games').id}"
        self.application = f"/applications/{sandbox.world.bot.id}"

    async def __call__(
        self,
        method: str,
        path: str,
        json: Any = None,
        *,
        files: dict[str, bytes] | None = None,
        token: str | None = None,
        query: str = "",
    ) -> Reply:
        headers = {"Authorization": f"Bot {token or self.sandbox.token}"}
        url = f"{self.sandbox.url}/api/v10{path}{query}"
        form: Any = None
        if files:
            form = aiohttp.FormData(quote_fields=False)
            form.add_field("payload_json", dumps(json), content_type="application/json")
            for index, (name, data) in enumerate(files.items()):
                form.add_field(f"files[{index}]", BytesIO(data), filename=name)
            json = None
        request = self._session.request(method, url, json=json, data=form, headers=headers)
        async with request as response:
            body = await response.json() if response.status != 204 else None
            return Reply(response.status, body, response.headers)


@pytest.fixture
async def refusing() -> AsyncIterator[Sandbox]:
    """A sandbox that is asked for what the document forbids."""
    async with Sandbox() as sandbox:
        yield sandbox


@pytest.fixture
async def rest(refusing: Sandbox) -> AsyncIterator[Rest]:
    async with aiohttp.ClientSession() as session:
        yield Rest(refusing, session)


@pytest.fixture
async def bot(discord: Sandbox) -> AsyncIterator[Bot]:
    """A real discord.py bot, connected."""
    async with running(discord) as started:
        yield started


class running:  # noqa: N801 - reads as a verb: `async with running(discord) as bot`
    """A bot at work for the length of a block; no slow machine makes it late for Discord."""

    def __init__(self, sandbox: Sandbox, *, token: str | None = None, **options: Any) -> None:
        self._sandbox = sandbox
        self._token = token or sandbox.token
        self.bot = Bot(**options)

    async def __aenter__(self) -> Bot:
        self._sandbox.clock.freeze()
        await self.bot.__aenter__()
        self._task = asyncio.create_task(self.bot.start(self._token))
        connected = asyncio.create_task(self._sandbox.ready())
        await asyncio.wait({self._task, connected}, return_when=asyncio.FIRST_COMPLETED)
        if self._task.done():
            connected.cancel()
            await self.bot.close()
            self._task.result()
        await connected
        return self.bot

    async def __aexit__(self, *error: object) -> None:
        await self.bot.__aexit__(*error)
        await self._task
