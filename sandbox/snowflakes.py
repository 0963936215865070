"""Discord's ids: the milliseconds since 2015, then 22 bits that count up."""

from datetime import UTC, datetime, timedelta
from typing import Final

from sandbox.clock import Clock

EPOCH: Final = datetime(2015, 1, 1, tzinfo=UTC)


class Snowflakes:
    """Creates ascending ids."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last = 0

    def next(self) -> int:
        milliseconds = (self._clock.now() - EPOCH) // timedelta(milliseconds=1)
        self._last = max(self._last + 1, milliseconds << 22)
        return self._last


def is_snowflake(value: object) -> bool:
    """Whether Discord accepts a JSON value as an id: digits, or an integer."""
    if isinstance(value, bool):
        return False
    if isinstance(value, int):
        return 0 <= value < 1 << 63
    return isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 20
