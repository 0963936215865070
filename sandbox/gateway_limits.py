"""The gateway's rate limits: IDENTIFY every 5 seconds and per day, and 120 payloads a minute."""

from datetime import timedelta
from typing import Final

from sandbox.errors import Json
from sandbox.faults import Faults
from sandbox.ratelimits import Bucket, RateLimits

IDENTIFY_WINDOW: Final = timedelta(seconds=5)
DAY: Final = timedelta(days=1)
MAX_PAYLOADS: Final = 120
PAYLOADS_WINDOW: Final = timedelta(seconds=60)


class GatewayLimits:
    """The limits of all connections of one bot."""

    def __init__(self, limits: RateLimits, faults: Faults) -> None:
        self._limits = limits
        self._faults = faults
        self._identifies: dict[int, Bucket] = {}
        self._day = Bucket(0, DAY)

    def counts_identify(self) -> bool:
        """Count an IDENTIFY, even one that comes too soon; False if the day's limit is used up."""
        return self.admits(self._today())

    def wire(self) -> Json:
        """The day's limit as Discord's `session_start_limit`; `reset_after` is in milliseconds."""
        day, now = self._today(), self._limits.clock.now()
        left = day.window if day.resets_at is None else day.resets_at - now
        return {
            "total": day.limit,
            "remaining": day.limit - day.used,
            "reset_after": round(left.total_seconds() * 1000),
            "max_concurrency": self._limits.max_concurrency,
        }

    def _today(self) -> Bucket:
        """The day's bucket; a day begins with its first IDENTIFY."""
        day, now = self._day, self._limits.clock.now()
        if day.resets_at is None or now >= day.resets_at:
            self._day = Bucket(self._limits.max_identifies, DAY * self._limits.windows)
        return self._day

    def admits_identify(self, shard: int) -> bool:
        """Whether a shard may identify now; if so, it's counted."""
        key = shard % self._limits.max_concurrency
        window = IDENTIFY_WINDOW * self._limits.windows
        return self.admits(self._identifies.setdefault(key, Bucket(1, window)))

    def admits(self, bucket: Bucket) -> bool:
        """Whether a bucket has room; if so, one is taken from it. Always true without limits."""
        return not (self._faults.rate_limits and bucket.take(self._limits.clock.now()))


def payload_bucket() -> Bucket:
    """The limit of what one connection may send."""
    return Bucket(MAX_PAYLOADS, PAYLOADS_WINDOW)
