"""Clocks of event loops that jump, so that no test waits for time to pass."""

import asyncio
import selectors


class LeapingLoop(asyncio.SelectorEventLoop):
    """An event loop whose time passes only when nothing else is to be done, and then at once."""

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
    """The clock of the running event loop: it goes as ever, and a test can put it forward."""

    def __init__(self):
        loop, self._seconds = asyncio.get_running_loop(), 0.0
        usual = loop.time
        loop.time = lambda: usual() + self._seconds

    def advance(self, seconds):
        """Let what waits for at most so many seconds from now wait no longer."""
        self._seconds += seconds
