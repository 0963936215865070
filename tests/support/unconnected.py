"""The time in which clicks come from a server whose shard isn't connected to this process yet."""

from contextlib import contextmanager


@contextmanager
def unconnected(bot):
    """Let the bot know none of its servers meanwhile, nor whether it's in them."""
    servers, shards = dict(bot._connection._guilds), set(bot._with_known_servers)
    bot._connection._guilds.clear()
    bot._with_known_servers.clear()
    try:
        yield
    finally:
        bot._connection._guilds.update(servers)
        bot._with_known_servers.update(shards)
