"""Sends the notices that are due and still hold, in the way that their receivers chose."""

import asyncio
from collections.abc import Callable
from typing import Final

import structlog

from bot.errors import CorruptRecordError, NoSuchMatchError, StorageUnavailableError
from bot.matches import Matches, Snapshot
from bot.matches.limits import POSTED_WITHIN
from bot.matches.notices import REMINDERS, still_holds
from bot.matches.returns import Returns
from bot.matches.time_controls import last_reminder_at, remind_at
from bot.messaging.arrivals import Arrived
from bot.messaging.failures import PASSING_FAILURES, UndeliveredError
from bot.scheduling.activity import REMEMBERED_SECONDS, Activity
from bot.scheduling.notice_sender import Message, NoticeSender
from bot.scheduling.retries import Retries
from bot.scheduling.sent_notices import SentNotices
from bot.settings.notices import EVENTS, way_of
from bot.storage import TABLE, Event, MatchId, Storage, Transaction
from bot.storage.notices import MAX_READ, NoticeRecord, SentRecord
from bot.storage.shards import Shards

log = structlog.get_logger()

LIVE_SECONDS: Final = 60
"""Seconds after a click during which somebody is active in a live match; elsewhere it's longer."""

MORE_PAUSE: Final = 1
"""Seconds until due notices are read again if they were too many for one read."""

PAUSED_PAUSE: Final = 3600
"""Seconds until it's checked again whether a paused match has been resumed."""

POSTED_PAUSE: Final = 5
"""Seconds until it's checked again whether a new challenge has been posted."""

UNPOSTED_PAUSE: Final = 60
"""The same for one that was opened long ago. It will hardly be posted anymore, and stays open until
it expires; but after a crash, one that was posted may still have to be found."""

SPACED: Final = 30 * 60
"""Seconds after a notice of the turn, or a reminder, in which another reminder would be too many.
"""

MATCHES_AT_ONCE: Final = 8
"""Matches whose notices are sent at the same time."""

_TELL_TURN: Final = frozenset({"accepted", "back"})
"""Events whose notices also tell players who owe a move that it's their turn."""

_WAIT_FOR_VACATION: Final = frozenset({"turn", "back", "time"})
"""Events that wait for the end of a vacation. The reminder an hour before the deadline is due after
that anyway, because nobody can go on vacation with less than an hour left."""

_MAY_SPARE_OTHERS: Final = _TELL_TURN | REMINDERS
"""Events whose notices may have made others unnecessary."""

ASKING: Final = frozenset({"challenged", "nudged", "offered", "rematch"})
"""Events that people aren't notified of if they have blocked the actor."""


