"""The first answer to a command or click, which Discord accepts for 3 seconds only."""

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
"""Seconds until an answer is deferred; the rest of the 3 seconds is for the network."""

TOKEN_LIFE: Final = timedelta(minutes=14)
"""Discord lets us edit through an interaction for 15 minutes; one is left for the network."""


class Deferral(Enum):
    """How to defer an answer that isn't ready in time."""

    IN_PLACE = "the message that was clicked stays as it is until it changes"
    PRIVATE = "only the person who asked sees that the bot is thinking"
    PUBLIC = "everybody sees that the bot is thinking"


PUBLIC: Final = {"deferral": Deferral.PUBLIC}
"""The `extras` of a command that answers publicly; any other answers privately."""


def deferral_of(interaction: discord.Interaction[Any]) -> Deferral:
    """How to defer a command: the way it answers, but privately if its option `private` is set."""
    command = interaction.command
    if command is None or interaction.namespace.private:
        return Deferral.PRIVATE
    deferral: Deferral = command.extras.get("deferral", Deferral.PRIVATE)
    return deferral


class FirstAnswer:
    """The answer to one interaction; every answer goes through it, or it would be deferred as well.

    The deferral decides who sees the message that replaces it. Where the bot is a guest, only the
    person who asked sees anything.
    """

    def __init__(self, interaction: discord.Interaction[Any]) -> None:
        self._interaction = interaction
        self.arrived = discord.utils.utcnow()
        """When the interaction arrived, by this machine's clock; its own timestamp is by
        Discord's."""

        self._timer: asyncio.TimerHandle | None = None
        self._deferring: asyncio.Task[None] | None = None
        self.deferral = Deferral.IN_PLACE
        """How the answer will be deferred, or was."""

        self.is_thinking_shown = False
        """Whether all that can be seen so far is that the bot is thinking."""

        self.shows_progress = False
        """Whether a progress message is shown instead, which the final answer will replace."""

        self._was_answered_after_all = False
        """Whether Discord turned out to have the answer already, without our knowing."""

        self._may_be_deferred = False
        """Whether Discord may have accepted a deferral without our knowing."""

        self.has_message = False
        """Whether a new message was sent; otherwise the token edits the clicked message."""

        self.followup: int | None = None
        """The id of that message if it was a follow-up."""

        self.is_seen = False
        """Whether the person sees that the interaction had an effect: by a message, by a change of
        the clicked one, or in a moment by a table, hand or receipt, even if the answer fails."""

    @classmethod
    def of(cls, interaction: discord.Interaction[Any]) -> "FirstAnswer":
        answer: FirstAnswer | None = interaction.extras.get(cls)
        if answer is None:
            answer = interaction.extras[cls] = cls(interaction)
        return answer

    def watch(self, deferral: Deferral, seconds: float) -> None:
        """Defer the answer like this unless the current task gives it within `seconds`."""
        self.deferral = deferral
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None
        self._timer = timer = loop.call_later(seconds, self._start_deferring)
        task.add_done_callback(lambda _: timer.cancel())

    async def claim(self) -> bool:
        """Stop the timer; returns whether the interaction was already answered or deferred."""
        if self._timer is not None:
            self._timer.cancel()
        if self._deferring is not None:
            await asyncio.wait({self._deferring})
        return self._was_answered_after_all or self._interaction.response.is_done()

    async def defer(self, deferral: Deferral) -> None:
        """Defer the answer now, unless it was answered or deferred before.

        If only Discord's reply is lost, the request is repeated: Discord then says that this
        interaction has its answer already. `IN_PLACE` also deletes an earlier message that the bot
        is thinking.
        """
        if not await self.claim():
            arrived = self.deferral if self._may_be_deferred else deferral
            self.deferral = deferral
            try:
                with suppress(aiohttp.ClientError, OSError):
                    await self._defer()
                    return
                await self._defer()
            except discord.HTTPException as error:
                self.deferral = arrived
                self._note_deferral_or_raise(error)
        if deferral is Deferral.IN_PLACE:
            await self._delete_thinking()

    async def send(self, *, private: bool, **message: Any) -> discord.Message:  # noqa: ANN401
        """Answer with a new message, or fill the one that says that the bot is thinking."""
        private = private or is_guest(self._interaction)
        sent: discord.Message | None = None
        if not await self.claim():
            try:
                sent = await self._sent_or_found(self._respond(ephemeral=private, **message))
            except discord.HTTPException as error:
                self._note_deferral_or_raise(error)
                for file in message.get("files", ()):
                    file.reset()  # it was read for the refused answer
        if sent is None:
            sent = await self._fill_or_follow_up(private=private, **message)
        self.has_message = self.is_seen = True
        return sent

    async def _fill_or_follow_up(self, *, private: bool, **message: Any) -> discord.Message:  # noqa: ANN401
        """Fill the message that says that the bot is thinking, or send another one.

        The first is deleted if it's visible to the wrong people; also if the message is to ping
        somebody, which is only certain for a new one.
        """
        interaction = self._interaction
        named: discord.AllowedMentions | None = message.get("allowed_mentions")
        pings = not private and named is not None and bool(named.users)
        deferral = Deferral.PRIVATE if private else Deferral.PUBLIC
        same = self.deferral is deferral or is_guest(interaction)
        if self.is_thinking_shown and same and not pings:
            message["attachments"] = message.pop("files", [])
            filled = await self._sent_or_found(interaction.edit_original_response(**message))
            self.is_thinking_shown = False
            return filled
        await self._delete_thinking()
        is_only = not (private or self.has_message)
        followup = await follow_up(interaction, is_only=is_only, ephemeral=private, **message)
        self.followup = followup.id
        return followup

    def _note_deferral_or_raise(self, error: discord.HTTPException) -> None:
        """Note that an answer was refused because a deferral had arrived; otherwise raise `error`.

        Only Discord's reply to the deferral was lost, so there is still another way to answer.
        """
        if not self._may_be_deferred or error.code != ANSWERED:
            raise error
        self._was_answered_after_all = True
        self.is_thinking_shown = self.deferral is not Deferral.IN_PLACE

    async def _respond(self, **message: Any) -> discord.InteractionMessage:  # noqa: ANN401
        with requested_by(ANSWERING):
            sent = await self._interaction.response.send_message(**message)
        if not isinstance(sent.resource, discord.InteractionMessage):
            raise UnreadableAnswerError("an answer without its message")
        return sent.resource

    async def _sent_or_found(
        self, sending: Awaitable[discord.InteractionMessage]
    ) -> discord.InteractionMessage:
        """The message that was sent, even if only Discord's reply to that was lost.

        If Discord has accepted a deferral instead, it returns that or the clicked message: the
        error is raised then.
        """
        clicked = self._interaction.message
        try:
            return await sending
        except LOST as error:
            try:
                message = await self._interaction.original_response()
            except (discord.DiscordException, *LOST):
                raise error from None
            if message.flags.loading or (clicked is not None and clicked.id == message.id):
                raise
            self._was_answered_after_all = True
            return message

    async def edit(self, **message: Any) -> None:  # noqa: ANN401 - as discord.py has them
        """Answer a click by editing the clicked message, without uploading a file."""
        if not await self.claim():
            try:
                with requested_by(BRIEF):
                    await self._interaction.response.edit_message(**message)
            except discord.HTTPException as error:
                self._note_deferral_or_raise(error)
            else:
                self.is_seen = True
                return
        await self._delete_thinking()
        await self.change(**message)

    async def change(self, **message: Any) -> discord.Message:  # noqa: ANN401 - as discord.py has them
        """Edit the clicked message after the click was acknowledged."""
        changed = await self._interaction.edit_original_response(**message)
        self.is_seen = True
        return changed

    async def replace(self, **message: Any) -> None:  # noqa: ANN401 - as discord.py has them
        """Edit the progress message that was sent into the final answer."""
        if self.followup is None:
            await self._interaction.edit_original_response(**message)
        else:
            await self._interaction.followup.edit_message(self.followup, **message)
        self.shows_progress = False

    async def _delete_thinking(self) -> None:
        """Delete the message that says that the bot is thinking: the answer is given elsewhere.

        It may be gone: a moderator can delete it, and discord.py repeats a deletion that succeeded
        although Discord called it failed.
        """
        if self.is_thinking_shown:
            with suppress(discord.NotFound):
                await self._interaction.delete_original_response()
            self.is_thinking_shown = False

    def _start_deferring(self) -> None:
        self._deferring = asyncio.create_task(self._defer_in_time())

    async def _defer_in_time(self) -> None:
        try:
            await self._defer()
        except (discord.DiscordException, *LOST) as error:
            # The task with the answer tries to give it anyway, and learns why that fails.
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
        self.is_thinking_shown = visible


@dataclass(frozen=True, slots=True)
class Token:
    """The token of an interaction, with which one message can be edited."""

    value: str = field(repr=False)
    until: datetime
    message: int | None = None
    """The id of a follow-up; None for the original response or the clicked message."""

    @classmethod
    def of(cls, interaction: discord.Interaction[Any]) -> "Token":
        answer = FirstAnswer.of(interaction)
        return cls(interaction.token, answer.arrived + TOKEN_LIFE, answer.followup)

    @classmethod
    def kept(cls, value: str, until: int, message: int | None) -> "Token":
        """A token from the database; `until` is Unix time in seconds."""
        return cls(value, datetime.fromtimestamp(until, UTC), message)

    def hook(self, client: discord.Client) -> tuple[discord.Webhook, int]:
        """The webhook that can edit and delete the message, and the message's id there."""
        hook = discord.Webhook.partial(client.application_id or 0, self.value, client=client)
        original = cast(int, "@original")  # Discord's own word for it; discord.py says int
        return hook, self.message or original

    @property
    def fresh(self) -> bool:
        return discord.utils.utcnow() < self.until
