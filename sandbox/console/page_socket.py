"""One open page: sends its two panes and its panel what has changed."""

import asyncio
import json
import logging
import re
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from aiohttp import WSMsgType, web

from sandbox.console.feed import Feed
from sandbox.errors import Json

if TYPE_CHECKING:
    from sandbox.console.server import Console
    from sandbox.supervisor import Supervisor

log = logging.getLogger(__name__)
SIDES: Final = ("left", "right")
ANSI_ESCAPES: Final = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
"""Escape sequences for colors in a terminal."""


class PageSocket:
    """The page's WebSocket. One task sends all updates; requests run in their own tasks."""

    def __init__(self, console: "Console", stream: web.WebSocketResponse) -> None:
        self._console = console
        self._stream = stream
        self._feeds: dict[str, Feed] = {}
        self._woken = asyncio.Event()
        self._world_is_due = True
        self._panel: Json = {}
        self._lines_sent: Counter[int] = Counter()
        self._replies: list[Json] = []
        self._tasks: set[asyncio.Task[None]] = set()

    def wake(self) -> None:
        self._woken.set()

    def resend_world(self) -> None:
        self._world_is_due = True
        self.wake()

    async def close(self) -> None:
        await self._stream.close()

    async def serve(self) -> None:
        """Serve the page until it's closed."""
        reader = asyncio.create_task(self._read(), name="console")
        writer = asyncio.create_task(self._write(), name="console")
        try:
            # If either ends, the socket closes and the page reconnects; without updates it would
            # look up to date.
            await asyncio.wait({reader, writer}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            everything = (reader, writer, *self._tasks)
            for task in everything:
                task.cancel()
            ends = await asyncio.gather(*everything, return_exceptions=True)
            for end in ends:
                if isinstance(end, Exception) and not isinstance(end, ConnectionError):
                    log.error("A page was closed", exc_info=end)

    async def _read(self) -> None:
        async for message in self._stream:
            if message.type is WSMsgType.TEXT:
                self._receive(json.loads(message.data))

    def _receive(self, ask: Json) -> None:
        if ask.get("kind") == "watch":
            self._watch(ask)
            return
        task = asyncio.create_task(self._answer(ask), name="console")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _watch(self, ask: Json) -> None:
        side = ask.get("pane")
        if side not in SIDES:
            return
        members = self._console.members()
        member = ask.get("member")
        chosen = member if member in members else members[SIDES.index(side) % len(members)]
        client = self._console.sandbox.person(int(chosen))
        feed = self._feeds.get(side)
        if feed is None or feed.client is not client:
            feed = self._feeds[side] = Feed(side=side, views=self._console.views, client=client)
        feed.wanted = ask.get("channel")
        self.wake()

    async def _answer(self, ask: Json) -> None:
        """Carry out a request and queue its reply, which is sent after the updates it causes."""
        try:
            reply = await self._carry_out(ask)
        except (LookupError, ValueError) as error:
            reply = {"error": f"The sandbox can't do this: {error}"}
        self._replies.append({"kind": "reply", "to": ask.get("number"), "reply": reply})
        self.wake()

    async def _carry_out(self, ask: Json) -> Json:
        if ask.get("kind") == "panel":
            return await self._console.control(ask)
        if ask.get("kind") != "act" or ask.get("member") not in self._console.members():
            return {"error": "The sandbox does not know what the page asks for."}
        client = self._console.sandbox.person(int(ask["member"]))
        if ask.get("verb") == "dismiss":
            self._console.dismiss(client.id, int(ask["message"]))
            return {}
        return await self._console.actions.do(client, ask)

    async def _write(self) -> None:
        while True:
            self._woken.clear()
            replies, self._replies = self._replies, []
            for message in [*self._updates(), *replies]:
                await self._stream.send_str(json.dumps(message, separators=(",", ":")))
            await self._woken.wait()

    def _updates(self) -> list[Json]:
        """All changes since the last call, as messages to the page; marks the panes as read."""
        updates: list[Json | None] = []
        if self._world_is_due:
            self._world_is_due = False
            updates.append(self._console.views.world())
        feeds = list(self._feeds.values())
        updates += [feed.update() for feed in feeds]
        for feed in feeds:
            feed.read()
        updates.append(self._panel_update())
        return [message for message in updates if message]

    def _panel_update(self) -> Json | None:
        console = self._console
        now: Json = {
            "bot": console.state_of_bot(),
            "faults": console.fault_panel.state(),
            "requests": console.fault_panel.requests(),
        }
        update = {key: value for key, value in now.items() if self._panel.get(key) != value}
        self._panel = now
        if lines := self._lines():
            update["lines"] = lines
        return {"kind": "panel", **update} if update else None

    def _lines(self) -> dict[str, Any] | None:
        """The bot's output since the last call, with process numbers if there are several.

        `fresh` says that the page has no lines yet; None if there is nothing new.
        """
        fresh = not self._lines_sent
        several = len(self._console.bots) > 1
        lines = [
            f"{number} | {line}" if several else line
            for number, bot in enumerate(self._console.bots, start=1)
            for line in self._new_lines(number, bot)
        ]
        return {"fresh": fresh, "list": lines} if lines else None

    def _new_lines(self, number: int, bot: "Supervisor") -> list[str]:
        new = min(bot.lines_ever - self._lines_sent[number], len(bot.lines))
        if not new:
            return []
        self._lines_sent[number] = bot.lines_ever
        return [ANSI_ESCAPES.sub("", line) for line in list(bot.lines)[-new:]]