class Notices:
    """One task per match, so that nothing waits for a first direct message to somebody else.

    A notice is deleted once it's sent. Until then it's sent again with the same nonce, for which
    Discord answers with the message that exists already, if it was sent within minutes.
    """

    def __init__(  # noqa: PLR0913 - what `bot/services.py` has
        self,
        *,
        storage: Storage,
        matches: Matches,
        sender: NoticeSender,
        sent: SentNotices,
        activity: Activity,
        returns: Returns,
        now: Callable[[], float],
    ) -> None:
        self._storage = storage
        self._matches = matches
        self._sender = sender
        self._activity = activity
        self._returns = returns
        self._now = now
        self.sent = sent
        self._retries = Retries(now)
        self._busy: dict[MatchId, asyncio.Task[None]] = {}
        self._again: set[MatchId] = set()
        self._room = asyncio.Semaphore(MATCHES_AT_ONCE)

    async def look(self, shards: Shards) -> int | None:
        """Start sending what is due in servers of these shards; returns when to look for more."""
        now = self._now()
        async with self._storage.reading() as reading:
            due = await reading.notices.due(now, shards)
            upcoming = await reading.notices.next_due(now, shards)
        for match in dict.fromkeys([n.match for n in due] + self.sent.unsure_in(shards)):
            if match in self._busy:
                self._again.add(match)
            else:
                self._busy[match] = asyncio.create_task(self._send_due(match))
        if len(due) < MAX_READ:
            return upcoming
        return int(now) + MORE_PAUSE  # others may be due that weren't read

    async def close(self) -> None:
        """Stop sending."""
        for task in self._busy.values():
            task.cancel()
        await self.finished()

    async def finished(self) -> None:
        """Wait until nothing is being sent."""
        # One that was cancelled before it began is done, but hasn't removed itself.
        while tasks := [task for task in self._busy.values() if not task.done()]:
            await asyncio.wait(tasks)

    async def _send_due(self, match: MatchId) -> None:
        """Send what is due in one match, and delete messages that no longer hold."""
        try:
            async with self._room:
                while True:
                    self._again.discard(match)
                    async with self._storage.reading() as reading:
                        due = await reading.notices.due_in(match, self._now())
                    for notice in sorted(due, key=lambda notice: notice.event not in _TELL_TURN):
                        await self._storage.must_write()
                        await self._attempt(notice)
                        if notice.event in _MAY_SPARE_OTHERS:
                            self._again.add(match)  # this notice may have made others unnecessary
                            break
                    await self.sent.clear_away(match)
                    if match not in self._again:
                        return
        except StorageUnavailableError:
            return  # the next look tries it again
        except Exception:  # one broken match must not silence the others
            log.exception("not told", match=match)
        finally:
            self._busy.pop(match, None)

    async def _attempt(self, notice: NoticeRecord) -> None:
        """Send one notice, postpone it, or drop it."""
        begun = self._now()
        try:
            await self._handle(notice)
        except UndeliveredError as error:
            log.warning("not told", match=notice.match, what=notice.event, why=error.failure.name)
            if error.failure in PASSING_FAILURES:
                due_at = self._retries.after(notice.id, begun, error.failure)
                await self._put_off(notice, due_at)
            else:
                await self._drop(notice)
        except (NoSuchMatchError, CorruptRecordError):
            await self._drop(notice)
        except StorageUnavailableError:
            raise
        except Exception:  # it would fail again
            log.exception("not told", match=notice.match, what=notice.event)
            await self._drop(notice)

    async def _handle(self, notice: NoticeRecord) -> None:
        snapshot = await self._matches.snapshot(notice.match, notice.user)
        if not still_holds(notice, snapshot):
            await self._drop(notice)
            return
        async with self._storage.reading() as reading:
            preference = await reading.people.notice_preference(notice.user)
            places = await reading.messages.posted(notice.match)
            active_at = await self._active_at(reading, notice, snapshot)
            blocked = notice.event in ASKING and await self._returns.blocking(
                reading, [notice.user], notice.actor or 0
            )
        window = LIVE_SECONDS if snapshot.time_control == "live" else REMEMBERED_SECONDS
        is_active = active_at + window > self._now()
        when_active = EVENTS[notice.event].when_active
        has_answer = notice.event == "turn" and snapshot.is_alone_with_computers
        message = Message(
            notice=notice,
            snapshot=snapshot,
            preference=preference,
            places=places,
            is_seen=has_answer and active_at + REMEMBERED_SECONDS > self._now(),
            will_retry_soon=self._retries.will_retry_soon(notice.id),
        )
        later = self._postponed_until(message)
        in_vain = notice.event == "nudged" and message.away_until > self._now()
        if blocked or in_vain or (is_active and when_active == "drop"):
            await self._drop(notice)
        elif self._is_told_when_back(message, later):
            await self._tell_when_back(notice, message.away_until)
        elif later is not None:
            await self._put_off(notice, later)
        elif is_active and when_active == "wait" and not message.is_seen:
            await self._put_off(notice, max(int(active_at) + window, int(self._now()) + 1))
        else:
            arrived, resent = await self._sender.tell(message)
            await self._note_told(message, arrived, resent=resent)

    async def _active_at(
        self, reading: Transaction, notice: NoticeRecord, snapshot: Snapshot
    ) -> float:
        """When the receiver last acted in this match or the one before (Unix time), or 0."""
        match, user, now = notice.match, notice.user, self._now()
        moments = [
            self._activity.last(match, user),
            self._activity.last(snapshot.predecessor or match, user),
            await reading.moves.last_chosen(match, user),
        ]
        # A time in the future is from before the clock was set back, and says nothing.
        return max((moment for moment in moments if moment and moment <= now), default=0.0)

    def _postponed_until(self, message: Message) -> int | None:
        """When to send a notice that waits for anything but activity (Unix time); None for now."""
        notice, snapshot, now = message.notice, message.snapshot, int(self._now())
        if snapshot.paused and snapshot.status == "running" and notice.event != "lost":
            return now + PAUSED_PAUSE
        if notice.event == "challenged" and TABLE not in message.places:
            may_come = now - snapshot.opened_at <= POSTED_WITHIN
            return now + (POSTED_PAUSE if may_come else UNPOSTED_PAUSE)
        if notice.event in _WAIT_FOR_VACATION and message.away_until > now:
            return message.away_until
        moment = _reminder_due_at(notice.event, message)
        return moment if moment is not None and moment > now else None

    async def _note_told(self, message: Message, arrived: Arrived | None, *, resent: bool) -> None:
        """Delete a handled notice; after one of a turn, queue the reminder of its deadline."""
        notice = message.notice
        is_told = resent or arrived is not None
        tells_turn = notice.event in _TELL_TURN and is_told and message.snapshot.owes
        async with self._storage.transaction() as writing:
            known = await writing.notices.drop(notice)
            sent_by_another = not known and await _is_noted(writing, notice.match, arrived)
            if known and tells_turn and message.away_until <= self._now():
                await writing.notices.drop_other(notice.match, notice.user, "turn")
            if known and (tells_turn or notice.event in {"turn", "back"}):
                await self._remind_later(writing, message)
            if known and is_told and notice.event in REMINDERS:
                await self._drop_other_reminder(writing, message)
            if arrived is not None and known:
                sent = SentRecord(
                    match=notice.match,
                    user=notice.user,
                    message=arrived.message,
                    channel=arrived.channel,
                    event=notice.event,
                    turn=notice.turn,
                )
                await writing.notices.put_sent(sent)
        if arrived is not None:
            self.sent.note_sent(notice.match, message.snapshot.guild)
        if arrived is not None and not known and not sent_by_another:
            # The person was forgotten meanwhile.
            await self.sent.delete(notice.match, arrived.channel, arrived.message)

    async def _remind_later(self, writing: Transaction, message: Message) -> None:
        """Queue the reminders before the deadline for the player whose turn it is.

        They have just been told the deadline: a reminder that is due already is sent when half of
        the remaining time has passed, and the one an hour before isn't sent if it would come soon.
        Whether they want that one is checked when it's due, as they may still choose it until then.
        """
        notice, snapshot = message.notice, message.snapshot
        due_at = _reminder_due_at("time", message)
        if snapshot.deadline is None or due_at is None:
            return
        now = int(self._now())
        if due_at <= now:
            due_at = now + (snapshot.deadline - now) // 2
        to, turn = [notice.user], snapshot.turn
        await writing.notices.queue(notice.match, "time", to, due_at=due_at, turn=turn)
        last_at = _reminder_due_at("last", message)
        if last_at is not None and last_at > now + SPACED:
            await writing.notices.queue(notice.match, "last", to, due_at=last_at, turn=turn)
        elif last_at is not None:
            await writing.notices.drop_other(notice.match, notice.user, "last")

    async def _drop_other_reminder(self, writing: Transaction, message: Message) -> None:
        """Drop the other reminder if it would come soon: this was late, or both are due at once."""
        notice, soon = message.notice, self._now() + SPACED
        for other in REMINDERS - {notice.event}:
            moment = _reminder_due_at(other, message)
            if moment is not None and moment <= soon:
                await writing.notices.drop_other(notice.match, notice.user, other)

    async def _drop(self, notice: NoticeRecord) -> None:
        async with self._storage.transaction() as writing:
            await writing.notices.drop(notice)

    async def _put_off(self, notice: NoticeRecord, due_at: int) -> None:
        async with self._storage.transaction() as writing:
            await writing.notices.put_off(notice, due_at)

    @staticmethod
    def _is_told_when_back(message: Message, later: int | None) -> bool:
        """Whether the receiver is told of this turn by the end of the vacation it waits for.

        Who has turned that off in `/notify` is told of the turn itself then.
        """
        waits = message.notice.event == "turn" and later == message.away_until
        return waits and way_of(message.preference, "back") != "none"

    async def _tell_when_back(self, notice: NoticeRecord, back_at: int) -> None:
        """Replace the notice of a turn by one that the vacation is over, which it waits for.

        The hand of a match that began meanwhile came silently, so the turn wouldn't be told by it.
        """
        to = [notice.user]
        async with self._storage.transaction() as writing:
            if await writing.notices.drop(notice):
                await writing.notices.queue(
                    notice.match, "back", to, due_at=back_at, turn=notice.turn
                )


def _reminder_due_at(event: Event, message: Message) -> int | None:
    """When the receiver is to be reminded by this event (Unix time); None if it's no reminder."""
    time_control, deadline = message.snapshot.time_control, message.snapshot.deadline
    if event not in REMINDERS or deadline is None:
        return None
    if event == "last":
        return last_reminder_at(time_control, deadline)
    return remind_at(time_control, deadline, message.preference.before)


async def _is_noted(writing: Transaction, match: MatchId, arrived: Arrived | None) -> bool:
    """Whether a message is stored as one that has told somebody.

    If a shard moves while a notice is being sent, both processes send it with the same nonce. So
    both get the same message, which the first of them stores.
    """
    if arrived is None:
        return False
    return any(sent.message == arrived.message for sent in await writing.notices.sent_in(match))
