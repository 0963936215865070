"""The clock that several processes share: each its machine's, put right by the database's."""

from collections.abc import Callable
from typing import Final

import structlog

log = structlog.get_logger()

TOLERATED_SECONDS: Final = 1.0
"""By so much clocks may differ, and so long a comparison may take to count."""


class ServerClock:
    """The time of the database's server.

    Between two comparisons the machine's clock goes on by itself. So all processes agree on when a
    day begins and a turn ends, also where a machine's clock is wrong.
    """

    def __init__(self, here: Callable[[], float]) -> None:
        self.here = here
        """The clock of this machine."""

        self._ahead = 0.0
        """The seconds by which the server's is ahead of it."""

    def __call__(self) -> float:
        return self.here() + self._ahead

    def compare(self, there: float, began: float, ended: float) -> bool:
        """Take the server's time, read between two moments of this machine; whether that moves it.

        Nothing is learned where that took long, or the machine's clock was set meanwhile.
        """
        if not 0 <= ended - began <= TOLERATED_SECONDS:
            return False
        ahead = there - (began + ended) / 2
        if abs(ahead - self._ahead) <= TOLERATED_SECONDS:
            return False
        self._ahead = ahead
        log.warning("clock differs from the database's", ahead=round(-ahead, 1))
        return True
