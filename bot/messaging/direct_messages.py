"""Direct messages: their channels, whether they arrive, and who gets their hand by them."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Hashable
from contextlib import asynccontextmanager, suppress
from typing import Final
from weakref import WeakValueDictionary

import discord
import structlog

from bot.config import HandsByDirectMessage
from bot.messaging.arrivals import Arrived
from bot.messaging.content import MessageContent
from bot.messaging.delivery import Delivery
from bot.messaging.failures import PASSING_FAILURES, Failure, UndeliveredError
from bot.messaging.openings import Delay, OpeningPace, Openings, Waiter
from bot.storage import DeskPlace, PersonRecord, Storage
from bot.storage.notices import NoticeRecord
from bot.time_units import DAY_SECONDS, HOUR_SECONDS

log = structlog.get_logger()

CLOSED_FOR_SECONDS: Final = DAY_SECONDS
"""Seconds that somebody's direct messages count as closed after a refusal."""


class NotOpenError(UndeliveredError):
    """There is no channel to this person yet, and opening one has to wait in line."""

    def __init__(self, user: int) -> None:
        super().__init__(Failure.HURRIED)
        self.user = user


class ForgottenError(UndeliveredError):
    """This person was forgotten before a channel to them was opened: there is nobody to tell."""

    def __init__(self) -> None:
        super().__init__(Failure.HURRIED)


