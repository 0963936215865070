"""What a bot may send to the gateway: identifies now and then, and 120 payloads a minute."""

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
        self._of_the_day = Bucket(0, DAY)

    def counts_identify(self) -> bool:
        """Count one more, in time or not; False where the day has had all that it may have."""
        return self.admits(self._today())

    def wire(self) -> Json:
        """What is left of the day, in JSON."""
        day, now = self._today(), self._limits.clock.now()
        left = day.window if day.resets_at is None else day.resets_at - now
        return {
            "total": day.limit,
            "remaining": day.limit - day.used,
            "reset_after": round(left.total_seconds() * 1000),
            "max_concurrency": self._limits.max_concurrency,
        }

    def _today(self) -> Bucket:
        """The identifies of a day, which begins with its first."""
        day, now = self._of_the_day, self._limits.clock.now()
        if day.resets_at is None or now >= day.resets_at:
            self._of_the_day = Bucket(self._limits.max_identifies, DAY * self._limits.windows)
        return self._of_the_day

    def admits_identify(self, shard: int) -> bool:
        """Whether a shard may identify now."""
        key = shard % self._limits.max_concurrency
        window = IDENTIFY_WINDOW * self._limits.windows
        return self.admits(self._identifies.setdefault(key, Bucket(1, window)))

    def admits(self, bucket: Bucket) -> bool:
        """Whether one more may be sent of what a bucket counts."""
        return not (self._faults.rate_limits and bucket.take(self._limits.clock.now()))


def payload_bucket() -> Bucket:
    """What one connection may send."""
    return Bucket(MAX_PAYLOADS, PAYLOADS_WINDOW)
