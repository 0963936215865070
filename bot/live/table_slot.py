"""The table: the public message of a match, from the challenge to the rematch."""

from dataclasses import replace
from datetime import timedelta
from functools import cached_property
from typing import Final

import discord
import structlog

from bot.errors import MatchError
from bot.live.bar import Bar
from bot.live.message_slot import MessageSlot, is_passing
from bot.matches import PublicSnapshot
from bot.messaging.failures import PASSING_FAILURES, Failure, UndeliveredError
from bot.rendering.agreements import is_rematched
from bot.rendering.pauses import moved_content
from bot.settings.notices import way_of
from bot.storage import SHOWN_PLAIN, SHOWN_POSTING, MessageRef
from bot.storage.messages import SHOWN_OPEN

log = structlog.get_logger()

BEGINNING: Final = f"{SHOWN_OPEN}begun"
"""The key of a table posted for a match that began without a challenge; handled like a challenge's.
"""

REPOSTED_AT_MOST_EVERY: Final = timedelta(minutes=1)
"""How long a table stays where it was posted, however many players want it at the bottom."""


def outdated_key(key: str | None) -> str:
    """What to note instead of a table's key that is outdated: still whether it's a challenge's."""
    return SHOWN_OPEN if (key or "").startswith(SHOWN_OPEN) else ""


