"""How discord.py sends requests about interactions, and what to do if their outcome is lost."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext, suppress
from functools import partial
from json import JSONDecodeError
from typing import Any, Final, cast

import aiohttp
import discord
from discord.http import MultipartParameters, Route
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

LOOKED_AT: Final = 100
"""How many messages after an interaction are searched for its answer."""


LOST: Final = (discord.DiscordServerError, aiohttp.ClientError, OSError, JSONDecodeError)
"""Errors after which nobody knows whether Discord has carried out a request."""


ANSWERED: Final = 40060
"""Discord's error code for an interaction that already has its first answer."""


class _AcceptedError(aiohttp.ClientError):
    """Discord has accepted an answer although it reported a failure."""


class _PostedError(Exception):
    """Discord has posted this message although it reported a failure."""

    def __init__(self, message: discord.Message) -> None:
        super().__init__(message.id)
        self.message = message


Look = Callable[[], Awaitable[discord.Message | None]]


class _NotingSession:
    """Wraps discord.py's session and notes whether one of its requests failed with a 5xx status.

    Before discord.py repeats that request, `look` may find that it was carried out (_PostedError).
    """

    def __init__(self, session: aiohttp.ClientSession, look: Look | None = None) -> None:
        self._session = session
        self._look = look
        self.has_failed = False

    @asynccontextmanager
    async def request(
        self,
        *route: str,
        **how: Any,  # noqa: ANN401 - passed on
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        if self.has_failed and self._look is not None:
            posted = await self._look()
            if posted is not None:
                raise _PostedError(posted)
        async with self._session.request(*route, **how) as response:
            self.has_failed |= response.status >= 500
            yield response


class _Answering(AsyncWebhookAdapter):
    """Answers interactions; _AcceptedError if discord.py has repeated an answer that was accepted.

    discord.py repeats whatever Discord answers with 500 or above, even if that was carried out. If
    nothing was repeated, somebody else has answered, and the error is raised unchanged.
    """

    async def request(
        self,
        route: Route,
        session: aiohttp.ClientSession,
        **how: Any,  # noqa: ANN401 - passed on
    ) -> Any:  # noqa: ANN401 - as discord.py has it
        noting = _NotingSession(session)
        session = cast(aiohttp.ClientSession, noting)  # only its `request` is used
        try:
            return await super().request(route, session, **how)
        except discord.HTTPException as error:
            if noting.has_failed and error.code == ANSWERED:
                raise _AcceptedError from error
            raise


class _Brief(_Answering):
    """Answers interactions without asking for the resulting message, which nobody reads.

    discord.py always asks, and builds all components of that message.
    """

    async def create_interaction_response(  # type: ignore[override]  # a coroutine, as it is awaited
        self,
        interaction_id: int,
        token: str,
        *,
        params: MultipartParameters,
        **connection: Any,  # noqa: ANN401 - passed on
    ) -> dict[str, Any]:
        route = Route(
            "POST",
            "/interactions/{webhook_id}/{webhook_token}/callback",
            webhook_id=interaction_id,
            webhook_token=token,
        )
        with suppress(_AcceptedError):
            await self.request(route, payload=params.payload, **connection)
        return {"interaction": {"id": interaction_id}}


class _Posting(AsyncWebhookAdapter):
    """Posts a message; _PostedError instead of posting it a second time."""

    def __init__(self, look: Look) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # discord.py's
        self._look = look

    async def request(
        self,
        route: Route,
        session: aiohttp.ClientSession,
        **how: Any,  # noqa: ANN401 - passed on
    ) -> Any:  # noqa: ANN401 - as discord.py has it
        noting = _NotingSession(session, self._look)
        session = cast(aiohttp.ClientSession, noting)  # only its `request` is used
        return await super().request(route, session, **how)


ANSWERING: Final = _Answering()  # type: ignore[no-untyped-call]  # discord.py's
BRIEF: Final = _Brief()  # type: ignore[no-untyped-call]  # discord.py's


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
    """Send a public follow-up once, even if Discord says that it failed.

    A follow-up takes no nonce, so the channel is searched for it: a message there says to which
    interaction it belongs. That can't tell it from another answer, so `is_only` says that there is
    no other. Otherwise it may be posted twice, as it may where the bot can't read the history.
    """
    look = partial(_find_posted, interaction)
    try:
        with requested_by(_Posting(look)) if is_only else nullcontext():
            return await interaction.followup.send(wait=True, **message)
    except _PostedError as found:
        return found.message
    except LOST:
        message_there = await look() if is_only else None
        if message_there is None:
            raise
        return message_there


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
