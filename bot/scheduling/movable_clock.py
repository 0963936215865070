"""A clock that a file sets ahead, to try out reminders and deadlines."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import structlog

log = structlog.get_logger()

LOOK_SECONDS: Final = 0.5


class MovableClock:
    """This machine's time plus the seconds in a file."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._ahead = 0.0
        self.look()

    def __call__(self) -> float:
        return time.time() + self._ahead

    def look(self) -> bool:
        """Read the file again; whether that changes the clock. All but a number is ignored."""
        try:
            ahead = float(self._file.read_text(encoding="ascii"))
        except (OSError, ValueError):
            return False
        moved, self._ahead = ahead != self._ahead, ahead
        return moved

    async def follow(self, moved: Callable[[], None]) -> None:
        """Watch the file forever, and call `moved` whenever it has changed the clock."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            if self.look():
                log.info("clock moved", ahead=self._ahead)
                moved()
