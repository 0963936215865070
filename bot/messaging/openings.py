"""Channels of direct messages to be opened: one after the other, so many an hour.

Discord asks bots not to open many at once, and quarantines those that do: they reach nobody to whom
they have not written before. So whoever wants a channel waits in line, and is told when it is there
or when it will take long.
"""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

import structlog

from bot.errors import StorageUnavailableError
from bot.messaging.failures import Failure, UndeliveredError

log = structlog.get_logger()

OPENING_PAUSE: Final = 2.0
"""Seconds between two new channels."""

HOUR: Final = 60 * 60

HURRIED_REST: Final = 10 * 60
"""Seconds without a new channel after Discord has said that we open them too fast."""

REFUSED_REST: Final = HOUR
"""Seconds without a new channel after a refusal that looks like a quarantine."""

LONG_WAIT: Final = 60.0
"""People in line are told of a wait of more seconds than this."""

TROUBLE_RESTS: Final = (2.0, 5.0, 15.0, 60.0)
"""Seconds until the next try while Discord has trouble; the last for all further times."""


class Delay(Enum):
    """Why the next channel will not be opened before long."""

    LIMIT = "as many as an hour may have were opened"
    REFUSED = "Discord has refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpeningPace:
    """How quickly channels are opened."""

    most_per_hour: int
    pause: float = OPENING_PAUSE
    """Seconds between two of them, of all processes together."""

    processes: Callable[[], int] = lambda: 1
    """How many processes open channels; each waits its share, and all see what the hour has had."""

    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    """How seconds are waited for; tests move a clock."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What waits for a channel."""

    holds: Callable[[], Awaitable[bool]]
    """Whether the channel is still wanted; asked when its turn has come."""

    tell: Callable[[], object]
    """Called when there is something new: the channel, its refusal, or a long wait."""

    given_up: Callable[[], object] = lambda: None
    """Called when there will be nothing new: it holds no more, or the person was forgotten."""


@dataclass(frozen=True, slots=True)
class Rest:
    """Seconds in which no channel is opened."""

    since: float = 0.0
    seconds: float = 0.0

    def until(self, now: float) -> float:
        """When it is over; 0 where there is none."""
        # A time to come is from before the clock was set back: it says nothing.
        return self.since + self.seconds if self.since <= now else 0.0


