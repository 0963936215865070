"""A way to a PostgreSQL server that can fall silent, as a machine does that has lost its power."""

import asyncio
from contextlib import asynccontextmanager, suppress


class ServerProxy:
    """Passes on what is sent, both ways, until it is silent: then it answers nobody any more.

    It takes connections by TCP, where the server has a socket in a folder.
    """

    def __init__(self, folder):
        self.port = None
        self._target = folder / ".s.PGSQL.5432"
        self._ends = []
        self._ways = set()
        self._passes_on = asyncio.Event()
        self._passes_on.set()

    @asynccontextmanager
    async def open(self):
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()
            self._passes_on.set()
            for end in self._ends:
                end.transport.abort()
            await asyncio.gather(*self._ways)

    def fall_silent(self):
        """Take whatever comes, new connections too, and pass nothing on."""
        self._passes_on.clear()

    async def _accept(self, reader, writer):
        self._ways.add(asyncio.current_task())
        there, back = await asyncio.open_unix_connection(self._target)
        self._ends += (writer, back)
        await asyncio.gather(self._pass_on(reader, back), self._pass_on(there, writer))

    async def _pass_on(self, reader, writer):
        with suppress(ConnectionError):
            while sent := await reader.read(65536):
                await self._passes_on.wait()
                writer.write(sent)
        writer.close()
