"""Sends, edits and deletes messages; an UndeliveredError says why one did not arrive."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial as bind
from typing import Any, Final, TypeVar

import discord
import structlog

from bot.messaging.archived_threads import ArchivedThreads
from bot.messaging.arrivals import Arrived, Media, as_arrived, media
from bot.messaging.channels import Channels
from bot.messaging.command_ids import CommandIds
from bot.messaging.components import is_offered, outdated
from bot.messaging.content import Layout, MessageContent, PlainButtons, mentions
from bot.messaging.failures import (
    Failure,
    Files,
    RefusedPictureError,
    UndeliveredError,
    keeps_attachment,
    retrying_lost,
    translating_discord_errors,
)
from bot.messaging.files import PersonalFile
from bot.messaging.first_answer import Deferral, FirstAnswer, Token
from bot.messaging.installs import is_guest
from bot.messaging.layouts import Layouts
from bot.messaging.picture_cache import PictureCache
from bot.messaging.plain import edit_plain
from bot.messaging.request_pace import RequestPace
from bot.settings.preferences import Preferences

log = structlog.get_logger()

T = TypeVar("T")

MAX_NONCE_LENGTH: Final = 25
RENEWED_SUFFIX: Final = "~"
"""Ends the nonce of a message whose first nonce Discord doesn't accept again."""


