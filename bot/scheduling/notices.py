"""Notices on their way: what is due is told, if it still holds, in the way its receiver chose."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import structlog

from bot.errors import CorruptRecordError, NoSuchMatchError, StorageUnavailableError
from bot.live.live import Live
from bot.live.tools import Tools
from bot.matches import Matches, SeatSnapshot, Snapshot
from bot.matches.notices import holds
from bot.matches.time_controls import remind_at
from bot.messaging.arrivals import Arrived
from bot.messaging.failures import PASSING_FAILURES, Failure, UndeliveredError
from bot.messaging.membership import MAX_IDS_ASKED, Membership
from bot.rendering.notices import Told, notice_content
from bot.scheduling.activity import REMEMBERED_SECONDS, Activity
from bot.scheduling.retries import Retries
from bot.scheduling.standing_notices import StandingNotices
from bot.settings.notices import EVENTS, way_of
from bot.storage import TABLE, MatchId, MessageRef, Transaction
from bot.storage.deadlines import Shards
from bot.storage.notices import MAX_READ, NoticeRecord, SentRecord
from bot.storage.people import NoticePreference
from bot.text import message_link

log = structlog.get_logger()

LIVE_SECONDS: Final = 60
"""For so long after a click somebody sees what happens in a live match; elsewhere for longer."""

MORE_PAUSE: Final = 1
"""Seconds until what is due is read again where it was too much to be read at once."""

PAUSED_PAUSE: Final = 3600
"""Seconds until it is asked again whether a paused match goes on."""

POSTED_PAUSE: Final = 5
"""Seconds until it is asked again whether the message of a new challenge stands."""

ASKED_WITH_THEM: Final = MAX_IDS_ASKED - 1
"""So many others Discord is asked about in the same question."""

GONE_FOR: Final = timedelta(minutes=1)
"""How long it is believed that somebody has left a server."""

AT_ONCE: Final = 8
"""Matches in which somebody is told something at the same time."""

_ALSO_TURNS: Final = frozenset({"accepted", "back"})
"""What also tells those who owe a move that it is their turn."""

_UNWANTED: Final = frozenset({"challenged", "nudged", "offered", "rematch"})
"""What nobody is told of where somebody did it whom they have blocked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A notice that holds, with all that telling it takes."""

    notice: NoticeRecord
    snapshot: Snapshot
    preference: NoticePreference
    places: dict[int, MessageRef]

    @property
    def is_hand_new(self) -> bool:
        """Whether the hand has come by direct message in this turn, which notifies as well."""
        snapshot = self.snapshot
        hand = self.places.get(snapshot.seat) if isinstance(snapshot, SeatSnapshot) else None
        return hand is not None and hand.turn >= snapshot.turn

    @property
    def table_url(self) -> str | None:
        table, guild = self.places.get(TABLE), self.snapshot.guild
        return None if table is None else message_link(guild, table.channel, table.message)

    @property
    def away_until(self) -> int:
        """When the vacation ends of the one who is told; 0 for nobody on vacation."""
        own = self.snapshot.own
        return 0 if own is None else own.away_until or 0


class Notices:
    """One task a match, so that nothing waits for a first direct message of somebody else.

    A notice is deleted when it has been told. Until then it is told again with the same nonce, for
    which Discord answers with the message that is there already, if it was sent minutes ago.
    """

    def __init__(
        self,
        tools: Tools,
        *,
        matches: Matches,
        live: Live,
        membership: Membership,
        activity: Activity,
        now: Callable[[], float],
    ) -> None:
        self._storage = tools.storage
        self._delivery = tools.delivery
        self._direct_messages = tools.direct_messages
        self._presentations = tools.presentations
        self._matches = matches
        self._live = live
        self._membership = membership
        self._activity = activity
        self._now = now
        self.standing = StandingNotices(tools, matches, now)
        self._retries = Retries(now)
        self._busy: dict[MatchId, asyncio.Task[None]] = {}
        self._again: set[MatchId] = set()
        self._room = asyncio.Semaphore(AT_ONCE)

    async def look(self, shards: Shards) -> int | None:
        """Begin to tell what is due in servers of these shards; when to look for more."""
        now = self._now()
        async with self._storage.reading() as reading:
            due = await reading.notices.due(now, shards)
            upcoming = await reading.notices.next_due(now)
        for match in dict.fromkeys([*(notice.match for notice in due), *self.standing.unsure]):
            if match in self._busy:
                self._again.add(match)
            else:
                self._busy[match] = asyncio.create_task(self._attend(match))
        if len(due) < MAX_READ:
            return upcoming
        return int(now) + MORE_PAUSE  # others may be due, too, that were not read

    async def close(self) -> None:
        """Tell nothing any more."""
        tasks = list(self._busy.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _attend(self, match: MatchId) -> None:
        """Tell what is due in one match, and delete what holds no more."""
        try:
            async with self._room:
                while True:
                    self._again.discard(match)
                    async with self._storage.reading() as reading:
                        due = await reading.notices.due_in(match, self._now())
                    for notice in sorted(due, key=lambda notice: notice.event not in _ALSO_TURNS):
                        await self._storage.must_write()
                        await self._attempt(notice)
                        if notice.event in _ALSO_TURNS:
                            self._again.add(match)  # what it has told also may be due no more
                            break
                    await self.standing.clear_away(match)
                    if match not in self._again:
                        return
        except StorageUnavailableError:
            return  # the next look tries it
        except Exception:  # one broken match must not silence the others
            log.exception("not told", match=match)
        finally:
            self._busy.pop(match, None)

    async def _attempt(self, notice: NoticeRecord) -> None:
        """Tell one notice, put it off, or drop it."""
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
        if not holds(notice, snapshot):
            await self._drop(notice)
            return
        async with self._storage.reading() as reading:
            preference = await reading.people.notice_preference(notice.user)
            places = await reading.messages.standing(notice.match)
            active_at = await self._active_at(reading, notice, snapshot)
            blocked = notice.event in _UNWANTED and await self._matches.returns.blocking(
                reading, [notice.user], notice.actor or 0
            )
        window = LIVE_SECONDS if snapshot.time_control == "live" else REMEMBERED_SECONDS
        is_active = active_at + window > self._now()
        when_active = EVENTS[notice.event].when_active
        message = Message(notice=notice, snapshot=snapshot, preference=preference, places=places)
        later = self._later(message)
        in_vain = notice.event == "nudged" and message.away_until > self._now()
        if blocked or in_vain or (is_active and when_active == "drop"):
            await self._drop(notice)
        elif later is not None:
            await self._put_off(notice, later)
        elif is_active and when_active == "wait":
            await self._put_off(notice, int(active_at) + window)
        else:
            await self._tell(message)

    async def _active_at(
        self, reading: Transaction, notice: NoticeRecord, snapshot: Snapshot
    ) -> float:
        """When the one who is told last did something in this match, as far as it matters."""
        match, user = notice.match, notice.user
        moments = [
            self._activity.last(match, user),
            self._activity.last(snapshot.predecessor or match, user),
            await reading.notices.last_move(match, user),
        ]
        return max(moment or 0.0 for moment in moments)

    def _later(self, message: Message) -> int | None:
        """When a notice is to be told for another reason than that somebody is active; or now."""
        notice, snapshot, now = message.notice, message.snapshot, int(self._now())
        if snapshot.paused and snapshot.status == "running":
            return now + PAUSED_PAUSE
        if notice.event == "challenged" and TABLE not in message.places:
            return now + POSTED_PAUSE
        if notice.event in {"turn", "time", "back"} and message.away_until > now:
            return message.away_until
        if notice.event == "time" and snapshot.deadline is not None:
            moment = remind_at(snapshot.time_control, snapshot.deadline, message.preference.before)
            return moment if moment is not None and moment > now else None
        return None

    async def _tell(self, message: Message) -> None:
        """Tell it in the way that was chosen, and note that it is told."""
        notice, snapshot = message.notice, message.snapshot
        way = way_of(message.preference, notice.event)
        told_already = (
            (notice.event == "challenged" and way == "channel")  # by the challenge itself
            or (notice.event == "accepted" and message.is_hand_new)
            or (notice.event == "turn" and snapshot.is_solitary)  # a computer answers at once
        )
        arrived, brought = None, False
        if not told_already and way == "dm":
            brought = await self._bring(message)
            arrived = None if brought else await self._write(message)
        elif not told_already and way == "channel":
            arrived = await self._mention(message)
        await self._note_told(message, arrived, brought=brought)

    async def _bring(self, message: Message) -> bool:
        """Tell a player of a match that was dealt by their hand, which comes anew; if it does."""
        snapshot = message.snapshot
        if isinstance(snapshot, SeatSnapshot) and snapshot.view is not None:
            return await self._live.bring_hand(message.notice, snapshot.seat)
        return False

    async def _write(self, message: Message) -> Arrived | None:
        """Tell by a direct message besides the hand, or else by a mention, as always of a turn.

        Who follows a match without a seat in it, and can't see it any more, is told no more.
        """
        notice = message.notice
        if notice.event == "turn":
            return await self._mention(message)
        if notice.event == "watched" and not await self._can_watch(message):
            return None
        arrived = await self._send(message, message.table_url)
        return arrived or await self._mention(message, or_send=False)

    async def _send(self, message: Message, table_url: str | None) -> Arrived | None:
        content = notice_content(self._told(message), table_url)
        return await self._direct_messages.send(message.notice, content)

    async def _mention(self, message: Message, *, or_send: bool = True) -> Arrived | None:
        """Tell in the channel of the table; nobody else is pinged, and nobody who has left it.

        Players who can't read it, whom a mention doesn't reach, get a direct message.
        """
        notice, snapshot = message.notice, message.snapshot
        if snapshot.guild is None or snapshot.channel is None:
            return None  # a solo match has no table
        table = message.places.get(TABLE)
        channel = snapshot.channel if table is None else table.channel
        if await self._has_left(snapshot.guild, notice.user, channel):
            may_send = or_send and notice.event != "watched"
            is_out = not may_send or await self._has_left(snapshot.guild, notice.user)
            return None if is_out else await self._send(message, None)
        content = notice_content(self._told(message), message.table_url, mentioned=notice.user)
        # Another nonce than the direct message has, which may have arrived: Discord compares them
        # by their author.
        nonce = f"mention.{notice.id}"
        return await self._delivery.send(channel, content, nonce, pinged=[notice.user])

    async def _can_watch(self, message: Message) -> bool:
        """Whether who follows a match is in its server yet, and may read where it was played.

        An UndeliveredError while a channel keeps people out and Discord does not say whom; of a
        server that has removed the bot it says nothing any more.
        """
        snapshot, user = message.snapshot, message.notice.user
        if snapshot.guild is None or snapshot.channel is None:
            return True
        if await self._has_left(snapshot.guild, user):
            return False
        table = message.places.get(TABLE)
        channels = {snapshot.channel} if table is None else {snapshot.channel, table.channel}
        can_read = await self._membership.can_read(snapshot.guild, user, channels)
        if can_read is not None:
            return can_read
        async with self._storage.reading() as reading:
            if snapshot.guild in await reading.guilds.left():
                return False
        raise UndeliveredError(Failure.TROUBLE)

    async def _has_left(self, guild: int, user: int, channel: int | None = None) -> bool:
        """Whether somebody is known to have left a server, or can't read a channel of it.

        It is one question for all who are due there: many turns may begin at once.
        """
        async with self._storage.reading() as reading:
            due = {user, *await reading.notices.due_there(guild, self._now(), ASKED_WITH_THEM)}
        # Not as long as elsewhere: what is not told to somebody who is back is never told.
        gone = await self._membership.gone(guild, due, channel=channel, gone_for=GONE_FOR)
        return gone is not None and user in gone

    def _told(self, message: Message) -> Told:
        notice, snapshot = message.notice, message.snapshot
        game = self._presentations[snapshot.game]
        return Told(event=notice.event, snapshot=snapshot, presentation=game, actor=notice.actor)

    async def _note_told(self, message: Message, arrived: Arrived | None, *, brought: bool) -> None:
        """Forget a notice that has been told; after a turn comes the reminder of its deadline."""
        notice = message.notice
        is_told = brought or arrived is not None
        tells_turn = notice.event in _ALSO_TURNS and is_told and message.snapshot.owes
        async with self._storage.transaction() as writing:
            known = await writing.notices.drop(notice)
            sent_by_another = not known and await _is_noted(writing, notice.match, arrived)
            if known and tells_turn:
                await writing.notices.drop_event(notice.match, notice.user, "turn")
            if known and (tells_turn or notice.event in {"turn", "back"}):
                await self._remind_later(writing, message)
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
            self.standing.came(notice.match)
        if arrived is not None and not known and not sent_by_another:
            # The person was forgotten meanwhile.
            await self.standing.delete(notice.match, arrived.channel, arrived.message)

    async def _remind_later(self, writing: Transaction, message: Message) -> None:
        """Let the one whose turn it is be reminded before the deadline.

        They have just been told until when: a reminder that was due by now comes when half of the
        time has passed that is left.
        """
        notice, snapshot = message.notice, message.snapshot
        if snapshot.deadline is None:
            return
        due_at = remind_at(snapshot.time_control, snapshot.deadline, message.preference.before)
        if due_at is not None:
            now = int(self._now())
            if due_at <= now:
                due_at = now + (snapshot.deadline - now) // 2
            to, turn = [notice.user], snapshot.turn
            await writing.notices.tell(notice.match, "time", to, due_at=due_at, turn=turn)

    async def _drop(self, notice: NoticeRecord) -> None:
        async with self._storage.transaction() as writing:
            await writing.notices.drop(notice)

    async def _put_off(self, notice: NoticeRecord, due_at: int) -> None:
        async with self._storage.transaction() as writing:
            await writing.notices.put_off(notice, due_at)


async def _is_noted(writing: Transaction, match: MatchId, arrived: Arrived | None) -> bool:
    """Whether a message stands as one that has told somebody.

    Where a shard moves while a notice is told, both processes send it, with one nonce: so both are
    answered with one message, which the first of them notes.
    """
    if arrived is None:
        return False
    return any(sent.message == arrived.message for sent in await writing.notices.sent_in(match))