class Openings:
    """The line of people to whom channels are opened."""

    def __init__(
        self,
        open_channel: Callable[[int], Awaitable[None]],
        is_decided: Callable[[int], Awaitable[bool]],
        opened_since: Callable[[int], Awaitable[Sequence[int]]],
        pace: OpeningPace,
        now: Callable[[], float],
    ) -> None:
        self._open = open_channel
        self._is_decided = is_decided
        self._opened_since = opened_since
        self._pace = pace
        self._now = now
        self._line: dict[int, dict[Hashable, Wish]] = {}
        self._walking: asyncio.Task[None] | None = None
        self._stopped = False
        self._pause = Rest()
        """After a channel was asked for, or in trouble."""

        self._refused = Rest()
        """After a refusal."""

        self._troubles = 0
        self._reached: dict[int, bool] = {}
        """The people to whom we have opened a channel, and whether anything has arrived there."""

        self._arrivals = 0
        """How many of them have got their first message."""

        self._refusals: dict[int, int] = {}
        """The people whom we were not let write to, with the arrivals up to then."""

    def __contains__(self, user: int) -> bool:
        return user in self._line

    def wish(self, user: int, who: Hashable, wish: Wish) -> None:
        """Join the line; there is one wish of each `who`, the last one.

        Whether a channel is still to be opened is asked when its turn has come: one may have been
        opened, or refused, while somebody was about to wish for it.
        """
        if self._stopped:
            return
        self._line.setdefault(user, {})[who] = wish
        if self._walking is None or self._walking.done():
            self._walking = asyncio.create_task(self._walk())

    def withdraw(self, user: int, who: Hashable) -> None:
        """Wait no longer."""
        self._line.get(user, {}).pop(who, None)

    def forget(self, user: int) -> None:
        """Leave the line, and remember nothing of this person; whatever waits for them is told."""
        wishes = self._line.pop(user, {})
        self._reached.pop(user, None)
        self._refusals.pop(user, None)
        for wish in wishes.values():
            wish.given_up()

    def is_unproven(self, user: int) -> bool:
        """Whether the next message to this person is the first since their channel was opened."""
        return self._reached.get(user) is False

    def is_unknown(self, user: int) -> bool:
        """Whether the channel to this person was opened elsewhere, or before our start."""
        return user not in self._reached and user not in self._refusals

    def is_refused(self, user: int) -> bool:
        """Whether Discord did not let us write to this person when we last tried."""
        return user in self._refusals

    def arrived(self, user: int) -> None:
        """A message has reached this person."""
        if self.is_unproven(user):
            self._reached[user] = True
            self._arrivals += 1
        self._refusals.pop(user, None)

    def refused(self, user: int) -> bool:
        """Discord did not let us write to somebody for the first time; whether it is about them.

        It is if we were refused for them before and have reached others since. Otherwise it looks
        like a quarantine, and no channel is opened for a while.
        """
        self._reached.pop(user, None)
        before = self._refusals.pop(user, None)
        if before is not None and self._arrivals > before:
            return True
        self._refusals[user] = self._arrivals
        self._refused = Rest(self._now(), REFUSED_REST)
        log.warning("new direct messages refused", user=user, rest=REFUSED_REST)
        return False

    async def delay(self) -> Delay | None:
        """Why somebody who joins the line now has to wait for long; None if they do not."""
        now = self._now()
        if self._refused.until(now) > now:
            return Delay.REFUSED
        if await self._full_until() > now:
            return Delay.LIMIT
        return None

    async def stop(self) -> None:
        """Open nothing any more, whoever still wishes for it."""
        self._stopped = True
        self._line.clear()
        if self._walking is not None:
            self._walking.cancel()
            await asyncio.gather(self._walking, return_exceptions=True)

    async def _walk(self) -> None:
        while self._line:
            try:
                await self._until_free()
                await self._serve(self._next())
            except StorageUnavailableError:  # that is logged where it is noticed
                await self._sleep_in_trouble()
            except Exception:  # whatever it is, the others still wait
                log.exception("direct message not opened")
                await self._sleep_in_trouble()

    def _next(self) -> int | None:
        """The first in line; behind all others, whoever we were refused for."""
        free = (user for user in self._line if user not in self._refusals)
        return next(free, next(iter(self._line), None))

    async def _until_free(self) -> None:
        """Return when a channel may be opened; each in line is told once if that takes long."""
        told: set[int] = set()
        while (wait := await self._wait()) > 0:
            if wait > LONG_WAIT:
                untold = [user for user in self._line if user not in told]
                told.update(untold)
                for user in untold:
                    self._tell(user)
            await self._pace.sleep(min(wait, LONG_WAIT))  # the clock may be set back meanwhile

    async def _wait(self) -> float:
        full_until, now = await self._full_until(), self._now()
        return max(self._pause.until(now), self._refused.until(now), full_until) - now

    async def _full_until(self) -> float:
        """Until when the hour has as many new channels as it may have."""
        now = int(self._now())
        # None of later: they were opened while the clock was ahead.
        opened = [at for at in await self._opened_since(now - HOUR) if at <= now]
        most = self._pace.most_per_hour
        return opened[-most] + HOUR if len(opened) >= most else 0.0

    async def _serve(self, user: int | None) -> None:
        """Open the channel to the first in line, if anybody still wants it."""
        if user is None:
            return
        if not await self._is_wanted(user):
            return
        if await self._is_decided(user):
            self._leave(user)
            return
        self._pause = Rest(self._now(), self._pace.pause * self._pace.processes())
        self._reached[user] = False  # before anybody can know the channel and write there
        try:
            await self._open(user)
        except BaseException as error:
            self._reached.pop(user, None)
            if not isinstance(error, UndeliveredError):
                raise
            self._failed(user, error.failure)
            return
        self._troubles = 0
        if user in self._line:  # not forgotten meanwhile
            self._leave(user)

    async def _is_wanted(self, user: int) -> bool:
        """Whether anything still needs the channel to this person; if not, they leave the line."""
        for who, wish in list(self._line.get(user, {}).items()):
            try:
                if await wish.holds():
                    return True
            except StorageUnavailableError:
                raise
            except Exception:  # one broken match must not stop the line
                log.exception("wish for a direct message broken", user=user)
            self.withdraw(user, who)
            wish.given_up()
        if not self._line.get(user):  # else somebody has made a wish meanwhile
            self._line.pop(user, None)
        return False

    def _failed(self, user: int, failure: Failure) -> None:
        """What follows of a channel that was not opened."""
        if failure is Failure.HURRIED:
            self._refused = Rest(self._now(), HURRIED_REST)
            log.warning("direct messages opened too fast", rest=HURRIED_REST)
        elif failure is Failure.CLOSED:
            self._leave(user)
        elif failure is not Failure.REFUSED:
            log.warning("direct message not opened", user=user, why=failure.name)
            self._rest_in_trouble()

    def _rest_in_trouble(self) -> None:
        rest = TROUBLE_RESTS[min(self._troubles, len(TROUBLE_RESTS) - 1)]
        self._troubles += 1
        self._pause = Rest(self._now(), rest)

    async def _sleep_in_trouble(self) -> None:
        self._rest_in_trouble()
        await self._pace.sleep(self._pause.seconds)

    def _leave(self, user: int) -> None:
        self._tell(user)
        self._line.pop(user, None)

    def _tell(self, user: int) -> None:
        for wish in self._line.get(user, {}).values():
            wish.tell()
