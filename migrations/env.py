"""Runs the revisions on the connection that `bot/storage/startup.py` has opened and locked."""

from alembic import context

from bot.storage.schema import metadata

# Importing anything of `bot.storage` has brought in all its modules, and with them every table.
connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=metadata,
    render_as_batch=True,  # SQLite changes a table by making it anew
    transactional_ddl=False,  # the caller's transaction is around all of it
)
context.run_migrations()
