"""Messages of notices: deleted when they no longer hold, or when a newer one was sent."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Final

import structlog
from discord.utils import time_snowflake

from bot.errors import CorruptRecordError, NoSuchMatchError, StorageUnavailableError
from bot.matches import Matches, SeatSnapshot
from bot.matches.notices import still_holds
from bot.messaging.delivery import Delivery
from bot.messaging.failures import PASSING_FAILURES, UndeliveredError
from bot.storage import Committed, MatchId, MessageRef, Storage
from bot.storage.notices import SentRecord
from bot.storage.shards import Shards

log = structlog.get_logger()

STANDING: Final = timedelta(days=3)
"""How long a message about a finished match is remembered, to be deleted when another is sent."""

SWEEP: Final = timedelta(hours=1)
"""How often older ones are forgotten: that takes a look at all of them."""

Owns = Callable[[int | None], bool]
"""Whether a server's matches belong to this process."""


class SentNotices:
    """Keeps at most one message about a match for each person, besides the hand: the newest."""

    def __init__(
        self, storage: Storage, delivery: Delivery, matches: Matches, *, now: Callable[[], float]
    ) -> None:
        self._storage = storage
        self._delivery = delivery
        self._matches = matches
        self._now = now
        self._guilds: dict[MatchId, int | None] = {}
        """The matches with messages that have to be deleted once they no longer hold, and their
        servers."""

        self.unsure: set[MatchId] = set()
        """Those of them that have changed since their messages were last checked."""

        self._swept_at: float | None = None

    async def start(self, owns: Owns) -> None:
        """Find the messages in servers of this process; each is checked once."""
        self._guilds.update(await self._sweep(owns))
        self.unsure |= self._guilds.keys()

    async def forget_old(self, owns: Owns) -> None:
        """Once an hour, stop tracking messages that are too old; they stay in Discord for good."""
        if self._swept_at is None:  # the database could not be read at the start
            await self.start(owns)
        elif self._now() >= self._swept_at + SWEEP.total_seconds():
            standing = await self._sweep(owns)
            # Matches that are gone are checked once more before they're forgotten: a message may
            # have been sent since. New ones were stored without this process hearing of it, because
            # the connection broke.
            self.unsure |= self._guilds.keys() ^ standing.keys()
            self._guilds |= standing
            # If another process keeps the time of a server by now, it has found them itself.
            self._guilds = {match: guild for match, guild in self._guilds.items() if owns(guild)}
            self.unsure &= self._guilds.keys()

    async def _sweep(self, owns: Owns) -> Mapping[MatchId, int | None]:
        """Forget messages that are too old; returns the matches of this process with newer ones."""
        now = self._now()
        before = datetime.fromtimestamp(now, UTC) - STANDING
        async with self._storage.transaction() as writing:
            await writing.notices.forget_sent_before(time_snowflake(before))
            standing = await writing.notices.sent_matches()
        self._swept_at = now
        return {match: guild for match, guild in standing.items() if owns(guild)}

    def unsure_in(self, shards: Shards) -> list[MatchId]:
        """The matches of these shards whose messages have to be checked."""
        guilds = self._guilds
        return [match for match in self.unsure & guilds.keys() if shards.has_guild(guilds[match])]

    def mark_changed(self, committed: Committed) -> bool:
        """Have messages of matches that a commit has changed checked; whether there are any."""
        concerned = self._guilds.keys() & (committed.changed | committed.moved)
        self.unsure |= concerned
        return bool(concerned)

    def changed_elsewhere(self, match: MatchId | None) -> None:
        """Note that another process has changed a match; None if it's unknown which one."""
        self.unsure |= self._guilds.keys() if match is None else self._guilds.keys() & {match}

    def note_sent(self, match: MatchId, guild: int | None) -> None:
        """Note a new message: the one before has to be deleted, and this one may no longer hold."""
        self._guilds[match] = guild
        self.unsure.add(match)

    async def clear_away(self, match: MatchId) -> None:
        """Delete messages that no longer hold, or are older than the hand or another one."""
        if match not in self.unsure:
            return
        self.unsure.discard(match)
        try:
            await self._look_at(match)
        except StorageUnavailableError:
            self.unsure.add(match)
            raise

    async def _look_at(self, match: MatchId) -> None:
        async with self._storage.reading() as reading:
            sent = await reading.notices.sent_in(match)
            places = await reading.messages.posted(match)
        last = {record.user: record for record in sent}
        for record in sent:
            if record is last[record.user] and await self._still_holds(record, places):
                continue
            if not await self.delete(match, record.channel, record.message):
                self.unsure.add(match)  # the next look or start tries it again
                continue
            async with self._storage.transaction() as writing:
                await writing.notices.drop_sent(record)
        async with self._storage.reading() as reading:
            if not await reading.notices.sent_in(match):
                self._guilds.pop(match, None)
                self.unsure.discard(match)

    async def delete(self, match: MatchId, channel: int, message: int) -> bool:
        """Delete a message, if it still exists; False if that has to be tried again."""
        try:
            await self._delivery.delete(channel, message)
        except UndeliveredError as error:
            log.info("notice stays", match=match, why=error.failure.name)
            return error.failure not in PASSING_FAILURES
        return True

    async def _still_holds(self, record: SentRecord, places: Mapping[int, MessageRef]) -> bool:
        try:
            snapshot = await self._matches.snapshot(record.match, record.user)
        except (NoSuchMatchError, CorruptRecordError):
            return False
        hand = places.get(snapshot.seat) if isinstance(snapshot, SeatSnapshot) else None
        return still_holds(record, snapshot) and (hand is None or hand.message < record.message)
