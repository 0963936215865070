"""The message of a slot and its edits: by interaction or not, with the picture or words first."""

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

import discord
import structlog

from bot.live.bar import Bar
from bot.live.waiting import Waiting
from bot.matches import Snapshot
from bot.matches.reopenings import is_resumable
from bot.messaging.arrivals import Arrived, Media
from bot.messaging.content import MessageContent, Picture
from bot.messaging.failures import PASSING_FAILURES, UndeliveredError
from bot.messaging.first_answer import Token
from bot.rendering import render
from bot.rendering.agreements import is_rematched, lacks_link
from bot.rendering.lessons import possible_newcomers, with_lesson_offer
from bot.storage import OUTDATED_LINK, SHOWN_PLAIN, TABLE, MatchId, MessageRef, TokenRecord
from bot.text import discord_link

if TYPE_CHECKING:  # that module imports the slots
    from bot.live.message_slots import MessageSlots

log = structlog.get_logger()

SnapshotT = TypeVar("SnapshotT", bound=Snapshot)

WORDS_FIRST_SECONDS: Final = 0.25
"""Seconds after which a message is shown in words, and its picture follows."""

IN_WORDS: Final = " in words"
"""Suffix of the key of a message that is shown in words while its picture is still to come."""

UNLINKED: Final = "unlinked "
"""Prefix of the key, after the end of a match, of a message that should link to the table of the
rematch, which doesn't exist yet."""

WORDS_SECONDS: Final = (0.0, 60.0, 300.0, 1800.0)
"""Seconds that a message is shown in words only, after the first refused picture, the second in a
row, and so on; the change after that tries a picture again."""

IN_THREAD_SECONDS: Final = 3.0
"""Timeout in seconds of an edit by interaction in a thread: Discord has answered it with 500 in
archived threads, and discord.py retries that for 25 seconds."""


def is_linked(key: str | None) -> bool:
    """Whether a message with this key doesn't lack the link to a rematch."""
    return not (key or "").startswith(UNLINKED)


def key_of(snapshot: Snapshot, content: MessageContent) -> str:
    """The key of a message with this content."""
    return UNLINKED + snapshot.key if lacks_link(snapshot, content) else snapshot.key


class TokenEndedError(Exception):
    """The interaction can't edit its message anymore: edits count now, and need an edit turn."""


