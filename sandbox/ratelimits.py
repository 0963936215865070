"""Discord's rate limits: buckets by route and major parameter, 50 requests a second, and the ban.

Discord documents the limit of 50 and what gets a bot banned; bucket sizes are as bots observe them.
"""

import hashlib
import math
from collections import deque
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from sandbox.clock import Clock
from sandbox.errors import DiscordError

Allowance = tuple[int, float]
"""A number of requests, and the length of their window in seconds."""

DEFAULT_ALLOWANCE: Final[Allowance] = (10, 10.0)
ALLOWANCES: Final[dict[str, Allowance]] = {
    "POST /channels/{channel}/messages": (5, 5.0),
    "PATCH /channels/{channel}/messages/{message}": (5, 5.0),
    "DELETE /channels/{channel}/messages/{message}": (5, 1.0),
    "GET /channels/{channel}/messages": (5, 1.0),
    "POST /users/@me/channels": (10, 10.0),
    "POST /webhooks/{application}/{token}": (5, 2.0),
    "POST /interactions/{interaction}/{token}/callback": (5, 1.0),
    "PUT /applications/{application}/commands": (2, 20.0),
}
UNLIMITED_ALLOWANCE: Final[Allowance] = (1000, 1.0)
"""The allowance in the headers while limits aren't enforced."""

GLOBAL_PER_SECOND: Final = 50
SECOND: Final = timedelta(seconds=1)
OLD_EDIT_ALLOWANCE: Final[Allowance] = (3, 20.0)
"""Edits of messages older than an hour, per channel."""

MAX_IDENTIFIES: Final = 1000
MAX_INVALID: Final = 10_000
INVALID_WINDOW: Final = timedelta(minutes=10)
INVALID_STATUSES: Final = frozenset({401, 403, 429})


@dataclass(slots=True)
class Bucket:
    """A number of requests per window; a window begins with its first request."""

    limit: int
    window: timedelta
    used: int = 0
    resets_at: datetime | None = None

    def take(self, now: datetime) -> float:
        """Use one request; returns 0 if it's granted, otherwise the seconds to wait."""
        if self.resets_at is None or now >= self.resets_at:
            self.used, self.resets_at = 0, now + self.window
        if self.used >= self.limit:
            return max(0.001, (self.resets_at - now).total_seconds())
        self.used += 1
        return 0.0

    def headers(self, name: str, now: datetime) -> dict[str, str]:
        resets_at = self.resets_at or now
        return {
            "X-RateLimit-Limit": str(self.limit),
            "X-RateLimit-Remaining": str(self.limit - self.used),
            "X-RateLimit-Reset": f"{resets_at.timestamp():.3f}",
            "X-RateLimit-Reset-After": f"{(resets_at - now).total_seconds():.3f}",
            "X-RateLimit-Bucket": hashlib.md5(name.encode(), usedforsecurity=False).hexdigest(),
        }


@dataclass(slots=True)
class RateLimits:
    clock: Clock
    """Its own clock, because bots wait in real time even while the sandbox's clock is frozen."""

    windows: float = 1.0
    """The length of the buckets' windows, as a fraction of Discord's. Tests shorten them; to a bot
    that obeys the headers it makes no difference."""

    max_invalid: int = MAX_INVALID
    """The number of invalid requests within 10 minutes that gets the bot's address banned."""

    max_identifies: int = MAX_IDENTIFIES
    """How often all shards together can identify in a day."""

    max_concurrency: int = 1
    """How many shards can identify within 5 seconds: one for each `shard % max_concurrency`."""

    buckets: dict[tuple[str, str], Bucket] = field(default_factory=dict)
    recent: deque[datetime] = field(default_factory=deque)
    invalid: deque[datetime] = field(default_factory=deque)
    old_edits: dict[int, Bucket] = field(default_factory=dict)

    def check(self, route: str, major: str, *, counted: bool) -> dict[str, str]:
        """Count a request; returns its rate limit headers, raises DiscordError 429 over a limit.

        `counted` says whether the request counts toward the 50 a second.
        """
        now = self.clock.now()
        if counted:
            self._check_global(now)
        key, allowance = (route, major), ALLOWANCES.get(route, DEFAULT_ALLOWANCE)
        bucket = self.buckets.get(key) or self.buckets.setdefault(key, self._bucket(allowance))
        wait = bucket.take(now)
        if wait:
            error = limited(wait)
            error.headers |= bucket.headers(route, now) | {"X-RateLimit-Scope": "user"}
            raise error
        return bucket.headers(route, now)

    def _bucket(self, allowance: Allowance) -> Bucket:
        limit, seconds = allowance
        return Bucket(limit, timedelta(seconds=seconds) * self.windows)

    def _check_global(self, now: datetime) -> None:
        while self.recent and now - self.recent[0] >= SECOND:
            self.recent.popleft()
        if len(self.recent) >= GLOBAL_PER_SECOND:
            wait = (self.recent[0] + SECOND - now).total_seconds()
            error = limited(max(0.001, wait), everywhere=True)
            error.headers |= {"X-RateLimit-Global": "true", "X-RateLimit-Scope": "global"}
            raise error
        self.recent.append(now)

    def check_old_edit(self, channel: int) -> None:
        """Count an edit of an old message; raises 30046 over the limit. It's always enforced."""
        bucket = self.old_edits.setdefault(channel, self._bucket(OLD_EDIT_ALLOWANCE))
        wait = bucket.take(self.clock.now())
        if wait:
            message = "Maximum number of edits to messages older than 1 hour reached"
            error = limited(wait, code=30046, message=f"{message}. Try again later.")
            error.headers["X-RateLimit-Scope"] = "shared"
            raise error

    def note_status(self, status: int, scope: str | None) -> None:
        """Count the request toward the ban if its status is invalid, unless the limit is shared."""
        if status in INVALID_STATUSES and scope != "shared":
            self.invalid.append(self.clock.now())
        self._forget_old()

    def _forget_old(self) -> None:
        now = self.clock.now()
        while self.invalid and now - self.invalid[0] > INVALID_WINDOW:
            self.invalid.popleft()

    def ban(self) -> timedelta | None:
        """How long Cloudflare still refuses all requests of the bot; None if it isn't banned."""
        self._forget_old()
        if len(self.invalid) < self.max_invalid:
            return None
        return self.invalid[-self.max_invalid] + INVALID_WINDOW - self.clock.now()


def open_headers(route: str) -> dict[str, str]:
    """The rate limit headers of a route while limits aren't enforced."""
    now = datetime.now().astimezone()
    limit, seconds = UNLIMITED_ALLOWANCE
    bucket = Bucket(limit, timedelta(seconds=seconds), used=1)
    bucket.resets_at = now + bucket.window
    return bucket.headers(route, now)


def limited(
    wait: float,
    *,
    everywhere: bool = False,
    code: int = 0,
    message: str = "You are being rate limited.",
) -> DiscordError:
    """A 429 with `wait` in seconds; without a Via header, discord.py takes it for Cloudflare's ban.

    `everywhere` is Discord's `global`.
    """
    extra = {"retry_after": round(wait, 3), "global": everywhere}
    error = DiscordError(429, code, message, extra=extra)
    error.headers = {"Retry-After": str(math.ceil(wait)), "Via": "1.1 google"}
    return error
