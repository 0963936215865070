"""Direct messages: where they go, whether they arrive, and whom hands are sent to by them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
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
from bot.messaging.openings import HOUR, Delay, OpeningPace, Openings, Wish
from bot.storage import DeskPlace, PersonRecord, Storage
from bot.storage.notices import NoticeRecord

log = structlog.get_logger()

CLOSED_FOR_SECONDS: Final = 24 * 60 * 60
"""Seconds after a refusal until somebody is tried again, in a new match."""


class NotOpenError(UndeliveredError):
    """There is no channel to somebody yet, and a wish for one has to wait in line."""

    def __init__(self, user: int) -> None:
        super().__init__(Failure.HURRIED)
        self.user = user


class ForgottenError(UndeliveredError):
    """Somebody was forgotten before a channel to them was opened: there is nobody to tell."""

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
        """Where the hand of somebody is who has not chosen; up to the owner of the bot."""

        self._openings = Openings(self._open, self._is_decided, self._opened_since, pace, now)
        self._first: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def carry_hand(self, desk: DeskPlace | None) -> bool:
        """Whether a hand goes to somebody who has chosen so, or has not chosen."""
        return (desk or self.usual_desk) == "dm"

    async def channel(self, user: int) -> int:
        """Where direct messages to this person go.

        UndeliveredError where none can be sent; NotOpenError until a wish has been granted.
        """
        person = await self._person(user)
        if self._is_closed(person):
            raise UndeliveredError(Failure.CLOSED)
        if person.dm_channel is None:
            raise NotOpenError(user)
        return person.dm_channel

    def wish(
        self,
        user: int,
        who: object,
        *,
        holds: Callable[[], Awaitable[bool]],
        tell: Callable[[], object],
        given_up: Callable[[], object] = lambda: None,
    ) -> None:
        """Wait in line for a channel; `tell` is called when `channel` is worth asking again.

        `given_up` is called when it is waited for no longer, without any news.
        """
        self._openings.wish(user, who, Wish(holds, tell, given_up))

    async def reach(self, user: int, notice: NoticeRecord | None = None) -> int:
        """The channel to somebody, also if it has to be opened; NotOpenError if that takes long.

        ForgottenError if they are forgotten meanwhile: no channel is opened after that. Nor is it
        to tell of a notice that is gone, as all of somebody's are who was forgotten since.
        """
        while True:
            with suppress(NotOpenError):
                return await self.channel(user)
            if await self._takes_long(user, notice):
                return await self.channel(user)  # which may be what has just used up the hour

    async def _takes_long(self, user: int, notice: NoticeRecord | None) -> bool:
        """Wait in line until there is news of a channel; whether that takes too long to wait."""
        news, forgotten = asyncio.Event(), asyncio.Event()

        async def holds() -> bool:
            return notice is None or await self._is_there(notice)

        def forget() -> None:
            forgotten.set()
            news.set()

        self._openings.wish(user, news, Wish(holds, tell=news.set, given_up=forget))
        try:
            # Asked after the wish: a delay that begins from here on is told.
            takes_long = await self._openings.delay() is not None
            if not takes_long:
                await news.wait()
        finally:
            self._openings.withdraw(user, news)
        if forgotten.is_set():
            raise ForgottenError
        return takes_long

    @asynccontextmanager
    async def one_first(self, user: int) -> AsyncIterator[None]:
        """Let the first messages to somebody be sent one after the other, within this.

        What is sent to them is asked for by `channel` within it: where the one before was refused,
        the next one learns it there, so that Discord refuses us once for each person.
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
        """Send a notice that could as well be told elsewhere; None if it has to be.

        An UndeliveredError for a failure after which it is told later in the same way (`again`).
        ForgottenError if there is nobody to tell any more.
        """
        user = notice.user
        try:
            await self.reach(user, notice)
            async with self.one_first(user):
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
        """Somebody has got a direct message."""
        self._openings.arrived(user)

    async def failed(self, user: int, error: UndeliveredError) -> None:
        """Learn from a message that did not arrive; it raises what the sender can try again.

        A first message that was refused as by a quarantine, and one for a channel that is not ours,
        can be sent once a channel has been opened again. Whoever else was refused takes no direct
        messages.
        """
        if error.failure is Failure.REFUSED and await self._may_be_first(user):
            if not self._openings.refused(user):
                await self._change(user, dm_channel=None)
                raise NotOpenError(user) from error
        elif error.failure is Failure.REFUSED and self._openings.is_refused(user):
            # That another message was, is known already; yet perhaps not written, or the channel is
            # one that another process has opened since.
            await self._change(user, dm_channel=None)
            raise NotOpenError(user) from error
        elif error.failure is Failure.NOWHERE and not self._openings.is_unproven(user):
            # For example the channel of another bot, which had this database before.
            await self._change(user, dm_channel=None)
            raise NotOpenError(user) from error
        elif error.failure not in {Failure.CLOSED, Failure.REFUSED}:
            raise error
        await self.close(user)

    async def _may_be_first(self, user: int) -> bool:
        """Whether a message may have been the first since this person's channel was opened.

        Of a channel that was opened elsewhere, or before our start, nothing tells what has arrived.
        """
        if not self._openings.is_unknown(user):
            return self._openings.is_unproven(user)
        opened_at = (await self._person(user)).dm_opened_at
        # The clock of another process may be a little ahead of ours.
        return opened_at is not None and abs(self._now() - opened_at) < HOUR

    async def is_closed(self, user: int) -> bool:
        """Whether this person's direct messages were closed when we last knocked."""
        return self._is_closed(await self._person(user))

    async def delay(self, user: int) -> Delay | None:
        """Why it takes long until this person can get direct messages; None if it does not."""
        person = await self._person(user)
        return None if person.dm_channel is not None else await self._openings.delay()

    async def close(self, user: int) -> None:
        """Remember that this person takes no direct messages, so that we do not knock again."""
        person = await self._person(user)
        if self._is_closed(person):
            return  # nobody knocked; the time until the next try goes on as it began
        log.info("direct messages closed", user=user)
        await self._change(user, dm_closed_at=int(self._now()))

    def forget(self, user: int) -> None:
        """Remember nothing of this person."""
        self._openings.forget(user)

    async def stop(self) -> None:
        """Open nothing any more."""
        await self._openings.stop()

    async def _open(self, user: int) -> None:
        """Open a channel to the person whose turn it is, and write down what came of it."""
        now = int(self._now())
        try:
            channel = await self._delivery.channels.open_dm(user)
        except discord.HTTPException:  # our bug, or nobody to whom one could write
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
        """Whether we know already how to write to this person, or that we can't."""
        person = await self._person(user)
        return person.dm_channel is not None or self._is_closed(person)

    async def _note(self, user: int, record: PersonRecord) -> None:
        """Write this, unless the person was forgotten since the channel was asked for."""
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
        """Write this, unless the person was deleted since their message was sent."""
        async with self._storage.transaction() as writing:
            await writing.people.change(user, **values)

    def _is_closed(self, person: PersonRecord) -> bool:
        # A time to come is from before the clock was set back: it says nothing.
        return (
            person.dm_closed_at is not None
            and 0 <= self._now() - person.dm_closed_at < CLOSED_FOR_SECONDS
        )