class Delivery:
    """Sends and edits messages, drawing a picture only if Discord doesn't have it.

    The `allowed_mentions` of a new message list only the people it pings. An edit notifies nobody
    and lists everybody it mentions, because clients may show only the ids of others. A message that
    notifies somebody is sent in words, which the notification shows; the caller notes that, and
    edits it into its full form.
    """

    def __init__(
        self,
        client: discord.Client,
        pictures: PictureCache,
        preferences: Preferences,
        commands: CommandIds,
        pace: RequestPace,
    ) -> None:
        self._client = client
        self._preferences = preferences
        self.pictures = pictures
        self._layouts = Layouts(pictures, commands)
        self.pace = pace
        self.channels = Channels(client, pace)
        self.archived = ArchivedThreads(client, pace)

    async def send(
        self,
        channel: int,
        content: MessageContent,
        nonce: str,
        *,
        pinged: Sequence[int] = (),
        direct: bool = False,
    ) -> Arrived:
        """Send a new message that belongs to no slot; repeated once if Discord's answer is lost."""
        return await retrying_lost(
            lambda: self.send_once(channel, content, nonce, pinged=pinged, direct=direct)
        )

    async def send_once(
        self,
        channel: int,
        content: MessageContent,
        nonce: str,
        *,
        pinged: Sequence[int] = (),
        direct: bool = False,
        since: float | None = None,
    ) -> Arrived:
        """Send a new message; if the nonce is repeated, Discord returns the first message.

        It waits for its turn among all requests that Discord counts, like edits, deletions, threads
        and channels; `since` is when the need for it arose, in event loop time. `direct` says that
        it goes to one person, who is notified in any case: nobody else sees it, so everybody that
        it names can be in `allowed_mentions`.
        """
        partial = self._client.get_partial_messageable(channel)
        named = mentions([*pinged, *(content.named if direct else content.asked)])

        async def paced(**message: Any) -> discord.Message:  # noqa: ANN401 - passed on
            await self.pace.turn(since)
            # Not people that it only names: even a silent mention is a mention.
            silent = bool(content.asked)
            return await partial.send(**message, nonce=nonce, allowed_mentions=named, silent=silent)

        try:
            if direct or pinged:
                return as_arrived(await self._send_plain(content, paced, direct=direct))
            return as_arrived(await self._deliver(content, None, paced))
        except UndeliveredError as error:
            if error.failure is not Failure.GONE or nonce.endswith(RENEWED_SUFFIX):
                raise
        # The message with this nonce was deleted before we knew it: Discord makes no second one.
        again = nonce[: MAX_NONCE_LENGTH - 1] + RENEWED_SUFFIX
        return await self.send_once(
            channel, content, again, pinged=pinged, direct=direct, since=since
        )

    async def send_file(self, channel: int, sentence: str, sent: PersonalFile, nonce: str) -> None:
        """Send a sentence and a file as a direct message; repeated as in `send`."""
        partial = self._client.get_partial_messageable(channel)
        words = self._layouts.words(sentence)

        async def paced() -> None:
            await self.pace.turn()
            with translating_discord_errors(direct=True):
                await partial.send(words, file=sent.file, nonce=nonce)

        await retrying_lost(paced)

    async def edit(
        self,
        channel: int,
        message: int,
        content: MessageContent,
        had: Media | None,
        *,
        since: float | None = None,
        plain: bool = False,
    ) -> Arrived:
        """Edit a message through its channel, in its turn among all requests as in `send_once`.

        `had` is the picture that it shows now; `plain` says that it is in Discord's older form.
        """
        partial = self._client.get_partial_messageable(channel).get_partial_message(message)

        async def paced(**changes: Any) -> discord.Message:  # noqa: ANN401 - passed on
            await self.pace.turn(since)
            return await partial.edit(**changes)

        return await self._edit_with(content, had, paced, plain=plain)

    async def edit_by(
        self,
        token: Token,
        content: MessageContent,
        had: Media | None,
        *,
        plain: bool = False,
    ) -> Arrived:
        """Edit a message by an interaction's token, which doesn't count toward Discord's limit."""
        hook, which = token.hook(self._client)
        edit = bind(hook.edit_message, which)
        return await self._edit_with(content, had, edit, plain=plain)

    async def delete_by(self, token: Token) -> None:
        """Delete a message by an interaction's token, which doesn't count either."""
        hook, which = token.hook(self._client)
        with translating_discord_errors():
            await hook.delete_message(which)

    async def _edit_with(
        self,
        content: MessageContent,
        had: Media | None,
        edit: Callable[..., Awaitable[discord.Message]],
        *,
        plain: bool,
        quiet: bool = False,
    ) -> Arrived:
        named = mentions(() if quiet else content.named)

        def request(view: Layout, files: Files) -> Awaitable[discord.Message]:
            return edit_plain(edit, files, plain=plain, view=view, allowed_mentions=named)

        return as_arrived(await self._deliver(content, had, request))

    async def show_mentioned_names(self, arrived: Arrived, content: MessageContent) -> None:
        """Edit a message that nothing else will edit, so that it shows the names it mentions."""
        place = self._client.get_channel(arrived.channel)
        if content.named and not isinstance(place, discord.Thread | None):  # a mention adds them
            with suppress(UndeliveredError):
                await self.edit(arrived.channel, arrived.message, content, arrived.media)

    async def edit_past(self, channel: int, message: int, content: MessageContent) -> Arrived:
        """Edit a message about something that is over, even in an archived thread."""
        return await self.archived.change(
            channel, lambda: self.edit(channel, message, content, None)
        )

    async def delete(self, channel: int, message: int, *, since: float | None = None) -> None:
        """Delete a message, even in an archived thread."""
        partial = self._client.get_partial_messageable(channel).get_partial_message(message)

        async def paced() -> None:
            await self.pace.turn(since)
            with translating_discord_errors():
                await partial.delete()

        await self.archived.change(channel, paced)

    async def answer(
        self,
        interaction: discord.Interaction[Any],
        content: MessageContent,
        pinged: Sequence[int] = (),
    ) -> Arrived:
        """Answer a command or click with a new public message that pings only these people."""
        named = mentions(pinged)
        send = bind(FirstAnswer.of(interaction).send, private=False, allowed_mentions=named)
        if pinged:
            return as_arrived(await self._send_plain(content, send))
        return as_arrived(await self._deliver(content, None, send))

    async def answer_publicly(
        self, interaction: discord.Interaction[Any], content: MessageContent
    ) -> None:
        """Answer with a public message that no slot updates; deferred if a picture is drawn.

        It's edited only to show the names that it mentions, which pings nobody. Not in a thread: a
        mention would add people to it. The content is as the person who asks wants it, in words or
        not: buttons on it keep that.
        """
        if content.picture is not None:
            await self.answer_later(interaction, privately=False)
        # Discord treats what fills a deferral as the message itself: allowed mentions ping.
        arrived = await self.answer(interaction, content)
        in_thread = isinstance(interaction.channel, discord.Thread)
        if is_guest(interaction) or in_thread or not content.named:
            return
        with suppress(UndeliveredError):
            await self.edit_by(Token.of(interaction), content, arrived.media)

    async def answer_privately(
        self, interaction: discord.Interaction[Any], content: MessageContent
    ) -> int:
        """Answer with a private message, replacing an earlier one if there is one; returns its id.

        Deferred if a picture is drawn.
        """
        content = await self._as_preferred(content, interaction.user.id)
        if content.picture is not None:
            await self.answer_later(interaction)
        if FirstAnswer.of(interaction).has_message:
            return (await self.edit_by(Token.of(interaction), content, None)).message
        return await self.add_note(interaction, content)

    async def answer_for(
        self, interaction: discord.Interaction[Any], content: MessageContent, *, private: bool
    ) -> None:
        """Answer a command privately or publicly."""
        if private:
            await self.answer_privately(interaction, content)
        else:
            await self.answer_publicly(interaction, content)

    async def answer_in_place(
        self,
        interaction: discord.Interaction[Any],
        content: MessageContent,
        had: Media | None = None,
    ) -> Media | None:
        """Answer a click by editing the clicked message; returns the picture that it shows now.

        `had` is the picture before that; the click only has the one from when it was made.
        ButtonError for a custom_id that isn't on the message: a forged one must not replace it.
        """
        message = interaction.message
        if message is None or not is_offered(interaction):
            raise outdated("Use the command again.")
        if message.flags.ephemeral:
            content = await self._as_preferred(content, interaction.user.id)
        had = had or media(message)
        plain = not message.flags.components_v2
        in_thread = isinstance(interaction.channel, discord.Thread)
        quiet = in_thread and not message.flags.ephemeral  # a mention adds people
        if content.picture is None or (had is not None and had.shows(content)):
            view, files = await self._layouts.of(content, had)
            try:
                with translating_discord_errors(files=files):
                    await FirstAnswer.of(interaction).edit(
                        view=view,
                        attachments=files,
                        allowed_mentions=mentions(() if quiet else content.named),
                        **({"content": None} if plain else {}),
                    )
            except RefusedPictureError:
                had = None
            else:
                return None if content.picture is None else had
        await self.acknowledge(interaction)  # drawing takes time
        change = FirstAnswer.of(interaction).change
        return (await self._edit_with(content, had, change, plain=plain, quiet=quiet)).media

    async def answer_with_words(self, interaction: discord.Interaction[Any], sentence: str) -> None:
        """Answer privately with a sentence, replacing the clicked message if that is private."""
        message, content = interaction.message, MessageContent(head=self._layouts.words(sentence))
        named = mentions(content.named, but=interaction.user.id)
        answer = FirstAnswer.of(interaction)
        with translating_discord_errors():
            if message is not None and message.flags.ephemeral:
                view = Layout(content, None)
                await answer.edit(view=view, attachments=[], allowed_mentions=named)
            else:
                await answer.send(private=True, content=content.head, allowed_mentions=named)

    async def answer_with_files(
        self, interaction: discord.Interaction[Any], sentence: str, *files: PersonalFile
    ) -> None:
        """Answer privately with a sentence and files."""
        words, sent = self._layouts.words(sentence), [file.file for file in files]
        with translating_discord_errors():
            await FirstAnswer.of(interaction).send(private=True, content=words, files=sent)

    async def answer_later(
        self, interaction: discord.Interaction[Any], *, privately: bool = True
    ) -> None:
        """Defer the answer; then `answer_privately` or `answer` gives it."""
        with translating_discord_errors():
            deferral = Deferral.PRIVATE if privately else Deferral.PUBLIC
            await FirstAnswer.of(interaction).defer(deferral)

    async def add_note(self, interaction: discord.Interaction[Any], note: MessageContent) -> int:
        """Send a private message in addition to any earlier answer; returns its id."""
        named = mentions(note.named, but=interaction.user.id)
        send = bind(FirstAnswer.of(interaction).send, private=True, allowed_mentions=named)
        return (await self._deliver(note, None, send)).id

    async def acknowledge(self, interaction: discord.Interaction[Any]) -> None:
        """Acknowledge a click whose message will be edited in a moment."""
        with translating_discord_errors():
            await FirstAnswer.of(interaction).defer(Deferral.IN_PLACE)

    async def _send_plain(
        self,
        content: MessageContent,
        send: Callable[..., Awaitable[discord.Message]],
        *,
        direct: bool = False,
    ) -> discord.Message:
        """Send the head of a message as `content`, which push notifications show, with its buttons.

        They show nothing that consists of components (discord-api-docs #7854).
        """
        words = self._layouts.words(content.head)
        with translating_discord_errors(direct=direct):
            return await send(content=words, view=PlainButtons(content.rows))

    async def _deliver(
        self,
        content: MessageContent,
        had: Media | None,
        request: Callable[..., Awaitable[T]],
    ) -> T:
        """Make a request with this message and return its result, without a picture if need be.

        If Discord refuses to keep a picture, it's uploaded again; if it refuses an upload, words
        are sent: no match stops for a picture. A request may have been carried out though its
        answer was lost.
        """
        view, files = await self._layouts.of(content, had)
        try:
            with translating_discord_errors(files=files):
                return await request(view=view, files=files)
        except RefusedPictureError as refused:
            log.warning("picture refused", kept=keeps_attachment(files), why=str(refused.__cause__))
            if not keeps_attachment(files):
                content = content.in_words()
        return await self._deliver(content, None, request)

    async def _as_preferred(self, content: MessageContent, user: int) -> MessageContent:
        """Content that only this person sees: in words if they want no pictures."""
        if content.picture is None or not await self._preferences.wants_words(user):
            return content
        return content.in_words()
