"""The clock that several processes share: each machine's own, corrected by the database's."""

from collections.abc import Callable
from typing import Final

import structlog

log = structlog.get_logger()

TOLERATED_SECONDS: Final = 1.0
"""Seconds by which clocks may differ, and that a comparison may take."""


class ServerClock:
    """The time of the database's server, in seconds since 1970.

    Between two comparisons the machine's clock runs on. So all processes agree on when a day begins
    and a turn ends, even if a machine's clock is wrong.
    """

    def __init__(self, here: Callable[[], float]) -> None:
        self.here = here
        """The clock of this machine, in seconds since 1970."""

        self._ahead = 0.0
        """Seconds by which the server's clock is ahead of this machine's."""

    def __call__(self) -> float:
        return self.here() + self._ahead

    def compare(self, server_time: float, began: float, ended: float) -> bool:
        """Correct this clock by the server's, read between two times of `here`; whether it moved.

        Ignored if reading took long, or the machine's clock was set meanwhile.
        """
        if not 0 <= ended - began <= TOLERATED_SECONDS:
            return False
        ahead = server_time - (began + ended) / 2
        if abs(ahead - self._ahead) <= TOLERATED_SECONDS:
            return False
        self._ahead = ahead
        log.warning("clock differs from the database's", ahead=round(-ahead, 1))
        return True
