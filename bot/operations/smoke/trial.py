"""A run of the smoke test: where it takes place, what it has made, and deleting that again."""

import asyncio
import secrets
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, Final

import aiohttp
import discord
from discord.http import MultipartParameters

from bot.config import Settings
from bot.messaging.components import Row
from bot.messaging.content import Layout, MessageContent
from bot.messaging.delivery import MAX_NONCE_LENGTH
from bot.operations.smoke.requests import Answer, Json, Requests

MARK: Final = "Facedown smoke test"
"""The beginning of every message that a run posts, so that those of a killed run can be found."""

COMPONENTS_V2: Final = 1 << 15
UNKNOWN: Final = frozenset({10003, 10008})
"""Error codes for channels and messages that don't exist."""


def content(topic: str, *rows: Row) -> MessageContent:
    """A message of a run, without a picture."""
    return MessageContent(head=f"-# {MARK}: {topic}", rows=rows)


def components(content: MessageContent, media: str | None = None) -> list[Json]:
    """The components of a message as the bot sends them."""
    return Layout(content, media).to_components()


def payload(content: MessageContent, **fields: Any) -> Json:  # noqa: ANN401 - JSON
    """The body of a request that sends this content, without a picture, and pings nobody."""
    body = {"components": components(content), "flags": COMPONENTS_V2}
    return {**body, "allowed_mentions": {"parse": []}, **fields}


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """The channel of a run, its server, and the member who clicks, if there is one."""

    channel: int
    guild: int
    member: int | None


class Trial:
    """What the checks of one run share: earlier ones leave here what later ones need."""

    def __init__(
        self,
        client: discord.Client,
        requests: Requests,
        settings: Settings,
        where: Where,
        patience: float,
    ) -> None:
        self.client = client
        self.http = client.http
        self.requests = requests
        self.ask = requests.ask
        self.settings = settings
        self.channel = where.channel
        self.guild = where.guild
        self.member = where.member
        self.patience = patience
        """Seconds to wait for a click."""

        assert client.user is not None
        assert client.application_id is not None
        self.me = client.user.id
        self.application = client.application_id
        """The application's id, which isn't the bot's own user id for bots of the first years."""

        self.named = where.member or self.me
        """The user id that messages mention: the member's, or else the bot's own."""

        self.nonce = f"smoke.{secrets.token_hex(10)}"[:MAX_NONCE_LENGTH]
        """Unique to this run, or Discord would answer with a message of an earlier one."""

        self.words: Json | None = None
        """A message without a picture."""

        self.picture: Json | None = None
        """A message with a picture."""

        self.deleted: int | None = None
        """The id of a message that was deleted."""

        self.thread: int | None = None
        self.in_thread: int | None = None
        """The id of a message in the thread."""

        self.direct: int | None = None
        """The id of the channel of direct messages with the member."""

        self.connection: asyncio.Task[None] | None = None
        """The connection to the gateway, if it was needed."""

        self.is_alone = False
        """Whether an awaited click did not come: no other is asked for then."""

        self.click: discord.Interaction[Any] | None = None
        self.acknowledged = False
        self.by_token: Json | None = None
        """The clicked message, with a picture sent by the click's token."""

        self.private: Json | None = None
        """A message that only the member sees."""

        self.thinking: discord.Interaction[Any] | None = None
        self.thinking_publicly: discord.Interaction[Any] | None = None
        """Further clicks that were deferred by thinking."""

        self._made: list[tuple[int, int]] = []
        self._threads: list[int] = []

    async def post(self, params: MultipartParameters | Json, channel: int | None = None) -> Answer:
        """Post a message, which is deleted at the end."""
        where = channel or self.channel

        def note(answer: Answer) -> None:
            made = (where, int(answer.body["id"]))
            if made not in self._made:
                self._made.append(made)

        return await self.requests.make(self.http.send_message(where, params=_params(params)), note)

    async def edit(
        self, params: MultipartParameters | Json, message: int, channel: int | None = None
    ) -> Answer:
        where = channel or self.channel
        return await self.ask(self.http.edit_message(where, message, params=_params(params)))

    async def delete(self, message: int, channel: int | None = None) -> Answer:
        return await self.ask(self.http.delete_message(channel or self.channel, message))

    async def think(self, click: discord.Interaction[Any], *, private: bool) -> Answer:
        """Defer a click by thinking; if that is public, its message is deleted at the end."""

        def note(answer: Answer) -> None:
            if not private:
                made = int(answer.body["interaction"]["response_message_id"])
                self._made.append((click.channel_id or self.channel, made))

        deferring = click.response.defer(thinking=True, ephemeral=private)
        return await self.requests.make(deferring, note)

    async def begin_thread(self, message: int) -> Answer:
        """Start a thread from a message, archived after a week; it's deleted at the end."""
        return await self.requests.make(
            self.http.start_thread_with_message(
                self.channel, message, name=MARK, auto_archive_duration=10080
            ),
            lambda answer: self._threads.append(int(answer.body["id"])),
        )

    async def set_thread(self, thread: int, **fields: Any) -> Answer:  # noqa: ANN401 - JSON
        """Edit the thread, for example to archive or to lock it."""
        return await self.ask(self.http.edit_channel(thread, **fields))

    async def history(self) -> list[Json]:
        """The bot's own of the channel's last 100 messages, newest first; none if it can't read."""
        answer = await self.ask(self.http.logs_from(self.channel, 100))
        messages = answer.body if answer.ok else []
        return [message for message in messages if message["author"]["id"] == str(self.me)]

    async def tidy_up(self) -> tuple[int, list[str]]:
        """Delete everything that was made; returns how many were deleted, and what was not and why.

        What Discord made though its answer was lost, and what a killed run has left, is found by
        `MARK`, if the bot may read the channel's history.
        """
        for message in await self.history():
            if MARK in str(message["components"]):
                self._note_found(message)
        left = [reason for thread in self._threads if (reason := await self._remove(thread))]
        for channel, made in self._made:
            if reason := await self._refused(self.http.delete_message(channel, made)):
                left.append(f"a message ({reason})")
        return len(self._made) + len(self._threads) - len(left), left

    def _note_found(self, message: Json) -> None:
        """Note a message of a run, and its thread, for deletion."""
        identity = int(message["id"])
        if (self.channel, identity) not in self._made:
            self._made.append((self.channel, identity))
        has_thread = discord.MessageFlags(has_thread=True).value & message["flags"]
        if has_thread and identity not in self._threads:
            self._threads.append(identity)

    async def _remove(self, thread: int) -> str | None:
        """Delete a thread with everything in it; returns why that was refused, or None."""
        reason = await self._refused(self.http.delete_channel(thread))
        if reason is None:
            self._made = [made for made in self._made if made[0] != thread]
            return None
        # Its messages can still be deleted, but not while it is archived.
        await self._refused(self.http.edit_channel(thread, archived=False))
        return f"the thread ({reason})"

    async def _refused(self, request: Coroutine[Any, Any, Any]) -> str | None:
        """Why a request failed; None if it didn't, or if its target doesn't exist anymore."""
        try:
            answer = await self.ask(request)
        except (aiohttp.ClientError, OSError) as error:
            return type(error).__name__
        return None if answer.ok or answer.code in UNKNOWN else str(answer)


def _params(params: MultipartParameters | Json) -> MultipartParameters:
    if isinstance(params, MultipartParameters):
        return params
    return MultipartParameters(payload=params, multipart=None, files=None)
