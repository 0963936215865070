"""The bot's health server on its own port."""

import contextlib

from bot.operations.health import HOST, HealthServer
from tests.support.ports import free_port


@contextlib.asynccontextmanager
async def health_of(bot, **options):
    """Serve /health and /metrics of a bot; their base URL."""
    port = free_port()
    async with HealthServer(bot, bot.services.storage, port, **options):
        yield f"http://{HOST}:{port}"
