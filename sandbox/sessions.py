"""The gateway session of a shard, and its current connection."""

import asyncio
import json
from collections import deque
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from aiohttp import web

from sandbox.compression import Stream
from sandbox.errors import Json

SESSION_LIFETIME: Final = timedelta(minutes=5)
"""How long a session without a connection can be resumed; Discord doesn't document it."""

REPLAYABLE_DISPATCHES: Final = 2000
"""The number of dispatches that are kept to replay them when a session resumes."""


class Connection:
    """One WebSocket. Payloads are queued and sent in order."""

    def __init__(
        self, socket: web.WebSocketResponse, request: web.Request, stream: Stream | None
    ) -> None:
        self._socket = socket
        self._request = request
        self._stream = stream
        self._outgoing: asyncio.Queue[Json | int | str | bytes] = asyncio.Queue()

    def send(self, payload: Json) -> None:
        self._outgoing.put_nowait(payload)

    def send_raw(self, frame: str | bytes) -> None:
        """Send a frame as it is, neither encoded nor compressed, valid or not."""
        self._outgoing.put_nowait(frame)

    def close(self, code: int) -> None:
        """Close the connection once all queued payloads are sent."""
        self._outgoing.put_nowait(code)

    def abort(self) -> None:
        """Abort the connection without a close frame."""
        if self._request.transport is not None:
            self._request.transport.abort()

    async def write(self) -> None:
        """Send queued payloads until the connection closes."""
        while True:
            item = await self._outgoing.get()
            try:
                if isinstance(item, int):
                    await self._socket.close(code=item)
                    return
                if isinstance(item, bytes):
                    await self._socket.send_bytes(item)
                    continue
                if isinstance(item, str):
                    await self._socket.send_str(item)
                    continue
                text = json.dumps(item, separators=(",", ":"))
                if self._stream is None:
                    await self._socket.send_str(text)
                else:
                    await self._socket.send_bytes(self._stream.pack(text.encode()))
            except ConnectionError:
                return


@dataclass(slots=True, eq=False, kw_only=True)
class Session:
    """A shard's session with its numbered dispatches; it outlives a lost connection for a while."""

    id: str
    shard: int
    count: int
    intents: int
    connection: Connection | None = None
    lost_at: datetime | None = None
    """When it lost its connection; None while it has one."""

    sequence: int = 0
    sent: deque[Json] = field(default_factory=lambda: deque(maxlen=REPLAYABLE_DISPATCHES))

    def has(self, guild: int | None) -> bool:
        """Whether the shard receives the dispatches of a server; None means direct messages."""
        return self.shard == (0 if guild is None else (guild >> 22) % self.count)

    def is_over(self, now: datetime) -> bool:
        """Whether it has been without a connection for too long to be resumed."""
        return self.lost_at is not None and now - self.lost_at >= SESSION_LIFETIME

    def dispatch(self, event: str, data: Json) -> None:
        self.sequence += 1
        payload = {"op": 0, "t": event, "s": self.sequence, "d": data}
        self.sent.append(payload)
        if self.connection is not None:
            self.connection.send(payload)

    def replay(self, after: int) -> None:
        """Send the dispatches after a sequence number again."""
        assert self.connection is not None
        for payload in self.sent:
            if payload["s"] > after:
                self.connection.send(payload)
