"""A client of Discord's gateway that leaves everything to the test."""

import json

from aiohttp import WSMsgType

GUILDS = 1
"""The `GUILDS` intent, the only one that our bot has."""


class Wire:
    """A gateway connection that sends and receives single payloads."""

    def __init__(self, socket, unpack=None):
        self._socket = socket
        self._unpack = unpack or (lambda data: data)

    async def hear(self):
        message = await self._socket.receive(timeout=60)
        if message.type in (WSMsgType.CLOSE, WSMsgType.CLOSED):
            return {"closed": self._socket.close_code or message.data}
        return json.loads(self._unpack(message.data))

    async def hear_until(self, event):
        while (heard := await self.hear()).get("t") != event and "closed" not in heard:
            pass
        return heard

    async def say(self, op, data):
        await self._socket.send_str(json.dumps({"op": op, "d": data}))

    async def identify(self, sandbox, **changes):
        data = {"token": sandbox.token, "intents": GUILDS, "properties": {}, "shard": [0, 1]}
        await self.say(2, {**data, **changes})
