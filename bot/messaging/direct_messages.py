"""Direct messages: a channel to each person, opened at a pace that Discord bears."""

import asyncio
import time
from collections.abc import Callable
from typing import Final

import structlog

from bot.config import HandsByDirectMessage
from bot.messaging.delivery import Delivery
from bot.messaging.failures import Failure, UndeliveredError
from bot.storage import DeskPlace, PersonRecord, Storage

log = structlog.get_logger()

OPENING_PAUSE: Final = 2.0
"""Seconds between two new channels: opening many at once gets a bot limited or blocked."""

CLOSED_FOR_SECONDS: Final = 24 * 60 * 60
"""Seconds after a refusal until somebody is tried again, in a new match."""


class DirectMessages:
    def __init__(
        self,
        storage: Storage,
        delivery: Delivery,
        *,
        hands: HandsByDirectMessage,
        pause: float = OPENING_PAUSE,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._storage = storage
        self._delivery = delivery
        self._pause = pause
        self._now = now
        self.usual_desk: DeskPlace = "dm" if hands == "everybody" else "here"
        """Where the hand of somebody is who has not chosen; up to the owner of the bot."""

        self._queue = asyncio.Lock()
        self._next = 0.0

    def carry_hand(self, desk: DeskPlace | None) -> bool:
        """Whether a hand goes to somebody who has chosen so, or has not chosen."""
        return (desk or self.usual_desk) == "dm"

    async def channel(self, user: int) -> int:
        """Where direct messages to this person go; UndeliveredError where none can be sent."""
        person = await self._person(user)
        if self._is_closed(person):
            raise UndeliveredError(Failure.CLOSED)
        if person.dm_channel is not None:
            return person.dm_channel
        async with self._queue:
            loop = asyncio.get_running_loop()
            await asyncio.sleep(self._next - loop.time())
            self._next = loop.time() + self._pause
            try:
                channel = await self._delivery.open_dm(user)
            except UndeliveredError as error:
                if error.failure is Failure.HURRIED:
                    self._next = loop.time() + 30 * self._pause
                raise
        await self._put(user, PersonRecord(dm_channel=channel, dm_closed_at=None))
        return channel

    async def is_closed(self, user: int) -> bool:
        """Whether this person's direct messages were closed when we last knocked."""
        return self._is_closed(await self._person(user))

    async def close(self, user: int) -> None:
        """Remember that this person takes no direct messages, so that we do not knock again."""
        person = await self._person(user)
        if self._is_closed(person):
            return  # nobody knocked; the time until the next try goes on as it began
        log.info("direct messages closed", user=user)
        closed = PersonRecord(dm_channel=person.dm_channel, dm_closed_at=int(self._now()))
        await self._put(user, closed)

    async def _person(self, user: int) -> PersonRecord:
        async with self._storage.reading() as reading:
            return await reading.people.load(user)

    async def _put(self, user: int, record: PersonRecord) -> None:
        async with self._storage.transaction() as writing:
            await writing.people.put(user, record)

    def _is_closed(self, person: PersonRecord) -> bool:
        return (
            person.dm_closed_at is not None
            and self._now() - person.dm_closed_at < CLOSED_FOR_SECONDS
        )
