"""What stands in the message of a slot, and its edits: by which way, with its picture or before."""

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
from bot.rendering.lessons import offered, perhaps_new
from bot.rendering.presentation import lesson_of
from bot.storage import ASTRAY, PLAIN, TABLE, MatchId, MessageRef, TokenRecord
from bot.text import message_link

if TYPE_CHECKING:  # the registry makes the slots
    from bot.live.registry import MessageSlots

log = structlog.get_logger()

SnapshotT = TypeVar("SnapshotT", bound=Snapshot)

WORDS_FIRST_SECONDS: Final = 0.25
"""A picture that takes longer to be drawn follows the words of its message."""

IN_WORDS: Final = " in words"
"""Ends the key that is shown by a message whose picture is still to come."""

UNLINKED: Final = "unlinked "
"""Begins the key that is shown after the end by what is to lead to the table of a rematch, which
does not stand yet."""

WORDS_SECONDS: Final = (0.0, 60.0, 300.0, 1800.0)
"""Seconds that a message says in words what its picture would show, after the first refused
picture, the second in a row, and so on; the change after that tries a picture again."""

IN_THREAD_SECONDS: Final = 3.0
"""An edit through an interaction gets so long in a thread: Discord has answered it with 500 where
the thread was put away, and the library tries that for 25 seconds."""


def is_linked(shown: str | None) -> bool:
    """Whether nothing is missing from what shows this but, at most, a picture."""
    return not (shown or "").startswith(UNLINKED)


def key_of(snapshot: Snapshot, content: MessageContent) -> str:
    """What a message shows once this is its content."""
    return UNLINKED + snapshot.key if lacks_link(snapshot, content) else snapshot.key


class TokenEndedError(Exception):
    """The interaction edits its message no longer: edits are counted now, and wait their turn."""


