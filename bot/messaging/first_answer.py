"""The first answer to a command or click, which Discord takes for 3 seconds only."""

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Any, Final, cast

import aiohttp
import discord
import structlog

from bot.messaging.installs import is_guest
from bot.messaging.interaction_requests import (
    ANSWERED,
    ANSWERING,
    BRIEF,
    LOST,
    follow_up,
    requested_by,
)
from bot.messaging.readable_answers import UnreadableAnswerError

log = structlog.get_logger()

DEFER_AFTER_SECONDS: Final = 0.5
"""Time for an answer that is not deferred; the rest of the 3 seconds is for the way there."""

TOKEN_LIFE: Final = timedelta(minutes=14)
"""Discord lets us edit through an interaction for 15 minutes; one is kept for the way there."""


class Deferral(Enum):
    """How an answer is deferred that is not there in time."""

    IN_PLACE = "the message that was clicked stays as it is until it changes"
    PRIVATE = "only the person who asked sees that the bot is thinking"
    PUBLIC = "everybody sees that the bot is thinking"


PUBLIC: Final = {"deferral": Deferral.PUBLIC}
"""The extras of a command that answers everybody; any other answers privately."""


def deferral_of(interaction: discord.Interaction[Any]) -> Deferral:
    """How a command is deferred: as it answers, so privately where its option `private` is set."""
    command = interaction.command
    if command is None or interaction.namespace.private:
        return Deferral.PRIVATE
    found: Deferral = command.extras.get("deferral", Deferral.PRIVATE)
    return found


