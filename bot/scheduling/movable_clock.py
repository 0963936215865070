"""A clock that a file puts ahead, so that reminders and deadlines can be tried out."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import structlog

log = structlog.get_logger()

LOOK_SECONDS: Final = 0.5


class MovableClock:
    """The time of this machine, ahead by as many seconds as a file says."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._ahead = 0.0
        self.look()

    def __call__(self) -> float:
        return time.time() + self._ahead

    def look(self) -> bool:
        """Read the file again; whether it says something new. Only a number counts."""
        try:
            ahead = float(self._file.read_text(encoding="ascii"))
        except (OSError, ValueError):
            return False
        moved, self._ahead = ahead != self._ahead, ahead
        return moved

    async def follow(self, moved: Callable[[], None]) -> None:
        """Look at the file for ever, and call `moved` whenever the clock was."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            if self.look():
                log.info("clock moved", ahead=self._ahead)
                moved()
