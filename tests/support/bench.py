"""Interactions started without a bot, whose answers the test sends itself."""

from typing import Any

from sandbox import Message, Sandbox
from sandbox.guilds import Channel
from sandbox.interactions import Interaction, InteractionType
from tests.support.rest_client import Reply, Rest


class Bench:
    """Starts Ann's interactions in #games, and sends requests that answer them."""

    def __init__(self, sandbox: Sandbox, rest: Rest) -> None:
        self.sandbox = sandbox
        self.rest = rest
        self.ann = sandbox.person("Ann")
        self.games = sandbox.world.channel("games")

    def begin(
        self,
        kind: InteractionType = InteractionType.COMMAND,
        source: Message | None = None,
        *,
        channel: Channel | None = None,
        **data: Any,
    ) -> Interaction:
        base = {"id": "1", "name": "a", "type": 1, "options": []}
        where = channel or self.games
        return self.sandbox.interactions.start(kind, self.ann.user, where, base | data, source)

    async def answer(self, interaction: Interaction, body: Any, query: str = "") -> Reply:
        path = f"/interactions/{interaction.id}/{interaction.token}/callback"
        return await self.rest("POST", path, body, query=query)

    async def webhook(
        self, method: str, interaction: Interaction, rest: str = "", body: Any = None
    ) -> Reply:
        path = f"/webhooks/{self.sandbox.world.bot.id}/{interaction.token}{rest}"
        return await self.rest(method, path, body)
