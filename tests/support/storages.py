"""A storage without migrations and checks at its start, on a file or on the tests' server."""

from contextlib import asynccontextmanager

from bot.storage import Storage, engine, postgres
from bot.storage.writer import Writer
from tests.support.cluster import ServerDatabase


@asynccontextmanager
async def storage_of(database):
    """A storage on a file's path or a `ServerDatabase`, which must have its tables already."""
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
