"""How discord.py sends requests about interactions, and what to do if their outcome is lost."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from json import JSONDecodeError
from types import SimpleNamespace
from typing import Any, Final

import aiohttp
import discord
from discord.http import Route
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

LOOKED_AT: Final = 100
"""How many messages after an interaction are searched for its answer."""


LOST: Final = (discord.DiscordServerError, aiohttp.ClientError, OSError, JSONDecodeError)
"""Errors after which nobody knows whether Discord has carried out a request."""


ANSWERED: Final = 40060
"""Discord's error code for an interaction that already has its first answer."""


class _PostedError(Exception):
    """Discord has posted this message although it reported a failure."""

    def __init__(self, message: discord.Message) -> None:
        super().__init__(message.id)
        self.message = message


Look = Callable[[], Awaitable[discord.Message | None]]


class _Once(AsyncWebhookAdapter):
    """Makes requests about interactions, none of which is carried out twice.

    discord.py repeats whatever Discord answers with 500 or above, even if that was carried out. An
    interaction can't be answered twice: if a repeated answer is refused for that, it counts as
    lost. If nothing was repeated, somebody else has answered, and the error is raised unchanged.
    Before any other request is repeated, `look` may find that it was carried out (_PostedError).

    `is_brief` doesn't ask for the resulting message, which nobody reads: discord.py always asks,
    and builds all components of that message. So a brief answer is never lost in this way.
    """

    def __init__(self, *, is_brief: bool = False, look: Look | None = None) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # discord.py's
        self._is_brief = is_brief
        self._look = look

    async def request(
        self,
        route: Route,
        session: aiohttp.ClientSession,
        **how: Any,  # noqa: ANN401 - passed on
    ) -> Any:  # noqa: ANN401 - as discord.py has it
        failed: list[int] = []
        # discord.py uses nothing else of a session.
        noting: Any = SimpleNamespace(request=partial(self._attempt, session, failed))
        if self._is_brief:
            how["params"] = None
        try:
            answer = await super().request(route, noting, **how)
        except discord.HTTPException as error:
            if not failed or error.code != ANSWERED:
                raise
            if not self._is_brief:
                raise aiohttp.ClientError("an answer accepted after all") from error
        return {"interaction": {"id": route.webhook_id}} if self._is_brief else answer

    @asynccontextmanager
    async def _attempt(
        self,
        session: aiohttp.ClientSession,
        failed: list[int],
        *to: str,
        **how: Any,  # noqa: ANN401 - passed on
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        """Make one attempt; `failed` has the statuses of earlier ones that may have succeeded."""
        if failed and self._look is not None:
            posted = await self._look()
            if posted is not None:
                raise _PostedError(posted)
        async with session.request(*to, **how) as response:
            if response.status >= 500:
                failed.append(response.status)
            yield response


ANSWERING: Final = _Once()
BRIEF: Final = _Once(is_brief=True)


@contextmanager
def requested_by(adapter: AsyncWebhookAdapter) -> Iterator[None]:
    """Within this, discord.py makes its requests about interactions with this adapter."""
    before = async_context.set(adapter)
    try:
        yield
    finally:
        async_context.reset(before)


async def follow_up(
    interaction: discord.Interaction[Any],
    *,
    is_only: bool,
    **message: Any,  # noqa: ANN401 - as discord.py has it
) -> discord.Message:
    """Send a follow-up, and only once even if Discord says that it failed.

    A follow-up takes no nonce, so the channel is searched for it: a message there says to which
    interaction it belongs. That finds no private message, and can't tell one answer from another,
    so `is_only` says that it's public and there is no other. Otherwise it may be posted twice, as
    it may where the bot can't read the history.
    """
    if not is_only:
        return await interaction.followup.send(wait=True, **message)
    look = partial(_find_posted, interaction)
    try:
        with requested_by(_Once(look=look)):
            return await interaction.followup.send(wait=True, **message)
    except _PostedError as found:
        return found.message
    except LOST:
        posted = await look()
        if posted is None:
            raise
        return posted


async def _find_posted(interaction: discord.Interaction[Any]) -> discord.Message | None:
    """The message in the channel that answers this interaction; None if none is found."""
    if interaction.channel_id is None:
        return None
    channel = interaction.client.get_partial_messageable(interaction.channel_id)
    with suppress(discord.HTTPException, *LOST):
        async for message in channel.history(limit=LOOKED_AT, after=interaction, oldest_first=True):
            answers = message.interaction_metadata
            if answers is not None and answers.id == interaction.id and not message.flags.loading:
                answer: discord.Message = message
                return answer
    return None
