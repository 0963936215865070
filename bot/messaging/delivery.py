"""Messages on their way to Discord: what arrived, or an UndeliveredError that says why not."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial as bind
from typing import Any, Final, TypeVar

import discord
import structlog

from bot.errors import ButtonError
from bot.messaging.archived_threads import ArchivedThreads
from bot.messaging.arrivals import Arrived, Media, arrived, media
from bot.messaging.channels import Channels, is_in_thread
from bot.messaging.command_ids import CommandIds
from bot.messaging.components import is_offered
from bot.messaging.content import Layout, MessageContent, mentions
from bot.messaging.failures import (
    Failure,
    Files,
    RefusedPictureError,
    UndeliveredError,
    keeps,
    once_more,
    taking,
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
AGAIN: Final = "~"
"""Ends the nonce of what is sent once more."""


class Delivery:
    """Sends and replaces messages, drawing a picture only where Discord has not got it.

    A new message names in `allowed_mentions` only whom it pings. An edit notifies nobody and names
    everybody it mentions: clients may show only the ids of others. What notifies somebody is sent
    in words, which the notification shows; who has sent it notes that, and edits it to what it is.
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
        """A new message that is no slot's, sent once more where only Discord's answer was lost."""
        return await once_more(
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
        """A new message; sent again with the same nonce, Discord answers with the first one.

        It waits for its turn among all requests that Discord counts, as edits, deletions, threads
        and channels do; `since` is when the need for it arose, in the time of the event loop.
        `direct` says that it goes to one person, whom it notifies in any case: who is named there
        besides does not see it, so everybody can be named.
        """
        partial = self._client.get_partial_messageable(channel)
        named = mentions([*pinged, *(content.named if direct else content.asked)])

        async def counted(**message: Any) -> discord.Message:  # noqa: ANN401 - passed on
            await self.pace.turn(since)
            # Not whom a public message only names: that is no mention, however quiet.
            silent = bool(content.asked)
            return await partial.send(**message, nonce=nonce, allowed_mentions=named, silent=silent)

        try:
            if direct or pinged:
                return arrived(await self._plainly(content, counted, direct=direct))
            return arrived(await self._deliver(content, None, counted))
        except UndeliveredError as error:
            if error.failure is not Failure.GONE or nonce.endswith(AGAIN):
                raise
        # What had this nonce was deleted before we heard of it: Discord makes no second one.
        again = nonce[: MAX_NONCE_LENGTH - 1] + AGAIN
        return await self.send_once(
            channel, content, again, pinged=pinged, direct=direct, since=since
        )

    async def send_file(self, channel: int, sentence: str, sent: PersonalFile, nonce: str) -> None:
        """A file and a sentence by direct message; sent once more as in `send`."""
        partial = self._client.get_partial_messageable(channel)
        words = self._layouts.words(sentence)

        async def counted() -> None:
            await self.pace.turn()
            with translating_discord_errors(direct=True):
                await partial.send(words, file=sent.file, nonce=nonce)

        await once_more(counted)

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
        """Edit by the channel; like what is sent, it waits for its turn among all requests.

        `plain` says that it stands there in Discord's older form.
        """
        partial = self._client.get_partial_messageable(channel).get_partial_message(message)

        async def counted(**changes: Any) -> discord.Message:  # noqa: ANN401 - passed on
            await self.pace.turn(since)
            return await partial.edit(**changes)

        return await self._changed(content, had, counted, plain=plain)

    async def edit_by(
        self,
        token: Token,
        content: MessageContent,
        had: Media | None,
        *,
        plain: bool = False,
    ) -> Arrived:
        """Edit what an interaction answered with; not counted against Discord's 50 a second."""
        hook, which = token.hook(self._client)
        edit = bind(hook.edit_message, which)
        return await self._changed(content, had, edit, plain=plain)

    async def delete_by(self, token: Token) -> None:
        """Delete what an interaction answered with; not counted either."""
        hook, which = token.hook(self._client)
        with translating_discord_errors():
            await hook.delete_message(which)

    async def _changed(
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

        return arrived(await self._deliver(content, had, request))

    async def name_all(self, there: Arrived, content: MessageContent) -> None:
        """Edit a message that nothing else will, so that it shows whom it mentions by name."""
        place = self._client.get_channel(there.channel)
        if content.named and not isinstance(place, discord.Thread | None):  # it takes them in
            with suppress(UndeliveredError):
                await self.edit(there.channel, there.message, content, there.media)

    async def edit_past(self, channel: int, message: int, content: MessageContent) -> Arrived:
        """Edit a message of something that is over, also in an archived thread."""
        return await self.archived.also_there(
            channel, lambda: self.edit(channel, message, content, None)
        )

    async def delete(self, channel: int, message: int, *, since: float | None = None) -> None:
        """Delete a message, also in an archived thread."""
        partial = self._client.get_partial_messageable(channel).get_partial_message(message)

        async def counted() -> None:
            await self.pace.turn(since)
            with translating_discord_errors():
                await partial.delete()

        await self.archived.also_there(channel, counted)

    async def answer(
        self,
        interaction: discord.Interaction[Any],
        content: MessageContent,
        pinged: Sequence[int] = (),
    ) -> Arrived:
        """Answer a command or click with a new public message, which pings these people only."""
        named = mentions(pinged)
        send = bind(FirstAnswer.of(interaction).send, private=False, allowed_mentions=named)
        if pinged:
            return arrived(await self._plainly(content, send))
        return arrived(await self._deliver(content, None, send))

    async def answer_with_picture(
        self, interaction: discord.Interaction[Any], content: MessageContent
    ) -> None:
        """Answer a command publicly; a picture follows, unless the one who asks wants none."""
        if content.picture is None or await self._preferences.wants_words(interaction.user.id):
            await self.answer_for_good(interaction, replace(content, picture=None))
            return
        with translating_discord_errors():
            await FirstAnswer.of(interaction).defer(Deferral.PUBLIC)
        # Discord takes what fills it for the message itself: whoever may be mentioned is pinged.
        await self.answer_for_good(interaction, content)

    async def answer_for_good(
        self, interaction: discord.Interaction[Any], content: MessageContent
    ) -> None:
        """Answer with a public message that nothing else will edit, and name whom it mentions."""
        there = await self.answer(interaction, content)
        if is_guest(interaction) or is_in_thread(interaction) or not content.named:
            return
        with suppress(UndeliveredError):
            await self.edit_by(Token.of(interaction), content, there.media)

    async def answer_privately(
        self, interaction: discord.Interaction[Any], content: MessageContent
    ) -> int:
        """Answer with a message for that person only, its id; a picture takes time and follows."""
        content = await self._suited(content, interaction.user.id)
        if content.picture is not None:
            await self.answer_later(interaction)
        return await self.complete(interaction, content)

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
        if message is None or not is_offered(interaction):
            raise ButtonError("This button is out of date. Use the command again.")
        if message.flags.ephemeral:
            content = await self._suited(content, interaction.user.id)
        had = had or media(message)
        plain = not message.flags.components_v2
        quiet = is_in_thread(interaction) and not message.flags.ephemeral
        if content.picture is None or (had is not None and had.shows(content)):
            view, files = await self._layouts.of(content, had)
            try:
                with taking(files):
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
        return (await self._changed(content, had, change, plain=plain, quiet=quiet)).media

    async def answer_with_words(self, interaction: discord.Interaction[Any], sentence: str) -> None:
        """Answer with a sentence for that person only; on a private message, in its place."""
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
        """Answer with files to keep, for that person only."""
        words, sent = self._layouts.words(sentence), [file.file for file in files]
        with translating_discord_errors():
            await FirstAnswer.of(interaction).send(private=True, content=words, files=sent)

    async def answer_later(
        self, interaction: discord.Interaction[Any], *, privately: bool = True
    ) -> None:
        """Tell a person that the answer takes a moment; `complete` gives it, openly `answer`."""
        with translating_discord_errors():
            deferral = Deferral.PRIVATE if privately else Deferral.PUBLIC
            await FirstAnswer.of(interaction).defer(deferral)

    async def complete(self, interaction: discord.Interaction[Any], content: MessageContent) -> int:
        """The answer that was promised, or another in its place; the id of its message."""
        content = await self._suited(content, interaction.user.id)
        if FirstAnswer.of(interaction).has_message:
            return (await self.edit_by(Token.of(interaction), content, None)).message
        return await self.add_note(interaction, content)

    async def add_note(self, interaction: discord.Interaction[Any], note: MessageContent) -> int:
        """A message for that person only, besides what they may have been answered with."""
        named = mentions(note.named, but=interaction.user.id)
        send = bind(FirstAnswer.of(interaction).send, private=True, allowed_mentions=named)
        return (await self._deliver(note, None, send)).id

    async def acknowledge(self, interaction: discord.Interaction[Any]) -> None:
        """Answer a click for now; its message will be changed in a moment."""
        with translating_discord_errors():
            await FirstAnswer.of(interaction).defer(Deferral.IN_PLACE)

    async def _plainly(
        self,
        content: MessageContent,
        send: Callable[..., Awaitable[discord.Message]],
        *,
        direct: bool = False,
    ) -> discord.Message:
        """Send the words of a message, which a notification shows, with its buttons."""
        words, buttons = self._layouts.plain(content.in_plain())
        with translating_discord_errors(direct=direct):
            return await send(content=words, view=buttons)

    async def _deliver(
        self,
        content: MessageContent,
        had: Media | None,
        request: Callable[..., Awaitable[T]],
    ) -> T:
        """What a request with this message gives; a picture that Discord does not take is left out.

        So is one that can't be drawn, or not soon: a slot that waits for it shows nothing newer.
        One that was to stay is sent again first, and one that is refused is said in words: no
        match stops for a picture. A request may have been carried out though its answer was lost.
        """
        content = await self._layouts.in_time(content, had)
        view, files = await self._layouts.of(content, had)
        try:
            with taking(files):
                return await request(view=view, files=files)
        except RefusedPictureError as refused:
            log.warning("picture refused", kept=keeps(files), why=str(refused.__cause__))
            if not keeps(files):
                content = content.in_words()
        return await self._deliver(content, None, request)

    async def _suited(self, content: MessageContent, user: int) -> MessageContent:
        """What only this person sees, without a picture if they want none."""
        if content.picture is None or not await self._preferences.wants_words(user):
            return content
        return content.in_words()
