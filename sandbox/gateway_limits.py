"""What a bot may send to the gateway: identifies one by one, and 120 payloads a minute."""

from datetime import timedelta
from typing import Final

from sandbox.faults import Faults
from sandbox.ratelimits import Bucket, RateLimits

IDENTIFY_WINDOW: Final = timedelta(seconds=5)
MAX_PAYLOADS: Final = 120
PAYLOADS_WINDOW: Final = timedelta(seconds=60)


class GatewayLimits:
    """The limits of all connections of one bot."""

    def __init__(self, limits: RateLimits, faults: Faults) -> None:
        self._limits = limits
        self._faults = faults
        self._identifies: dict[int, Bucket] = {}

    def admits_identify(self, shard: int) -> bool:
        """Whether a shard may identify now."""
        key = shard % self._limits.max_concurrency
        window = IDENTIFY_WINDOW * self._limits.windows
        return self._take(self._identifies.setdefault(key, Bucket(1, window)))

    def admits_payload(self, sent: Bucket) -> bool:
        """Whether a connection that has sent this much may send one payload more."""
        return self._take(sent)

    def _take(self, bucket: Bucket) -> bool:
        return not (self._faults.rate_limits and bucket.take(self._limits.clock.now()))


def payload_bucket() -> Bucket:
    """What one connection may send."""
    return Bucket(MAX_PAYLOADS, PAYLOADS_WINDOW)
