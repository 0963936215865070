"""A client of Discord's REST API that sends exactly what a test gives it."""

import asyncio
from dataclasses import dataclass
from io import BytesIO
from json import dumps
from typing import Any

import aiohttp
from PIL import Image

from sandbox import Sandbox


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
        return self.body.get("code") if isinstance(self.body, dict) else None

    @property
    def problems(self) -> set[str]:
        """Where the form is wrong and why, for example "content BASE_TYPE_MAX_LENGTH"."""
        return set(_problems(self.body.get("errors", {}), ()))


def _problems(tree: Any, path: tuple[str, ...]) -> Any:
    for key, value in tree.items():
        if key == "_errors":
            yield from (" ".join([".".join(path), error["code"]]).strip() for error in value)
        else:
            yield from _problems(value, (*path, key))


class Rest:
    """A client of the sandbox that changes nothing in what it sends.

    When a bucket is empty, it waits as long as the headers say, unless it `hurries`.
    """

    def __init__(
        self, sandbox: Sandbox, session: aiohttp.ClientSession, *, hurries: bool = False
    ) -> None:
        self.sandbox = sandbox
        self.hurries = hurries
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
            is_json = response.content_type == "application/json"
            body = await response.json() if is_json else await response.text() or None
            if response.headers.get("X-RateLimit-Remaining") == "0" and not self.hurries:
                await asyncio.sleep(float(response.headers["X-RateLimit-Reset-After"]))
            return Reply(response.status, body, response.headers)


def gallery(url: str) -> dict[str, Any]:
    return {"type": 12, "items": [{"media": {"url": url}}]}


async def send_picture(rest: Rest) -> Reply:
    """Send a message of components (v2) with one picture."""
    body = {
        "flags": 1 << 15,
        "components": [{"type": 10, "content": "Snapshot"}, gallery("attachment://board.png")],
        "attachments": [{"id": 0, "filename": "board.png", "description": "A board"}],
    }
    return await rest("POST", f"{rest.games}/messages", body, files={"board.png": png()})
