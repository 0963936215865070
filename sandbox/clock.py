"""The sandbox's clock: real time plus an offset, or frozen."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta


class Clock:
    """The clock of all the sandbox's limits, so that a test can skip 15 minutes."""

    def __init__(self) -> None:
        self._offset = timedelta()
        self._frozen: datetime | None = None
        self._moved = asyncio.Event()
        self._listeners: list[Callable[[], None]] = []

    def subscribe(self, listener: Callable[[], None]) -> None:
        """Call `listener` whenever the clock was moved by hand."""
        self._listeners.append(listener)

    @property
    def offset(self) -> timedelta:
        """How far it is ahead of the real time while it runs."""
        return self._offset

    def now(self) -> datetime:
        return self._frozen or datetime.now(UTC) + self._offset

    @property
    def is_frozen(self) -> bool:
        return self._frozen is not None

    def advance(self, by: timedelta) -> None:
        """Move forward and wake those who wait for a moment that has come."""
        if by < timedelta():
            raise ValueError("The clock only moves forward.")
        self._offset += by
        if self._frozen is not None:
            self._frozen += by
        self._wake()

    def freeze(self) -> None:
        """Stop; only `advance` moves it from now on."""
        self._frozen = self.now()

    def thaw(self) -> None:
        """Run again, from the moment at which it was frozen."""
        if self._frozen is not None:
            self._offset = self._frozen - datetime.now(UTC)
            self._frozen = None
            self._wake()

    async def reach(self, moment: datetime) -> None:
        """Return once this moment has come."""
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
