"""Servers in an outage of Discord, and since when."""

import math
from collections.abc import Callable
from typing import Final

AWAY_SECONDS: Final = 30.0
"""Seconds without a connection after which the bot was away: most are back in one or two."""

MINUTE: Final = 60


class Outages:
    """Servers whose clocks are stopped by an outage. Each stays here until it has got its grace."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._since: dict[int, float] = {}
        self._over: set[int] = set()

    @property
    def servers(self) -> frozenset[int]:
        """The servers whose clocks are stopped."""
        return frozenset(self._since)

    @property
    def over(self) -> frozenset[int]:
        """Those of them that can be reached again."""
        return frozenset(self._over)

    def begin(self, guild: int) -> None:
        self._over.discard(guild)
        self._since.setdefault(guild, self._now())

    def end(self, guild: int) -> bool:
        """Note that a server can be reached; whether it was in an outage."""
        if guild in self._since:
            self._over.add(guild)
        return guild in self._since

    def lasted(self, guilds: frozenset[int]) -> dict[int, frozenset[int]]:
        """Those of these servers that were away for long, by the length of their outage in seconds.

        It's rounded up to the minute: most come back with many others, from the same outage.
        """
        by_length: dict[int, set[int]] = {}
        for guild in guilds:
            lasted = self._now() - self._since[guild]
            if lasted >= AWAY_SECONDS:
                by_length.setdefault(math.ceil(lasted / MINUTE) * MINUTE, set()).add(guild)
        return {lasted: frozenset(servers) for lasted, servers in by_length.items()}

    def resume(self, guilds: frozenset[int]) -> None:
        """Let the clocks of these servers run, except those that are gone again meanwhile."""
        for guild in guilds & self._over:
            self._over.remove(guild)
            del self._since[guild]
