"""Limits on how often one person may do something within some time."""

import math
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Final

MAX_PEOPLE: Final = 10_000
"""So many are remembered at once; beyond that, whoever has been quiet longest is forgotten."""


class RateLimit:
    """So many acts of each person in so many seconds; in memory, for it guards against haste only.

    What is refused does not count: so "in 7 seconds" stays true for who does not wait, and nobody's
    record grows.
    """

    def __init__(
        self,
        most: int,
        within: float,
        *,
        now: Callable[[], float] = time.time,
        people: int = MAX_PEOPLE,
    ) -> None:
        self.most = most
        self.within = within
        self._now = now
        self._people = people
        self._acts: OrderedDict[int, deque[float]] = OrderedDict()
        """When each person acted, who acted last at the end."""

    def take(self, person: int) -> int:
        """Count an act of this person: 0, or the seconds to wait if it is one too many."""
        now = self._now()
        acts = self._acts.setdefault(person, deque())
        # A time to come is from before the clock was set back: it says nothing.
        while acts and not 0 <= now - acts[0] < self.within:
            acts.popleft()
        if len(acts) >= self.most:
            return max(1, math.ceil(acts[0] + self.within - now))
        acts.append(now)
        self._acts.move_to_end(person)
        self._let_go(now)
        return 0

    def give_back(self, person: int) -> None:
        """Do not count this person's last act, because nothing came of it."""
        acts = self._acts.get(person)
        if acts:
            acts.pop()
            if not acts:
                del self._acts[person]

    def forget(self, person: int) -> None:
        """Remember nothing of this person."""
        self._acts.pop(person, None)

    def _let_go(self, now: float) -> None:
        """Let go of the one or two people quiet longest: more leave at each act than can come."""
        for _ in range(2):
            quiet = next(iter(self._acts))
            if len(self._acts) <= self._people and now - self._acts[quiet][-1] < self.within:
                return
            del self._acts[quiet]
