"""A storage without the upkeep that comes before, on a file or on the server of the tests."""

from contextlib import asynccontextmanager

from bot.storage import Storage, engine, postgres
from bot.storage.writer import Writer
from tests.support.cluster import ServerDatabase


@asynccontextmanager
async def storage_of(database):
    """The storage of the path of a file, or of a `ServerDatabase`, whose tables are there."""
    if isinstance(database, ServerDatabase):
        writer = Writer(postgres.writers(database.address), postgres.CONNECTIONS["write"])
        readers = postgres.readers(database.address)
    else:
        writer, readers = Writer(engine.writer(database)), engine.readers(database)
    storage = Storage(writer, readers)
    try:
        yield storage
    finally:
        await storage.close()