class EditedMessage(Generic[SnapshotT]):
    """One message of a match, and what it shows. The lock is held while the message is changed."""

    def __init__(
        self,
        slots: "MessageSlots",
        match: MatchId,
        place: int,
        ref: MessageRef | None,
        *,
        sent_before: bool,
        token: Token | None = None,
    ) -> None:
        self._slots = slots
        self._services = slots.services
        self.match = match
        self.place = place
        self.ref = ref
        self.is_placed = ref is not None
        """Whether a row stores where the message is, though maybe not all that is known about it.
        """

        self.plain = ref is not None and ref.shown == SHOWN_PLAIN
        """Whether the message is known to be still in Discord's older format, in which it was sent.
        """

        self._token = token
        self.media: Media | None = None
        self.bar = Bar()

        self.sent_before = sent_before
        """Whether a message may have been sent here that isn't known: before the last crash, or by
        an attempt that seemed to fail. Its nonce brings that message back, with the content it had
        then."""

        self.times_outdated = 0
        """How often the message became outdated in a way that no key shows; content that was
        rendered before that is stale."""

        self._refused = 0
        """Pictures in a row that Discord has refused here."""

        self._words_until = 0.0
        """When a picture may be tried here again, in event loop time."""

        self.waiting = Waiting(slots.services.turns)
        self.lock = asyncio.Lock()

    @property
    def message(self) -> int | None:
        """The id of the message, if there is one."""
        return None if self.ref is None else self.ref.message

    @property
    def shown(self) -> str | None:
        """The key of the snapshot that the message shows; None without a message.

        Empty if that is unknown or outdated.
        """
        if self.ref is None:
            return None
        return "" if self.ref.shown == SHOWN_PLAIN else self.ref.shown

    @property
    def token(self) -> Token | None:
        """The interaction by which the message can be edited until it expires."""
        return self._token

    @token.setter
    def token(self, token: Token | None) -> None:
        self._token = token
        if token is not None and token.fresh:
            self.bar.lift()  # editing by interaction needs no permission
        self.waiting.look_again()
        if self.ref is not None:
            self._slots.note_shown(self)

    @property
    def token_record(self) -> TokenRecord | None:
        """The token as it's stored; None if there is none, or it has expired."""
        token = self._token
        if token is None or not token.fresh:
            return None
        return TokenRecord(token.value, int(token.until.timestamp()), token.message)

    def draft(self, snapshot: SnapshotT) -> str:
        """The draft of a move in the message; always empty except for a hand."""
        del snapshot
        return ""

    async def content(self, snapshot: SnapshotT) -> MessageContent:
        """The content for this snapshot, with a link to its table, or to that of its rematch."""
        services = self._services
        if is_rematched(snapshot):
            async with services.storage.reading() as reading:
                table = await reading.messages.table_of_rematch(snapshot.match)
        else:
            table = (await self._slots.at(snapshot.match, TABLE)).ref
        url = None if table is None else discord_link(snapshot.guild, table.channel, table.message)
        if snapshot.counts_at is not None:
            snapshot = await self._with_offers(snapshot)
        content = render(snapshot, services.presentations, url, self.draft(snapshot))
        people = possible_newcomers(snapshot)
        if (
            people
            and services.presentations[snapshot.game].lesson
            and await services.progress.newcomers(people, snapshot.game, snapshot.match)
        ):
            content = with_lesson_offer(content, snapshot.game)
        resting = asyncio.get_running_loop().time() < self._words_until
        return content.in_words() if resting else content

    async def _with_offers(self, snapshot: SnapshotT) -> SnapshotT:
        """The snapshot, with whether its players can resume a match that was lost on time."""
        async with self._services.storage.reading() as reading:
            record = await reading.matches.load(snapshot.match)
            resumable = record is not None and await is_resumable(reading, record)
        return replace(snapshot, resumable=resumable)

    def note_picture(self, content: MessageContent, media: Media | None) -> None:
        """Note whether Discord accepted the picture of this content; `media` is None if it didn't.

        A message whose pictures are refused is shown in words, for longer each time, so that not
        every change of it costs two requests.
        """
        if content.picture is None:
            return
        if media is not None:
            self._refused = 0
            return
        pause = WORDS_SECONDS[min(self._refused, len(WORDS_SECONDS) - 1)]
        self._words_until = asyncio.get_running_loop().time() + pause
        self._refused += 1

    def mark_shown(self, key: str, revision: int = 0, *, unshown: bool = False) -> None:
        """Note what the message shows, and the match's revision if that is known; stored soon."""
        if self.ref is not None:
            shown = self._noted(key)
            self.ref = replace(self.ref, shown=shown, revision=revision, unshown=unshown)
            self._slots.note_shown(self)
        self.waiting.draw(None)

    def mark_outdated(self, *, unshown: bool = False) -> None:
        """Note that the message shows something outdated."""
        self.mark_shown("", unshown=unshown)

    def outdate(self) -> None:
        """Mark the message for an update, even if an edit under way was rendered too early."""
        self.times_outdated += 1
        self.bar.unblock()
        self.mark_outdated()

    def take_over_from(self, before: "EditedMessage[Any]") -> None:
        """Replace a slot whose row was read again; share its lock, as it may still be in use."""
        self.lock = before.lock

    def unbar(self) -> None:
        """Allow sending again where Discord refused it."""
        self.bar.lift()

    def shown_elsewhere(self) -> None:
        """Mark the message for an update: another process may have set it to an older state."""
        self.mark_outdated()

    def link_moved(self) -> None:
        """Mark the message for an update, as a detail: the table that it links to has moved."""
        self.times_outdated += 1
        if self.shown and not self.shown.endswith(OUTDATED_LINK):
            self.mark_shown(self.shown + OUTDATED_LINK)

    def key_now(self, key: str, times_outdated: int) -> str:
        """The key to note for content rendered at `times_outdated`; empty if outdated since."""
        return key if self.times_outdated == times_outdated else ""

    def _noted(self, key: str) -> str:
        """A key as stored: SHOWN_PLAIN for an outdated message that is still in that format."""
        return key or (SHOWN_PLAIN if self.plain else "")

    async def put(self, ref: MessageRef) -> None:
        """Store a new message, or more about the current one, at once: a crash must not repeat it.

        A new message is deleted again if its match or player was deleted meanwhile.
        """
        if self.message != ref.message:
            self.is_placed = self.plain = False
        self.plain |= ref.shown == SHOWN_PLAIN
        self.ref = replace(ref, shown=self._noted(ref.shown))
        self.waiting.draw(None)
        await self._slots.put(self, self.ref)

    def abandon(self) -> None:
        """Forget the message, and send no other."""
        self.ref = self.token = self.media = None
        self.bar.close()

    async def edit(self, ref: MessageRef, content: MessageContent) -> Arrived:
        """Edit by the interaction until it expires: that doesn't count toward Discord's 50/s.

        TokenEndedError if it has expired early, and no edit turn was waited for.
        """
        arrived = await self._edit_by_token(ref, content)
        if arrived is None:
            arrived = await self._services.delivery.edit(
                ref.channel,
                ref.message,
                content,
                self.media,
                since=self.waiting.rank,
                plain=self.plain,
            )
        self.plain = False
        self.bar.arrived()
        self.note_picture(content, arrived.media)
        return arrived

    async def _edit_by_token(self, ref: MessageRef, content: MessageContent) -> Arrived | None:
        """Edit by the interaction; None if there is none, or it can't edit the message anymore."""
        if self.token is None or not self.token.fresh:
            return None
        in_thread = self.place == TABLE and self._services.threads.is_thread(ref.channel)
        try:
            async with asyncio.timeout(IN_THREAD_SECONDS if in_thread else None):
                return await self._services.delivery.edit_by(
                    self.token, content, self.media, plain=self.plain
                )
        except UndeliveredError as error:
            if error.failure in PASSING_FAILURES and not in_thread:
                raise
        except TimeoutError:  # the bot's own token may work where this one doesn't
            log.info("edit in thread too slow", match=self.match)
        self.token = None
        if not self.waiting.has_turn:
            raise TokenEndedError
        return None

    async def complete(
        self, ref: MessageRef, content: MessageContent, key: str, outdated: int
    ) -> None:
        """Edit a message that was just sent and stored to its full content.

        If that fails, the message works as it was sent, and is behind like any other.
        """
        try:
            self.media = (await self.edit(ref, content)).media
        except (UndeliveredError, TokenEndedError, discord.HTTPException, ValueError) as error:
            log.warning("not complete", match=self.match, place=self.place, why=str(error))
            return
        self.mark_shown(self.key_now(key, outdated))

    async def edit_words_first(self, ref: MessageRef, snapshot: SnapshotT) -> None:
        """Edit at once: if the picture isn't drawn soon, words go first and the picture follows.

        `waiting` then has that picture. If it takes too long, words say what it shows, and the next
        change tries a picture again.
        """
        outdated = self.times_outdated
        content = await self.content(snapshot)
        picture = self._to_draw(content)
        key = key_of(snapshot, content)
        if self.shown == key:
            return  # the table that it should link to still doesn't exist
        is_in_words = self.waiting.drawing is not None and self.shown == key + IN_WORDS
        if picture is not None and is_in_words:
            if self.waiting.is_drawn_in_time:
                return
            content = content.in_words()
        elif picture is not None and not await self._draw_in_time(picture):
            self.media = (await self.edit(ref, replace(content, picture=None))).media
            self.mark_shown(self.key_now(key + IN_WORDS, outdated))
            self.waiting.draw(self._services.delivery.pictures.begin(picture))
            return
        self.media = (await self.edit(ref, content)).media
        self.mark_shown(self.key_now(key, outdated))

    def _to_draw(self, content: MessageContent) -> Picture | None:
        """The picture to be drawn before this content can be shown in full, or None."""
        is_kept = self.media is not None and self.media.shows(content)
        picture = content.picture
        if picture is None or is_kept or self._services.delivery.pictures.has(picture):
            return None
        return picture

    async def _draw_in_time(self, picture: Picture) -> bool:
        """Draw a picture; whether it's ready soon enough for its message to wait for it."""
        return await self._services.delivery.pictures.within(picture, self._services.words_first)
