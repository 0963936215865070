"""Messages on their way to Discord: what arrived, or an UndeliveredError that says why not."""

import io
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum
from typing import Any, Final, cast

import aiohttp
import discord

from bot.errors import ButtonError
from bot.messaging.content import Layout, MessageContent
from bot.messaging.picture_cache import PictureCache
from bot.settings.preferences import Preferences

TOKEN_LIFE: Final = timedelta(minutes=14)
"""Discord lets us edit through an interaction for 15 minutes; one is kept for the way there."""

HAS_THREAD: Final = 160004
"""What Discord answers where a thread has already been begun from a message."""


class Failure(Enum):
    GONE = "the message is gone"
    NOWHERE = "the channel is gone, or we may not see it"
    FORBIDDEN = "we may not post there"
    ARCHIVED = "the thread is put away until a message is sent there"
    CLOSED = "the person takes no direct messages from us"
    HURRIED = "we have opened too many direct messages"
    OLD = "the message is too old for so many edits"
    EXPIRED = "the interaction is too old or already answered"
    STALE = "the picture that was to stay has been replaced meanwhile"
    TROUBLE = "Discord or the network has trouble"


_FAILURES: Final = {
    10003: Failure.NOWHERE,
    10008: Failure.GONE,
    10013: Failure.CLOSED,
    10015: Failure.EXPIRED,
    10062: Failure.EXPIRED,
    30046: Failure.OLD,
    40003: Failure.HURRIED,
    40060: Failure.EXPIRED,
    50001: Failure.NOWHERE,
    50007: Failure.CLOSED,
    50013: Failure.FORBIDDEN,
    50027: Failure.EXPIRED,
    50024: Failure.FORBIDDEN,
    50083: Failure.ARCHIVED,
    50278: Failure.CLOSED,
    160005: Failure.FORBIDDEN,
    160006: Failure.FORBIDDEN,
}


MALFORMED: Final = 50035


