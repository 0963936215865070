"""Limits on how often one person can do something in a given time."""

import math
from collections import deque
from collections.abc import Callable
from typing import Final

from cachetools import TTLCache

from bot.time_units import HOUR_SECONDS

MAX_PEOPLE: Final = 10_000
"""People remembered at once; beyond that, those whose last act is oldest are forgotten."""


class RateLimit:
    """At most `most` acts of each person in `within` seconds; in memory, as it only prevents haste.

    Refused acts don't count: so "in 7 seconds" stays true for somebody who doesn't wait, and
    nobody's record grows. A person who deletes their data isn't forgotten here until their acts no
    longer count, or a deletion would give back what they used up. PRIVACY.md says so.
    """

    def __init__(
        self,
        most: int,
        within: float = HOUR_SECONDS,
        *,
        now: Callable[[], float],
        people: int = MAX_PEOPLE,
    ) -> None:
        self.most = most
        self.within = within
        self._now = now
        self._acts: TTLCache[int, deque[float]] = TTLCache(people, within, timer=now)
        """When each person acted, by user id; forgotten once their last act no longer counts."""

    def take(self, person: int) -> int:
        """Count an act of this person; returns 0, or the seconds to wait if it's one too many."""
        now = self._now()
        acts = self._acts.get(person, deque())
        # A time in the future is from before the clock was set back, and says nothing.
        while acts and not 0 <= now - acts[0] < self.within:
            acts.popleft()
        if len(acts) >= self.most:
            return max(1, math.ceil(acts[0] + self.within - now))
        acts.append(now)
        self._acts[person] = acts
        return 0

    def give_back(self, person: int) -> None:
        """Don't count this person's last act, because nothing came of it."""
        acts = self._acts.get(person)
        if acts:
            acts.pop()
            if not acts:
                del self._acts[person]
