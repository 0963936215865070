"""The sandbox's own time: real time plus an offset, or standing still."""

import asyncio
from datetime import UTC, datetime, timedelta


class Clock:
    """Every limit of the sandbox is measured on it, so that a test need not wait 15 minutes."""

    def __init__(self) -> None:
        self._offset = timedelta()
        self._frozen: datetime | None = None
        self._moved = asyncio.Event()

    def now(self) -> datetime:
        return self._frozen or datetime.now(UTC) + self._offset

    @property
    def is_frozen(self) -> bool:
        return self._frozen is not None

    def advance(self, by: timedelta) -> None:
        """Move forward; whoever waits for a moment that is passed now, wakes."""
        if by < timedelta():
            raise ValueError("The clock only moves forward.")
        self._offset += by
        if self._frozen is not None:
            self._frozen += by
        self._wake()

    def freeze(self) -> None:
        """Stand still; only `advance` moves it from now on."""
        self._frozen = self.now()

    def thaw(self) -> None:
        """Go on from the moment of `freeze` as time goes."""
        if self._frozen is not None:
            self._offset = self._frozen - datetime.now(UTC)
            self._frozen = None
            self._wake()

    async def reach(self, moment: datetime) -> None:
        """Return when it is that late."""
        while (remaining := (moment - self.now()).total_seconds()) > 0:
            moved = self._moved
            try:
                await asyncio.wait_for(moved.wait(), None if self.is_frozen else remaining)
            except TimeoutError:
                continue

    def _wake(self) -> None:
        self._moved.set()
        self._moved = asyncio.Event()