class DirectMessages:
    def __init__(
        self,
        storage: Storage,
        delivery: Delivery,
        *,
        hands: HandsByDirectMessage,
        pace: OpeningPace,
        now: Callable[[], float],
    ) -> None:
        self._storage = storage
        self._delivery = delivery
        self._now = now
        self.usual_desk: DeskPlace = "dm" if hands == "everybody" else "here"
        """Where players who haven't chosen get their hand, as the bot's owner has decided."""

        self._openings = Openings(self._open, self._is_decided, self._opened_since, pace, now)
        self._first: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def carry_hand(self, desk: DeskPlace | None) -> bool:
        """Whether a player with this preference gets their hand by direct message."""
        return (desk or self.usual_desk) == "dm"

    async def channel(self, user: int) -> int:
        """The id of this person's direct message channel.

        UndeliveredError if they take none; NotOpenError until a channel has been opened.
        """
        person = await self._person(user)
        if self._is_closed(person):
            raise UndeliveredError(Failure.CLOSED)
        if person.dm_channel is None:
            raise NotOpenError(user)
        return person.dm_channel

    def join_line(self, user: int, key: Hashable, waiter: Waiter) -> None:
        """Put a waiter in line for a channel; it's told when to ask `channel` again."""
        self._openings.join(user, key, waiter)

    async def reach(self, user: int, notice: NoticeRecord | None = None) -> int:
        """The id of this person's channel, opened if necessary; NotOpenError if that takes long.

        ForgottenError if they are forgotten in the meantime: no channel is opened after that. Nor
        is one opened for a notice that is gone, as all notices of a forgotten person are.
        """
        while True:
            with suppress(NotOpenError):
                return await self.channel(user)
            if await self._wait_for_news(user, notice):
                return await self.channel(user)  # theirs may be the one that used up the hour

    async def _wait_for_news(self, user: int, notice: NoticeRecord | None) -> bool:
        """Wait in line for news about a channel; returns whether that would take too long."""
        news, forgotten = asyncio.Event(), asyncio.Event()

        async def holds() -> bool:
            return notice is None or await self._is_there(notice)

        def forget() -> None:
            forgotten.set()
            news.set()

        self._openings.join(user, news, Waiter(holds, tell=news.set, given_up=forget))
        try:
            # Asked after joining the line, so that any later delay comes as news.
            takes_long = await self._openings.delay() is not None
            if not takes_long:
                await news.wait()
        finally:
            self._openings.leave(user, news)
        if forgotten.is_set():
            raise ForgottenError
        return takes_long

    @asynccontextmanager
    async def one_first_at_a_time(self, user: int) -> AsyncIterator[None]:
        """Within this, the first messages to a person are sent one after the other.

        Ask `channel` within it: if the message before was refused, `channel` raises that, so
        Discord refuses us only once for each person.
        """
        if not self._openings.is_unproven(user):
            yield
            return
        async with self._first.setdefault(user, asyncio.Lock()):
            yield

    async def send(
        self,
        notice: NoticeRecord,
        content: MessageContent,
        *,
        again: Collection[Failure] = frozenset(),
    ) -> Arrived | None:
        """Send a notice that could be told elsewhere as well; None if it has to be.

        UndeliveredError for a failure in `again`, after which it is tried again later in the same
        way; ForgottenError if there is nobody left to tell.
        """
        user = notice.user
        try:
            await self.reach(user, notice)
            async with self.one_first_at_a_time(user):
                return await self._send(user, content, f"notice.{notice.id}")
        except ForgottenError:
            raise
        except UndeliveredError as error:
            if error.failure in again:
                raise
            return None

    async def _send(self, user: int, content: MessageContent, nonce: str) -> Arrived:
        channel = await self.channel(user)
        try:
            arrived = await self._delivery.send(channel, content, nonce, direct=True)
        except UndeliveredError as error:
            await self.failed(user, error)
            raise
        self.arrived(user)
        return arrived

    def arrived(self, user: int) -> None:
        """Note that this person has received a direct message."""
        self._openings.arrived(user)

    async def failed(self, user: int, error: UndeliveredError) -> None:
        """Learn from a message that did not arrive; raises an error if the sender can try again.

        NotOpenError for a first message that was refused as in a quarantine, and for a channel that
        isn't ours: the message can be sent once a channel has been opened again. After any other
        refusal, this person's direct messages count as closed; errors that are no refusals are
        raised again.
        """
        if error.failure is Failure.REFUSED and await self._may_be_first(user):
            if not self._openings.refused(user):
                await self._change(user, dm_channel=None)
                raise NotOpenError(user) from error
        elif error.failure is Failure.REFUSED and self._openings.is_refused(user):
            # The refusal of an earlier message is known already, but perhaps not stored yet, or
            # another process has opened this channel since.
            await self._change(user, dm_channel=None)
            raise NotOpenError(user) from error
        elif error.failure is Failure.NOWHERE and not self._openings.is_unproven(user):
            # For example the channel of another bot, which had this database before.
            await self._change(user, dm_channel=None)
            raise NotOpenError(user) from error
        elif error.failure not in {Failure.CLOSED, Failure.REFUSED}:
            raise error
        await self._note_closed(user)

    async def _may_be_first(self, user: int) -> bool:
        """Whether a message may have been the first since this person's channel was opened.

        Nothing says what has arrived in a channel that was opened by another process or before our
        start; then it may have been if the channel is less than an hour old.
        """
        if not self._openings.is_unknown(user):
            return self._openings.is_unproven(user)
        opened_at = (await self._person(user)).dm_opened_at
        # The clock of another process may be a little ahead of ours.
        return opened_at is not None and abs(self._now() - opened_at) < HOUR_SECONDS

    async def is_closed(self, user: int) -> bool:
        """Whether this person's direct messages were closed when we last tried."""
        return self._is_closed(await self._person(user))

    async def delay(self, user: int) -> Delay | None:
        """Why this person will have to wait long for direct messages; None if they won't."""
        person = await self._person(user)
        return None if person.dm_channel is not None else await self._openings.delay()

    async def _note_closed(self, user: int) -> None:
        """Note that this person takes no direct messages, so that we don't try again for a day."""
        person = await self._person(user)
        if self._is_closed(person):
            return  # nothing was tried, so the time until the next try stays
        log.info("direct messages closed", user=user)
        await self._change(user, dm_closed_at=int(self._now()))

    def forget(self, user: int) -> None:
        """Forget this person."""
        self._openings.forget(user)

    async def close(self) -> None:
        """Stop opening channels."""
        await self._openings.stop()

    async def _open(self, user: int) -> None:
        """Open a channel to this person and store the result; UndeliveredError if that fails."""
        now = int(self._now())
        try:
            channel = await self._delivery.channels.open_dm(user)
        except discord.HTTPException:  # our bug, or a user that can't be messaged
            log.exception("direct message not opened", user=user)
            failure = Failure.CLOSED
        except UndeliveredError as error:
            failure = error.failure
            personal = failure is Failure.REFUSED and self._openings.refused(user)
            if personal or failure not in PASSING_FAILURES | {Failure.REFUSED}:
                failure = Failure.CLOSED
        else:
            await self._note(user, PersonRecord(dm_channel=channel, dm_opened_at=now))
            return
        if failure is Failure.CLOSED:
            await self._note(user, PersonRecord(dm_closed_at=now))
        raise UndeliveredError(failure)

    async def _is_decided(self, user: int) -> bool:
        """Whether we already have a channel to this person, or know that they take no messages."""
        person = await self._person(user)
        return person.dm_channel is not None or self._is_closed(person)

    async def _note(self, user: int, record: PersonRecord) -> None:
        """Store this, unless the person was forgotten since the channel was asked for."""
        async with self._storage.transaction() as writing:
            if user in self._openings:
                await writing.people.put(user, record)

    async def _is_there(self, notice: NoticeRecord) -> bool:
        async with self._storage.reading() as reading:
            return await reading.notices.is_there(notice)

    async def _opened_since(self, moment: int) -> list[int]:
        async with self._storage.reading() as reading:
            return await reading.people.opened_since(moment)

    async def _person(self, user: int) -> PersonRecord:
        async with self._storage.reading() as reading:
            return await reading.people.load(user)

    async def _change(self, user: int, **values: int | None) -> None:
        """Store this, unless the person was deleted since their message was sent."""
        async with self._storage.transaction() as writing:
            await writing.people.change(user, **values)

    def _is_closed(self, person: PersonRecord) -> bool:
        # A time in the future is from before the clock was set back: ignore it.
        return (
            person.dm_closed_at is not None
            and 0 <= self._now() - person.dm_closed_at < CLOSED_FOR_SECONDS
        )
