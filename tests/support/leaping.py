"""Event loops whose clocks can jump, so that no test waits for time to pass."""

import asyncio
import selectors


class LeapingLoop(asyncio.SelectorEventLoop):
    """An event loop that, when it has nothing else to do, jumps to the time of its next timer."""

    def __init__(self):
        super().__init__(_Leaping(self))
        self.now = 0.0

    def time(self):
        return self.now


class _Leaping(selectors.DefaultSelector):
    def __init__(self, loop):
        super().__init__()
        self._loop = loop

    def select(self, timeout=None):
        found = super().select(0)
        if timeout and not found:
            self._loop.now += timeout
        return found


class Ahead:
    """Makes the clock of the running event loop adjustable; otherwise it keeps running."""

    def __init__(self):
        loop, self._seconds = asyncio.get_running_loop(), 0.0
        usual = loop.time
        loop.time = lambda: usual() + self._seconds

    def advance(self, seconds):
        """Move the clock forward, so that timers due within so many seconds fire now."""
        self._seconds += seconds
