"""The sandbox's clock: real time plus an offset, or frozen."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta


class Clock:
    """The time in the sandbox, which tests can freeze and move forward."""

    def __init__(self) -> None:
        self._offset = timedelta()
        self._frozen: datetime | None = None
        self._moved = asyncio.Event()
        self._listeners: list[Callable[[], None]] = []

    def subscribe(self, listener: Callable[[], None]) -> None:
        """Call `listener` after each `advance` and `thaw`."""
        self._listeners.append(listener)

    @property
    def offset(self) -> timedelta:
        """How far the clock is ahead of real time; out of date while it's frozen."""
        return self._offset

    def now(self) -> datetime:
        return self._frozen or datetime.now(UTC) + self._offset

    @property
    def is_frozen(self) -> bool:
        return self._frozen is not None

    def advance(self, by: timedelta) -> None:
        """Move forward and wake everything that waits; raises ValueError if `by` is negative."""
        if by < timedelta():
            raise ValueError("The clock only moves forward.")
        self._offset += by
        if self._frozen is not None:
            self._frozen += by
        self._wake()

    def freeze(self) -> None:
        """Stop the clock; from now on only `advance` moves it."""
        self._frozen = self.now()

    def thaw(self) -> None:
        """Run again, from the time at which it is frozen."""
        if self._frozen is not None:
            self._offset = self._frozen - datetime.now(UTC)
            self._frozen = None
            self._wake()

    async def reach(self, moment: datetime) -> None:
        """Wait until this time."""
        while (remaining := (moment - self.now()).total_seconds()) > 0:
            moved = self._moved
            try:
                await asyncio.wait_for(moved.wait(), None if self.is_frozen else remaining)
            except TimeoutError:
                continue

    def _wake(self) -> None:
        self._moved.set()
        self._moved = asyncio.Event()
        for listener in self._listeners:
            listener()
