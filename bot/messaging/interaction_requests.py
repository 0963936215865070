"""How the library makes its requests about interactions, and what is not known after them."""

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
"""So many messages since a command are looked through for what it was answered with."""


LOST: Final = (discord.DiscordServerError, aiohttp.ClientError, OSError, JSONDecodeError)
"""After these errors nobody knows whether Discord has carried a request out."""


ANSWERED: Final = 40060
"""What Discord says of an interaction that has its first answer already."""


class _TakenError(aiohttp.ClientError):
    """An answer that Discord has taken, though it had called that failed."""


class _FoundError(Exception):
    """A message that Discord has posted, though it had called that failed."""

    def __init__(self, message: discord.Message) -> None:
        super().__init__(message.id)
        self.message = message


Look = Callable[[], Awaitable[discord.Message | None]]


class _Noting:
    """The library's session; notes whether a request of it has seemed to fail at Discord.

    Before that is repeated, `look` may find that it was carried out.
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
            found = await self._look()
            if found is not None:
                raise _FoundError(found)
        async with self._session.request(*route, **how) as response:
            self.has_failed |= response.status >= 500
            yield response


class _Answering(AsyncWebhookAdapter):
    """Answers interactions, with a _TakenError where the library has repeated one in vain.

    It repeats by itself what Discord answers with 500 or above, also if that was carried out. Where
    nothing was repeated, somebody else has answered, and that is told as it is.
    """

    async def request(
        self,
        route: Route,
        session: aiohttp.ClientSession,
        **how: Any,  # noqa: ANN401 - passed on
    ) -> Any:  # noqa: ANN401 - as the library has it
        noting = _Noting(session)
        session = cast(aiohttp.ClientSession, noting)  # it is asked for `request` only
        try:
            return await super().request(route, session, **how)
        except discord.HTTPException as error:
            if noting.has_failed and error.code == ANSWERED:
                raise _TakenError from error
            raise


class _Brief(_Answering):
    """Answers interactions without asking for the message as it then stands: nobody reads it.

    The library always asks, and builds all components of that message anew.
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
        with suppress(_TakenError):
            await self.request(route, payload=params.payload, **connection)
        return {"interaction": {"id": interaction_id}}


class _Posting(AsyncWebhookAdapter):
    """Posts a message, with a _FoundError where the library would do it a second time."""

    def __init__(self, look: Look) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # the library's
        self._look = look

    async def request(
        self,
        route: Route,
        session: aiohttp.ClientSession,
        **how: Any,  # noqa: ANN401 - passed on
    ) -> Any:  # noqa: ANN401 - as the library has it
        noting = _Noting(session, self._look)
        session = cast(aiohttp.ClientSession, noting)  # it is asked for `request` only
        return await super().request(route, session, **how)


ANSWERING: Final = _Answering()  # type: ignore[no-untyped-call]  # the library's
BRIEF: Final = _Brief()  # type: ignore[no-untyped-call]  # the library's


@contextmanager
def requested_by(adapter: AsyncWebhookAdapter) -> Iterator[None]:
    """Let the library make its requests about interactions by this one."""
    before = async_context.set(adapter)
    try:
        yield
    finally:
        async_context.reset(before)


async def follow_up(
    interaction: discord.Interaction[Any],
    *,
    is_only: bool,
    **message: Any,  # noqa: ANN401 - as the library has it
) -> discord.Message:
    """Send a follow-up that everybody sees, once, also if Discord says that it failed.

    A follow-up takes no nonce, so the channel is looked at for it: there it says to which
    interaction it belongs. That tells it from no other answer, so `is_only` says that there is no
    other; else it may be posted twice, as it is where the bot may not read what was written.
    """
    look = partial(_posted, interaction)
    try:
        with requested_by(_Posting(look)) if is_only else nullcontext():
            return await interaction.followup.send(wait=True, **message)
    except _FoundError as found:
        return found.message
    except LOST:
        message_there = await look() if is_only else None
        if message_there is None:
            raise
        return message_there


async def _posted(interaction: discord.Interaction[Any]) -> discord.Message | None:
    """The message in its channel that answers this interaction; None where none is found."""
    if interaction.channel_id is None:
        return None
    channel = interaction.client.get_partial_messageable(interaction.channel_id)
    with suppress(discord.HTTPException, *LOST):
        async for message in channel.history(limit=LOOKED_AT, after=interaction, oldest_first=True):
            answers = message.interaction_metadata
            if answers is not None and answers.id == interaction.id and not message.flags.loading:
                found: discord.Message = message
                return found
    return None
