"""What the tools of whoever runs the bot ask, at a port of its own."""

import contextlib

from bot.operations.health import HOST, HealthServer
from tests.support.ports import free_port


@contextlib.asynccontextmanager
async def health_of(bot, **options):
    """Where /health and /metrics of a bot can be asked."""
    port = free_port()
    async with HealthServer(bot, bot.services.storage, port, **options):
        yield f"http://{HOST}:{port}"