class EditedMessage(Generic[SnapshotT]):
    """What stands in one message of a match. The lock is held while the message is changed."""

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
        self._tools = slots.tools
        self.match = match
        self.place = place
        self.ref = ref
        self.is_placed = ref is not None
        """Whether a row says where the message stands, if perhaps less of it than is known."""

        self.plain = ref is not None and ref.shown == PLAIN
        """Whether it is known to stand in Discord's older form, in which it was sent."""

        self.shown = None if ref is None else "" if self.plain else ref.shown
        """The key of the snapshot that the message shows; None where there is no message."""

        self.revision = 0 if ref is None else ref.revision
        """The newest revision of the match that the message is known to show."""

        self.unshown = ref is not None and ref.unshown
        """Whether what is noted as shown, the end of the match, did not get to where it stands."""

        self._token = token
        self.media: Media | None = None
        self.bar = Bar()

        self.sent_before = sent_before
        """A message may have been sent here that we were not told of: before our last death, or by
        an attempt that seemed to fail. Its nonce brings that one back, and it says what it said
        then."""

        self.times_outdated = 0
        """How often what was rendered until then became out of date, which no key says."""

        self._refused = 0
        """Pictures that Discord has refused here one after the other."""

        self._words_until = 0.0
        """Until when no picture is tried here, in the time of the event loop."""

        self.waiting = Waiting(slots.tools.turns)
        self.lock = asyncio.Lock()

    @property
    def message(self) -> int | None:
        """The id of the message, if there is one."""
        return None if self.ref is None else self.ref.message

    @property
    def token(self) -> Token | None:
        """The interaction through which it can be edited while that lasts."""
        return self._token

    @token.setter
    def token(self, token: Token | None) -> None:
        self._token = token
        if token is not None and token.fresh:
            self.bar.lift()  # to edit by it, the bot needs no permission
        self.waiting.look_again()
        if self.ref is not None:
            self._slots.note_shown(self)

    @property
    def token_record(self) -> TokenRecord | None:
        """The same as it is kept."""
        token = self._token
        if token is None or not token.fresh:
            return None
        return TokenRecord(token.value, int(token.until.timestamp()), token.message)

    def draft(self, snapshot: SnapshotT) -> str:
        """What is put together in the message without having been chosen; only a hand has that."""
        del snapshot
        return ""

    async def content(self, snapshot: SnapshotT) -> MessageContent:
        """The message for this snapshot; it leads to its table, after the end to its rematch's."""
        tools = self._tools
        if is_rematched(snapshot):
            async with tools.storage.reading() as reading:
                table = await reading.messages.table_of_rematch(snapshot.match)
        else:
            table = (await self._slots.at(snapshot.match, TABLE)).ref
        url = None if table is None else message_link(snapshot.guild, table.channel, table.message)
        if snapshot.counts_at is not None:
            snapshot = await self._with_offers(snapshot)
        draft = self.draft(snapshot)
        content = render(snapshot, tools.presentations, url, draft)
        if await self._has_newcomer(snapshot):
            content = offered(content, snapshot.game)
        resting = asyncio.get_running_loop().time() < self._words_until
        return content.in_words() if resting else content

    async def _with_offers(self, snapshot: SnapshotT) -> SnapshotT:
        """The same, and whether its players are offered to resume a match that time has ended."""
        async with self._tools.storage.reading() as reading:
            record = await reading.matches.load(snapshot.match)
            resumable = record is not None and await is_resumable(reading, record)
        return replace(snapshot, resumable=resumable)

    async def _has_newcomer(self, snapshot: SnapshotT) -> bool:
        """Whether somebody sees this who should be offered the lesson of its game."""
        people = perhaps_new(snapshot)
        if not people or not lesson_of(self._tools.presentations[snapshot.game]):
            return False
        progress = self._tools.progress
        return bool(await progress.newcomers(people, snapshot.game, snapshot.match))

    def note_picture(self, content: MessageContent, media: Media | None) -> None:
        """Note whether Discord took the picture of this content: the one it shows now, or None.

        A message whose pictures are refused says the same in words, for longer each time, so that
        not every change of it costs two requests.
        """
        if content.picture is None:
            return
        if media is not None:
            self._refused = 0
            return
        pause = WORDS_SECONDS[min(self._refused, len(WORDS_SECONDS) - 1)]
        self._words_until = asyncio.get_running_loop().time() + pause
        self._refused += 1

    def shows(self, key: str, revision: int = 0, *, unshown: bool = False) -> None:
        """Note what the message shows, and of which revision if that is known; written soon."""
        self.shown, self.revision, self.unshown = key, revision, unshown
        self.waiting.draw(None)
        self._slots.note_shown(self)

    def outdate(self) -> None:
        """Let it be brought up to date, also where an edit is on its way that does not know why."""
        self.times_outdated += 1
        self.bar.unblock()
        if self.ref is not None:
            self.shows("")

    def go_on_from(self, before: "EditedMessage[Any]") -> None:
        """Take the place of a slot whose row was read anew; it may still be at work."""
        self.lock = before.lock

    def unbar(self) -> None:
        """Let sending be tried again where it was in vain."""
        self.bar.lift()

    def shown_elsewhere(self) -> None:
        """Let it be brought up to date: another process may have shown what was true before."""
        self.shows("")

    def lead_astray(self) -> None:
        """Let it be brought up to date, as a detail: the table that it leads to has moved."""
        self.times_outdated += 1
        if self.shown and not self.shown.endswith(ASTRAY):
            self.shows(self.shown + ASTRAY)

    def key_now(self, key: str, outdated: int) -> str:
        """What to note of content that was rendered when this had been outdated so often."""
        return key if self.times_outdated == outdated else ""

    @property
    def noted(self) -> str:
        """What is kept of `shown`: of a message that should show something else, if it is plain."""
        return self.shown or (PLAIN if self.plain else "")

    async def put(self, ref: MessageRef) -> None:
        """Note a new message, or more of the one that stands; at once, lest a death sends it twice.

        A new one is gone afterwards where its match or player was deleted meanwhile.
        """
        if self.message != ref.message:
            self.is_placed = self.plain = False
        self.plain |= ref.shown == PLAIN
        self.shown = "" if ref.shown == PLAIN else ref.shown
        self.revision, self.unshown = ref.revision, ref.unshown
        self.ref = replace(ref, shown=self.noted)
        self.waiting.draw(None)
        await self._slots.put(self, self.ref)

    def abandon(self) -> None:
        """Forget the message, and send none any more."""
        self.ref = self.shown = self.token = self.media = None
        self.bar.close()

    async def edit(self, ref: MessageRef, content: MessageContent) -> Arrived:
        """Edit by the interaction while it lasts: that is not counted against Discord's 50/s.

        TokenEndedError if it has ended before its time, and no turn was waited for.
        """
        arrived = await self._edit_by_token(ref, content)
        if arrived is None:
            arrived = await self._tools.delivery.edit(
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
        """The message after an edit by its interaction, None if that can't edit it any more."""
        if self.token is None or not self.token.fresh:
            return None
        in_thread = self.place == TABLE and self._tools.threads.is_thread(ref.channel)
        try:
            async with asyncio.timeout(IN_THREAD_SECONDS if in_thread else None):
                return await self._tools.delivery.edit_by(
                    self.token, content, self.media, plain=self.plain
                )
        except UndeliveredError as error:
            if error.failure in PASSING_FAILURES and not in_thread:
                raise
        except TimeoutError:  # the bot's own token may do what this one does not
            log.info("edit in thread too slow", match=self.match)
        self.token = None
        if not self.waiting.has_turn:
            raise TokenEndedError
        return None

    async def complete(
        self, ref: MessageRef, content: MessageContent, key: str, outdated: int
    ) -> None:
        """Edit a message that was just sent, and noted, to what it is.

        Where that fails it stands as it was sent, which works, and is behind like any other.
        """
        try:
            self.media = (await self.edit(ref, content)).media
        except (UndeliveredError, TokenEndedError, discord.HTTPException, ValueError) as error:
            log.warning("not complete", match=self.match, place=self.place, why=str(error))
            return
        self.shows(self.key_now(key, outdated))

    async def edit_words_first(self, ref: MessageRef, snapshot: SnapshotT) -> None:
        """Edit at once: a picture that has to wait for its turn to be drawn follows the words.

        `waiting` has that picture then. Where it takes too long, what it shows is said instead, and
        the next change tries a picture again.
        """
        outdated = self.times_outdated
        content = await self.content(snapshot)
        picture = self._to_draw(content)
        key = key_of(snapshot, content)
        if self.shown == key:
            return  # the table that it is to lead to still does not stand
        is_said = self.waiting.drawing is not None and self.shown == key + IN_WORDS
        if picture is not None and is_said:
            if self.waiting.is_drawn_in_time:
                return
            content = content.in_words()
        elif picture is not None and not await self._is_drawn(picture):
            self.media = (await self.edit(ref, replace(content, picture=None))).media
            self.shows(self.key_now(key + IN_WORDS, outdated))
            self.waiting.draw(self._tools.delivery.pictures.begin(picture))
            return
        self.media = (await self.edit(ref, content)).media
        self.shows(self.key_now(key, outdated))

    def _to_draw(self, content: MessageContent) -> Picture | None:
        """What has to be drawn before this content can be shown whole."""
        stands = self.media is not None and self.media.shows(content)
        picture = content.picture
        if picture is None or stands or self._tools.delivery.pictures.has(picture):
            return None
        return picture

    async def _is_drawn(self, picture: Picture) -> bool:
        """Let a picture be drawn; whether that is soon enough to wait for it."""
        return await self._tools.delivery.pictures.within(picture, self._tools.words_first)
