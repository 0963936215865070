"""Opens channels for direct messages: one after the other, and only so many an hour.

Discord asks bots not to open many at once, and quarantines bots that do: they can then reach only
people that they have written to before. So everything that wants a channel waits in line, and is
told when it's there or when it will take long.
"""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

import structlog

from bot.errors import StorageUnavailableError
from bot.messaging.failures import Failure, UndeliveredError
from bot.time_units import HOUR_SECONDS

log = structlog.get_logger()

OPENING_PAUSE: Final = 2.0
"""Seconds between opening two channels."""

HURRIED_REST: Final = 10 * 60
"""Seconds without opening a channel after Discord has said that we open them too fast."""

REFUSED_REST: Final = HOUR_SECONDS
"""Seconds without opening a channel after a refusal that looks like a quarantine."""

LONG_WAIT: Final = 60.0
"""Everybody in line is told if the wait is longer than this many seconds."""

TROUBLE_RESTS: Final = (2.0, 5.0, 15.0, 60.0)
"""Seconds until the next try while Discord has trouble; the last one is used for all later
tries."""


class Delay(Enum):
    """Why the next channel won't be opened soon."""

    LIMIT = "as many as an hour may have were opened"
    REFUSED = "Discord has refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpeningPace:
    """How fast channels are opened."""

    most_per_hour: int
    pause: float = OPENING_PAUSE
    """Seconds between opening two of them, for all processes together."""

    processes: Callable[[], int] = lambda: 1
    """How many processes open channels: each pauses that many times longer, and the hour's limit is
    for all of them together."""

    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    """Waits for so many seconds; tests move a clock instead."""


@dataclass(frozen=True, slots=True)
class Waiter:
    """Something that waits for a channel."""

    holds: Callable[[], Awaitable[bool]]
    """Whether the channel is still wanted; called when its turn has come."""

    tell: Callable[[], object]
    """Called when there is news: the channel is there, was refused, or will take long."""

    given_up: Callable[[], object] = lambda: None
    """Called when there will be no news: it's no longer wanted, or the person was forgotten."""


@dataclass(frozen=True, slots=True)
class Rest:
    """A time in which no channel is opened: `seconds` from `since`, in Unix time."""

    since: float = 0.0
    seconds: float = 0.0

    def until(self, now: float) -> float:
        """The Unix time at which it ends; 0 if there is none."""
        # A time in the future is from before the clock was set back: ignore it.
        return self.since + self.seconds if self.since <= now else 0.0