class FirstAnswer:
    """The answer to one interaction. All that answers goes through here, lest it is deferred too.

    Discord decides with a deferral who sees the message that takes its place. Where the bot is a
    guest, nobody sees anything but the person who asked.
    """

    def __init__(self, interaction: discord.Interaction[Any]) -> None:
        self._interaction = interaction
        self.arrived = discord.utils.utcnow()
        """When it came, by the clock of this machine: its own time is by Discord's."""

        self._timer: asyncio.TimerHandle | None = None
        self._deferring: asyncio.Task[None] | None = None
        self.deferral = Deferral.IN_PLACE
        """How it is to be deferred, or was."""

        self.is_awaited = False
        """Whether somebody sees that the bot is thinking, and nothing else yet."""

        self.is_unfinished = False
        """Whether what they see instead says how far something is, and so that more is to come."""

        self._was_found = False
        """Whether Discord had taken the answer without telling us."""

        self._may_be_deferred = False
        """Whether it may have taken a deferral without telling us."""

        self.has_message = False
        """Whether a new message was sent; otherwise a token edits what was clicked."""

        self.followup: int | None = None
        """That message, if it came as a follow-up."""

        self.has_changed = False
        """Whether the message that was clicked was changed by it."""

        self.is_followed = False
        """Whether a table, hand or receipt shows in a moment what the click did, whatever fails."""

    @classmethod
    def of(cls, interaction: discord.Interaction[Any]) -> "FirstAnswer":
        found: FirstAnswer | None = interaction.extras.get(cls)
        if found is None:
            found = interaction.extras[cls] = cls(interaction)
        return found

    @property
    def is_seen(self) -> bool:
        """Whether its person sees that something has come of it, now or in a moment."""
        return self.has_message or self.has_changed or self.is_followed

    def watch(self, deferral: Deferral, seconds: float) -> None:
        """Defer the answer like this, unless the present task gives it in so many seconds."""
        self.deferral = deferral
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None
        self._timer = timer = loop.call_later(seconds, self._begin)
        task.add_done_callback(lambda _: timer.cancel())

    async def claim(self) -> bool:
        """Let nobody else answer from now on; whether it was answered or deferred before."""
        if self._timer is not None:
            self._timer.cancel()
        if self._deferring is not None:
            await asyncio.wait({self._deferring})
        return self._was_found or self._interaction.response.is_done()

    async def defer(self, deferral: Deferral) -> None:
        """Defer the answer now, unless that was done.

        Where only what Discord says of that is lost, it is asked once more: it then says that this
        interaction has its answer.
        """
        if not await self.claim() and not await self._is_deferred_already(deferral):
            return
        if deferral is Deferral.IN_PLACE:
            await self._take_back()

    async def _is_deferred_already(self, deferral: Deferral) -> bool:
        """Defer the answer now; whether Discord had taken a deferral before."""
        before = self.deferral if self._may_be_deferred else deferral
        self.deferral = deferral
        try:
            with suppress(aiohttp.ClientError, OSError):
                await self._defer()
                return False
            await self._defer()
        except discord.HTTPException as error:
            self.deferral = before
            self._must_be_deferred(error)
            return True
        return False

    async def send(self, *, private: bool, **message: Any) -> discord.Message:  # noqa: ANN401
        """Answer with a new message, in place of what says that the bot is thinking.

        That is taken back if others can see it than this message is for; also if the message is to
        ping somebody, which is certain of a new one only.
        """
        sent = await self._send(private=private or is_guest(self._interaction), **message)
        self.has_message = True
        return sent

    async def _send(self, *, private: bool, **message: Any) -> discord.Message:  # noqa: ANN401
        interaction = self._interaction
        if not await self.claim():
            try:
                return await self._found(self._respond(ephemeral=private, **message))
            except discord.HTTPException as error:
                self._must_be_deferred(error)
                for file in message.get("files", ()):
                    file.reset()  # it was read for the answer that was refused
        named: discord.AllowedMentions | None = message.get("allowed_mentions")
        pings = not private and named is not None and bool(named.users)
        deferral = Deferral.PRIVATE if private else Deferral.PUBLIC
        same = self.deferral is deferral or is_guest(interaction)
        if self.is_awaited and same and not pings:
            message["attachments"] = message.pop("files", [])
            filled = await self._found(interaction.edit_original_response(**message))
            self.is_awaited = False
            return filled
        await self._take_back()
        followup: discord.Message
        if private:
            followup = await interaction.followup.send(ephemeral=True, wait=True, **message)
        else:
            followup = await follow_up(interaction, is_only=not self.has_message, **message)
        self.followup = followup.id
        return followup

    def _must_be_deferred(self, error: discord.HTTPException) -> None:
        """Note that an answer was refused because a deferral had arrived; else raise the error.

        Only what says that of the deferral was lost, so another way to answer is left.
        """
        if not self._may_be_deferred or error.code != ANSWERED:
            raise error
        self._was_found, self.is_awaited = True, self.deferral is not Deferral.IN_PLACE

    async def _respond(self, **message: Any) -> discord.InteractionMessage:  # noqa: ANN401
        with requested_by(ANSWERING):
            sent = await self._interaction.response.send_message(**message)
        if not isinstance(sent.resource, discord.InteractionMessage):
            raise UnreadableAnswerError("an answer without its message")
        return sent.resource

    async def _found(
        self, sending: Awaitable[discord.InteractionMessage]
    ) -> discord.InteractionMessage:
        """The message that was sent, also if only what Discord says of that was lost.

        Where it has taken a deferral instead, it names the message that was clicked.
        """
        clicked = self._interaction.message
        try:
            return await sending
        except LOST as error:
            try:
                found = await self._interaction.original_response()
            except (discord.DiscordException, *LOST):
                raise error from None
            if found.flags.loading or (clicked is not None and clicked.id == found.id):
                raise
            self._was_found = True
            return found

    async def edit(self, **message: Any) -> None:  # noqa: ANN401 - as discord.py has them
        """Answer a click by changing the message that was clicked; no file is added to it."""
        if not await self.claim():
            try:
                with requested_by(BRIEF):
                    await self._interaction.response.edit_message(**message)
            except discord.HTTPException as error:
                self._must_be_deferred(error)
            else:
                self.has_changed = True
                return
        await self._take_back()
        await self.change(**message)

    async def change(self, **message: Any) -> discord.Message:  # noqa: ANN401 - as discord.py has them
        """Change the message that was clicked, which was left as it is until now."""
        changed = await self._interaction.edit_original_response(**message)
        self.has_changed = True
        return changed

    async def replace(self, **message: Any) -> None:  # noqa: ANN401 - as discord.py has them
        """Change the new message that was sent, which says only how far something is."""
        if self.followup is None:
            await self._interaction.edit_original_response(**message)
        else:
            await self._interaction.followup.edit_message(self.followup, **message)
        self.is_unfinished = False

    async def _take_back(self) -> None:
        """Remove what says that the bot is thinking: the answer comes in another place.

        It may be gone: a moderator can delete it, and the library repeats what Discord called
        failed though it was done.
        """
        if self.is_awaited:
            with suppress(discord.NotFound):
                await self._interaction.delete_original_response()
            self.is_awaited = False

    def _begin(self) -> None:
        self._deferring = asyncio.create_task(self._defer_in_time())

    async def _defer_in_time(self) -> None:
        try:
            await self._defer()
        except (discord.DiscordException, *LOST) as error:
            # Whoever has the answer tries to give it, and is told why that fails.
            log.info("not deferred", interaction=self._interaction.id, why=type(error).__name__)

    async def _defer(self) -> None:
        visible = self.deferral is not Deferral.IN_PLACE
        private = self.deferral is Deferral.PRIVATE or is_guest(self._interaction)
        try:
            with requested_by(BRIEF):
                await self._interaction.response.defer(thinking=visible, ephemeral=private)
        except LOST:
            self._may_be_deferred = True
            raise
        self.is_awaited = visible


@dataclass(frozen=True, slots=True)
class Token:
    """The right to edit one message through the interaction that answered with it."""

    value: str = field(repr=False)
    until: datetime
    message: int | None = None
    """A follow-up; None for the original response, or the message that was clicked."""

    @classmethod
    def of(cls, interaction: discord.Interaction[Any]) -> "Token":
        answer = FirstAnswer.of(interaction)
        return cls(interaction.token, answer.arrived + TOKEN_LIFE, answer.followup)

    @classmethod
    def kept(cls, value: str, until: int, message: int | None) -> "Token":
        """One that was written down; `until` is in seconds since 1970."""
        return cls(value, datetime.fromtimestamp(until, UTC), message)

    def hook(self, client: discord.Client) -> tuple[discord.Webhook, int]:
        """What edits and deletes the message, and what the message is called there."""
        hook = discord.Webhook.partial(client.application_id or 0, self.value, client=client)
        original = cast(int, "@original")  # Discord's own word for it; the library says int
        return hook, self.message or original

    @property
    def fresh(self) -> bool:
        return discord.utils.utcnow() < self.until
