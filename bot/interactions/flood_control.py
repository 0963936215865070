"""How many clicks of one person are taken in so short a time; the rest is told to wait."""

import math
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Final

from bot.errors import HurriedError
from bot.telemetry.metrics import FLOODED

MOST: Final = 30
WITHIN: Final = 10.0

PEOPLE: Final = 10_000
"""So many are remembered at once; beyond that, whoever has been quiet longest is forgotten."""


class Allowance:
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
        people: int = PEOPLE,
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


class Flood:
    """Lets a person's clicks and commands pass, up to `most` of them in 10 seconds."""

    def __init__(self, now: Callable[[], float] = time.time) -> None:
        self._allowance = Allowance(MOST, WITHIN, now=now)

    @property
    def most(self) -> int:
        return self._allowance.most

    @most.setter
    def most(self, most: int) -> None:
        self._allowance.most = most

    def forget(self, person: int) -> None:
        """Remember nothing of this person."""
        self._allowance.forget(person)

    def admit(self, person: int) -> None:
        """Count a click of this person; a HurriedError if it is one too many."""
        wait = self._allowance.take(person)
        if wait:
            FLOODED.inc()
            raise HurriedError(
                f"Slow down, please: that was more than {self.most} clicks in {WITHIN:.0f} "
                f"seconds. Click again in {wait} second{'s' * (wait > 1)}; what you chose before "
                "is kept."
            )