class Openings:
    """The line of people who wait for a channel to be opened."""

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
        self._line: dict[int, dict[Hashable, Waiter]] = {}
        self._walking: asyncio.Task[None] | None = None
        self._stopped = False
        self._pause = Rest()
        """After asking for a channel, or while Discord has trouble."""

        self._refused = Rest()
        """After a refusal."""

        self._troubles = 0
        self._reached: dict[int, bool] = {}
        """By user id: the channels that we have opened, and whether a message has arrived there."""

        self._arrivals = 0
        """How many of these people have received their first message."""

        self._refusals: dict[int, int] = {}
        """By user id: the people that Discord didn't let us write to, and the `_arrivals` at that
        time."""

    def __contains__(self, user: int) -> bool:
        return user in self._line

    def join(self, user: int, key: Hashable, waiter: Waiter) -> None:
        """Put a waiter in line; it replaces an earlier one for this user with the same `key`.

        Whether a channel still has to be opened is asked when its turn has come: one may have been
        opened, or refused, shortly before.
        """
        if self._stopped:
            return
        self._line.setdefault(user, {})[key] = waiter
        if self._walking is None or self._walking.done():
            self._walking = asyncio.create_task(self._walk())

    def leave(self, user: int, key: Hashable) -> None:
        """Take a waiter out of the line."""
        self._line.get(user, {}).pop(key, None)

    def forget(self, user: int) -> None:
        """Remove this person from the line and forget them; whatever waits for them is told."""
        waiters = self._line.pop(user, {})
        self._reached.pop(user, None)
        self._refusals.pop(user, None)
        for waiter in waiters.values():
            waiter.given_up()

    def is_unproven(self, user: int) -> bool:
        """Whether we opened a channel to this person and no message has arrived there yet."""
        return self._reached.get(user) is False

    def is_unknown(self, user: int) -> bool:
        """Whether we know neither an opening nor a refusal of this person's channel.

        Another process may have opened it, or this one before its start.
        """
        return user not in self._reached and user not in self._refusals

    def is_refused(self, user: int) -> bool:
        """Whether Discord didn't let us write to this person when we last tried."""
        return user in self._refusals

    def arrived(self, user: int) -> None:
        """Note that a message has reached this person."""
        if self.is_unproven(user):
            self._reached[user] = True
            self._arrivals += 1
        self._refusals.pop(user, None)

    def refused(self, user: int) -> bool:
        """Note that a first message was refused; returns whether the reason is this person.

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
        """Why somebody who joins the line now will wait long; None if they won't."""
        now = self._now()
        if self._refused.until(now) > now:
            return Delay.REFUSED
        if await self._full_until() > now:
            return Delay.LIMIT
        return None

    async def stop(self) -> None:
        """Stop opening channels, and drop everybody in line."""
        self._stopped = True
        self._line.clear()
        if self._walking is not None:
            self._walking.cancel()
            await asyncio.gather(self._walking, return_exceptions=True)

    async def _walk(self) -> None:
        while self._line:
            try:
                await self._wait_until_free()
                await self._serve(self._next())
            except StorageUnavailableError:  # logged by the storage
                await self._sleep_in_trouble()
            except Exception:  # whatever it is, the others still wait
                log.exception("direct message not opened")
                await self._sleep_in_trouble()

    def _next(self) -> int | None:
        """The first person in line, preferring people we haven't been refused for."""
        free = (user for user in self._line if user not in self._refusals)
        return next(free, next(iter(self._line), None))

    async def _wait_until_free(self) -> None:
        """Return when a channel may be opened; tell everybody in line once if that takes long."""
        notified: set[int] = set()
        while (wait := await self._seconds_until_free()) > 0:
            if wait > LONG_WAIT:
                unnotified = [user for user in self._line if user not in notified]
                notified.update(unnotified)
                for user in unnotified:
                    self._tell(user)
            await self._pace.sleep(min(wait, LONG_WAIT))  # the clock may be set back meanwhile

    async def _seconds_until_free(self) -> float:
        full_until, now = await self._full_until(), self._now()
        return max(self._pause.until(now), self._refused.until(now), full_until) - now

    async def _full_until(self) -> float:
        """The Unix time until which the last hour's openings reach the limit; 0 if they don't."""
        now = int(self._now())
        # Ignore later ones: they were opened while the clock was ahead.
        opened = [at for at in await self._opened_since(now - HOUR_SECONDS) if at <= now]
        most = self._pace.most_per_hour
        return opened[-most] + HOUR_SECONDS if len(opened) >= most else 0.0

    async def _serve(self, user: int | None) -> None:
        """Open the channel to this person, if anything still wants it."""
        if user is None:
            return
        if not await self._keep_if_wanted(user):
            return
        if await self._is_decided(user):
            self._finish(user)
            return
        self._pause = Rest(self._now(), self._pace.pause * self._pace.processes())
        self._reached[user] = False  # before anybody can learn of the channel and write there
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
            self._finish(user)

    async def _keep_if_wanted(self, user: int) -> bool:
        """Drop waiters that don't need the channel to this person anymore; whether one does."""
        for key, waiter in list(self._line.get(user, {}).items()):
            try:
                if await waiter.holds():
                    return True
            except StorageUnavailableError:
                raise
            except Exception:  # one broken match must not stop the line
                log.exception("waiter for a direct message broken", user=user)
            self.leave(user, key)
            waiter.given_up()
        if not self._line.get(user):  # unless a waiter was added meanwhile
            self._line.pop(user, None)
        return False

    def _failed(self, user: int, failure: Failure) -> None:
        """React to a channel that could not be opened: rest, or remove the person from the line."""
        if failure is Failure.HURRIED:
            self._refused = Rest(self._now(), HURRIED_REST)
            log.warning("direct messages opened too fast", rest=HURRIED_REST)
        elif failure is Failure.CLOSED:
            self._finish(user)
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

    def _finish(self, user: int) -> None:
        self._tell(user)
        self._line.pop(user, None)

    def _tell(self, user: int) -> None:
        for waiter in self._line.get(user, {}).values():
            waiter.tell()