class TableSlot(MessageSlot[PublicSnapshot]):
    @cached_property
    def _reposts(self) -> Bar:
        """Bars reposting, when that is refused; the table can be edited all the same."""
        return Bar()

    @property
    def stays(self) -> bool:
        """Whether it can't be reposted now, because that would be refused again."""
        return self._reposts.holds

    def unbar(self) -> None:
        super().unbar()
        self._reposts.lift()

    def begins(self, snapshot: PublicSnapshot) -> bool:
        """Whether the match has begun, and its table still shows the challenge.

        Of all tables, only challenges are sent in words.
        """
        return snapshot.status == "running" and (self.plain or bool(outdated_key(self.shown)))

    def mark_outdated(self, *, unshown: bool = False) -> None:
        self.mark_shown(outdated_key(self.shown), unshown=unshown)

    def key_now(self, key: str, times_outdated: int) -> str:
        return super().key_now(key, times_outdated) or outdated_key(key)

    def is_outdated(self, snapshot: PublicSnapshot) -> bool:
        return super().is_outdated(snapshot) and not self._has_lost_channel(snapshot)

    def _has_lost_channel(self, snapshot: PublicSnapshot) -> bool:
        """Whether the match has lost its channel, and the bot can't show that in its table."""
        return snapshot.is_lost and (
            self.ref is None or not self._services.delivery.channels.sees(self.ref.channel)
        )

    def wants_message(self, snapshot: PublicSnapshot) -> bool:
        # An open challenge is the answer to its command; the first click on it tells where it is.
        return snapshot.status == "running" and not snapshot.is_solo

    async def repost_table(self, snapshot: PublicSnapshot, interaction: int) -> None:
        """Repost the table at the bottom of its channel, with the lock held; delete the old one.

        MatchError if it was posted within a minute before this interaction (an id), if Discord
        refuses, and for a solo match.
        """
        if snapshot.is_solo:
            label = self._services.presentations[snapshot.game].hand_label
            raise MatchError(f"This match has no table. **{label}** shows it here.")
        old = self.ref
        if old is not None and _time_between(old.message, interaction) < REPOSTED_AT_MOST_EVERY:
            raise MatchError("The table was just posted. Try again in a minute.")
        try:
            await self._post_at_bottom(snapshot)
        except UndeliveredError as error:
            if is_passing(error):
                why = f"I can't repost the table yet: {error}. It follows as soon as I can."
            else:
                why = f"I can't repost the table: {error}. It stays where it is."
            raise MatchError(why) from None

    async def keep_open(self, snapshot: PublicSnapshot) -> None:
        """Repost the table, with the lock held: else its thread is archived, or an edit is late.

        If Discord refuses that, the table stays, and it isn't tried again for a while.
        """
        if self.stays or self.bar.holds:
            return
        try:
            await self._post_at_bottom(snapshot)
        except UndeliveredError as error:
            self._reposts.refused(error.failure)
            raise
        self._reposts.arrived()

    async def _repost_instead(self, snapshot: PublicSnapshot) -> bool:
        """Repost the table because its edit would be late; False if it has to be edited."""
        try:
            await self.keep_open(snapshot)
        except UndeliveredError:
            if not self.stays:
                raise
        return not self.stays

    async def invited(self, snapshot: PublicSnapshot) -> tuple[int, ...]:
        """The players a challenge asks, except those who are told in another way or not at all."""
        if snapshot.status != "open":
            return ()
        asked = [info.user for info in snapshot.seats if not info.accepted]
        async with self._services.storage.reading() as reading:
            ways = {user: await reading.people.notice_preference(user) for user in asked}
        return tuple(user for user in asked if way_of(ways[user], "challenged") == "channel")

    def can_be_reposted(self, snapshot: PublicSnapshot) -> bool:
        is_challenge = snapshot.status == "open" or self.begins(snapshot)
        is_told = self.is_detail(snapshot) or self.waiting.drawing is not None
        return not (is_challenge or is_told or self.stays)

    async def _post_at_bottom(self, snapshot: PublicSnapshot) -> None:
        """Post the table at the bottom of its channel and delete the old one."""
        if self.ref is None:
            await self.send(snapshot, None)
        else:
            await self.repost(snapshot, self.ref)

    async def _channel(self, snapshot: PublicSnapshot) -> int:
        if self.ref is not None and self.ref.coming:
            return self.ref.channel
        assert snapshot.channel is not None  # a solo match has no table
        return snapshot.channel

    async def _show_message(self, snapshot: PublicSnapshot) -> None:
        if self.shown == SHOWN_POSTING and not await self._find(snapshot):
            if self.wants_message(snapshot):
                await self.send(snapshot, None)
            else:
                self.bar.close()  # nobody has seen this challenge
            return
        if self.ref is None:
            await self.send(snapshot, None)
            return
        if self.waiting.is_repost and await self._repost_instead(snapshot):
            return
        begins = self.begins(snapshot) and not self.is_coming
        if begins and await self._move_to_thread(snapshot, self.ref):
            return
        try:
            await self.edit_words_first(self.ref, snapshot)
        except UndeliveredError as error:
            if error.failure is Failure.GONE and self._is_dispensable(snapshot):
                self.mark_shown(snapshot.key, snapshot.revision)
            elif error.failure is Failure.NOWHERE and self.ref.channel != snapshot.channel:
                await self.send(snapshot, self.ref)  # it was moved
            else:
                await self.replace(snapshot, self.ref, error)

    def _is_dispensable(self, snapshot: PublicSnapshot) -> bool:
        """Whether nobody needs the table again, if it was deleted.

        Players are notified if a challenge fails. The end of a match is shown once; after that, its
        buttons are needed only for a request to which somebody may agree.
        """
        if snapshot.is_unfinished:
            return False
        is_wished = any(p.agrees for p in snapshot.seats) and not is_rematched(snapshot)
        showed_end = (self.shown or "").startswith(("over", "closed"))
        return snapshot.view is None or (showed_end and not is_wished)

    async def _find(self, snapshot: PublicSnapshot) -> bool:
        """Find and store the table that a command may have been answered with before a crash."""
        token = self.token
        arrived = None
        if token is not None and token.fresh:
            arrived = await self._services.sent.answered(token)
        if arrived is None and self.ref is not None:  # it may have been sent as a follow-up
            arrived = await self._services.sent.newest_of(
                self.match, self.ref.channel, after=self.ref.message, begun=None
            )
        if arrived is None:
            return False
        shown = SHOWN_PLAIN if arrived.plain else SHOWN_OPEN if snapshot.is_unfinished else ""
        await self.put(MessageRef(channel=arrived.channel, message=arrived.message, shown=shown))
        return True

    async def _move_to_thread(self, snapshot: PublicSnapshot, challenge: MessageRef) -> bool:
        """Move a match that begins to its own thread, if it's to have one; whether it has.

        Every step can be repeated: the next start completes what a crash has interrupted.
        """
        thread = await self._services.threads.begin(snapshot, challenge)
        if thread is None:
            return False
        presentation = self._services.presentations[snapshot.game]
        moved = replace(snapshot, channel=thread)
        try:
            await self.edit(challenge, moved_content(snapshot, presentation, thread))
            # It was in words, and no longer is.
            self.ref = replace(challenge, shown=self.shown or BEGINNING)
        except UndeliveredError as error:
            if error.failure in PASSING_FAILURES | {Failure.NOWHERE}:
                raise
            # A moderator may have deleted it just now: nothing else posts a table in the thread.
            log.info("challenge stays", match=self.match, why=error.failure.name)
        else:
            await self._slots.set_signpost(moved, challenge, self.token)
        self.token = None
        await self.send(moved, challenge)
        self.outdate()  # an edit that mentions its players adds them to the thread
        return True


def _time_between(message: int, interaction: int) -> timedelta:
    """The time between a message and an interaction by Discord's clock, from their ids."""
    return discord.utils.snowflake_time(interaction) - discord.utils.snowflake_time(message)