class UndeliveredError(Exception):
    """A message that did not arrive."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.value)
        self.failure = failure


@contextmanager
def told() -> Iterator[None]:
    """Turn what discord.py raises on the way into an UndeliveredError.

    A request that Discord refuses as malformed is our bug and rises as it is.
    """
    try:
        yield
    except discord.InteractionResponded:
        raise UndeliveredError(Failure.EXPIRED) from None
    except discord.DiscordServerError as error:
        raise UndeliveredError(Failure.TROUBLE) from error
    except discord.HTTPException as error:
        failure = _FAILURES.get(error.code)
        if error.code == MALFORMED and "ttachment data" in error.text:
            failure = Failure.STALE
        if failure is None and error.status == 429:
            failure = Failure.TROUBLE
        if failure is None:
            raise
        raise UndeliveredError(failure) from error
    except (aiohttp.ClientError, OSError, TimeoutError) as error:
        raise UndeliveredError(Failure.TROUBLE) from error


@dataclass(frozen=True, slots=True)
class Token:
    """The right to edit one message through the interaction that answered with it."""

    value: str
    until: datetime

    @classmethod
    def of(cls, interaction: discord.Interaction[Any]) -> "Token":
        return cls(interaction.token, interaction.created_at + TOKEN_LIFE)

    @property
    def fresh(self) -> bool:
        return discord.utils.utcnow() < self.until


@dataclass(frozen=True, slots=True)
class Media:
    """A picture that Discord has already got, as part of a message."""

    url: str
    attachment: int

    def shows(self, content: MessageContent) -> bool:
        """Whether it is the picture of this sheet, by its file name."""
        return content.picture is not None and f"/{content.picture.file}" in self.url

    def to_dict(self) -> dict[str, Any]:
        """As an edit names an attachment that is to stay."""
        return {"id": self.attachment}


@dataclass(frozen=True, slots=True)
class Arrived:
    """A message as it stands at Discord now."""

    channel: int
    message: int
    media: Media | None


Edit = Callable[[Layout, list[discord.Attachment | discord.File]], Awaitable[discord.Message]]


class Delivery:
    """Sends sheets and replaces them, drawing a picture only where Discord has not got it."""

    def __init__(
        self, client: discord.Client, pictures: PictureCache, preferences: Preferences
    ) -> None:
        self._client = client
        self._preferences = preferences
        self.pictures = pictures

    async def send(
        self, channel: int, content: MessageContent, nonce: str, *, pinged: Sequence[int] = ()
    ) -> Arrived:
        """A new message; sent again with the same nonce, Discord answers with the first one."""
        view, files = await self._render(content, None)
        with told():
            message = await self._client.get_partial_messageable(channel).send(
                view=view,
                files=cast(Sequence[discord.File], files),
                nonce=nonce,
                allowed_mentions=_only(pinged),
            )
        return _arrived(message)

    async def edit(
        self, channel: int, message: int, content: MessageContent, had: Media | None
    ) -> Arrived:
        partial = self._client.get_partial_messageable(channel).get_partial_message(message)
        return await self._changed(
            content, had, lambda view, files: partial.edit(view=view, attachments=files)
        )

    async def edit_by(self, token: Token, content: MessageContent, had: Media | None) -> Arrived:
        """Edit what an interaction answered with; not counted against Discord's 50 a second."""
        hook = discord.Webhook.partial(
            self._client.application_id or 0, token.value, client=self._client
        )
        original = cast(int, "@original")  # Discord's own word for it; the library says int
        return await self._changed(
            content,
            had,
            lambda view, files: hook.edit_message(original, view=view, attachments=files),
        )

    async def _changed(self, content: MessageContent, had: Media | None, edit: Edit) -> Arrived:
        """A message after an edit; its picture is sent again if the one to keep is gone.

        An edit may have been carried out though its answer was lost.
        """
        view, files = await self._render(content, had)
        try:
            with told():
                return _arrived(await edit(view, files))
        except UndeliveredError as error:
            if error.failure is not Failure.STALE or had is None:
                raise
        return await self._changed(content, None, edit)

    async def delete(self, channel: int, message: int) -> None:
        partial = self._client.get_partial_messageable(channel).get_partial_message(message)
        with told():
            await partial.delete()

    async def answer(
        self,
        interaction: discord.Interaction[Any],
        content: MessageContent,
        pinged: Sequence[int] = (),
    ) -> Arrived:
        """Answer a command or click with a new public message, which pings these people only."""
        view, files = await self._render(content, None)
        with told():
            done = await interaction.response.send_message(
                view=view,
                files=cast(Sequence[discord.File], files),
                allowed_mentions=_only(pinged),
            )
        assert isinstance(done.resource, discord.InteractionMessage)
        return _arrived(done.resource)

    async def answer_with_picture(
        self, interaction: discord.Interaction[Any], content: MessageContent
    ) -> None:
        """Answer a command publicly; a picture follows, unless the one who asks wants none."""
        if content.picture is None or await self._preferences.wants_words(interaction.user.id):
            await self.answer(interaction, replace(content, picture=None))
            return
        with told():
            await interaction.response.defer(thinking=True)
        view, files = await self._render(content, None)
        with told():
            await interaction.edit_original_response(view=view, attachments=files)

    async def answer_privately(
        self, interaction: discord.Interaction[Any], content: MessageContent
    ) -> None:
        """Answer with a message for that person only; a picture takes time, so it follows."""
        content = await self._suited(content, interaction.user.id)
        if content.picture is None:
            with told():
                await interaction.response.send_message(view=Layout(content, None), ephemeral=True)
            return
        await self.answer_later(interaction)
        await self.complete(interaction, content)

    async def answer_for(
        self, interaction: discord.Interaction[Any], content: MessageContent, *, private: bool
    ) -> None:
        """Answer a command for that person only, or for everybody who is there."""
        if private:
            await self.answer_privately(interaction, content)
        else:
            await self.answer_with_picture(interaction, content)

    async def answer_in_place(
        self,
        interaction: discord.Interaction[Any],
        content: MessageContent,
        had: Media | None = None,
    ) -> Media | None:
        """Answer a click by changing the message that was clicked; the picture it shows now.

        `had` is the picture that stands there; the click itself only knows the one that stood
        there when it was made. A ButtonError for a custom_id that is not on the message, lest a
        forged one replaces it.
        """
        message = interaction.message
        if message is None or not _offers(message.components, interaction):
            raise ButtonError("This message has no such button; open a new one with the command.")
        if message.flags.ephemeral:
            content = await self._suited(content, interaction.user.id)
        had = had or media(message)
        if content.picture is None or (had is not None and had.shows(content)):
            view, files = await self._render(content, had)
            try:
                with told():
                    await interaction.response.edit_message(view=view, attachments=files)
            except UndeliveredError as error:
                if error.failure is not Failure.STALE:
                    raise
                had = None
            else:
                return had
        # Drawing takes time, and Discord waits 3 seconds for an answer.
        with told():
            await interaction.response.defer()
        return (await self.edit_by(Token.of(interaction), content, had)).media

    async def answer_with_words(self, interaction: discord.Interaction[Any], sentence: str) -> None:
        """Answer with a sentence for that person only; on a private message, in its place."""
        message = interaction.message
        with told():
            if message is not None and message.flags.ephemeral:
                view = Layout(MessageContent(head=sentence), None)
                await interaction.response.edit_message(view=view, attachments=[])
            else:
                await interaction.response.send_message(sentence, ephemeral=True)

    async def answer_with_files(
        self, interaction: discord.Interaction[Any], sentence: str, files: Mapping[str, str]
    ) -> None:
        """Answer with texts to keep, by file name, for that person only."""
        sent = [discord.File(io.BytesIO(t.encode()), filename=name) for name, t in files.items()]
        with told():
            await interaction.response.send_message(sentence, files=sent, ephemeral=True)

    async def answer_later(self, interaction: discord.Interaction[Any]) -> None:
        """Tell a person that the answer takes a moment; `complete` gives it."""
        with told():
            await interaction.response.defer(ephemeral=True, thinking=True)

    async def complete(
        self, interaction: discord.Interaction[Any], content: MessageContent
    ) -> None:
        """The answer that was promised."""
        view, files = await self._render(await self._suited(content, interaction.user.id), None)
        with told():
            await interaction.edit_original_response(view=view, attachments=files)

    async def read(self, attachment: discord.Attachment) -> bytes:
        """What somebody has sent with a command."""
        with told():
            return await attachment.read()

    async def acknowledge(self, interaction: discord.Interaction[Any]) -> None:
        """Answer a click for now; its message will be changed in a moment."""
        with told():
            await interaction.response.defer()

    async def begin_thread(self, channel: int, message: int, name: str, minutes: int) -> int:
        """A thread from this message, put away after so many minutes; the one it has already."""
        try:
            with told():
                await self._client.http.start_thread_with_message(
                    channel,
                    message,
                    name=name,
                    auto_archive_duration=cast(Any, minutes),
                    rate_limit_per_user=None,
                )
        except discord.HTTPException as error:
            if error.code != HAS_THREAD:
                raise
        return message  # Discord gives a thread the id of the message it is begun from

    async def open_dm(self, user: int) -> int:
        """The channel of direct messages with somebody."""
        with told():
            return (await self._client.create_dm(discord.Object(user))).id

    async def _suited(self, content: MessageContent, user: int) -> MessageContent:
        """What only this person sees, without a picture if he wants none."""
        if content.picture is None or not await self._preferences.wants_words(user):
            return content
        return content.in_words()

    async def _render(
        self, content: MessageContent, had: Media | None
    ) -> tuple[Layout, list[discord.Attachment | discord.File]]:
        """The layout and the files of a message, keeping the picture where it is the same."""
        if content.picture is None:
            return Layout(content, None), []
        if had is not None and had.shows(content):
            # discord.py asks of an attachment to keep nothing but `to_dict`.
            return Layout(content, had.url), [cast(discord.Attachment, had)]
        png = await self.pictures.png(content.picture)
        file = discord.File(io.BytesIO(png), filename=content.picture.file)
        return Layout(content, f"attachment://{content.picture.file}"), [file]


def _only(pinged: Sequence[int]) -> discord.AllowedMentions:
    """These people are pinged by a message, whoever else it names."""
    users = [discord.Object(user) for user in pinged]
    return discord.AllowedMentions(everyone=False, roles=False, users=users)


def media(message: discord.Message) -> Media | None:
    """The picture of one of our messages, or None."""
    for part in message.components:
        for inner in getattr(part, "children", ()):
            if isinstance(inner, discord.MediaGalleryComponent):
                item = inner.items[0].media
                if item.attachment_id is not None:
                    return Media(item.url, item.attachment_id)
    return None


def _offers(components: Sequence[discord.Component], interaction: discord.Interaction[Any]) -> bool:
    """Whether the button that was clicked is among these components or inside of them."""
    data: Any = interaction.data  # typed as the union of all kinds of interaction
    return any(
        getattr(part, "custom_id", None) == data["custom_id"]
        or _offers(getattr(part, "children", ()), interaction)
        for part in components
    )


def _arrived(message: discord.Message) -> Arrived:
    return Arrived(message.channel.id, message.id, media(message))
