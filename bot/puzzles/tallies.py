"""How many puzzles each person solved in a server: counted once a day, as only past days count."""

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final

from cachetools import TTLCache

from bot.puzzles.calendar import begins_at
from bot.storage import Storage
from bot.storage.puzzles import TallyRecord
from bot.time_units import DAY_SECONDS

MAX_REMEMBERED: Final = 100_000
"""People whose tallies are cached, in the servers last asked about; about 20 MB."""

LATE_ANSWER_SECONDS: Final = 60
"""Seconds after midnight until an answer given just before it is surely stored."""


@dataclass(frozen=True, slots=True)
class _Board:
    until: int
    """The first day that isn't counted."""

    tallies: Sequence[TallyRecord]
    """The best first."""

    def __len__(self) -> int:
        return min(len(self.tallies) + 1, MAX_REMEMBERED)  # an empty one takes room too

    def without(self, users: Collection[int]) -> "_Board":
        return _Board(self.until, [line for line in self.tallies if line.user not in users])


class PuzzleTallies:
    """The tallies of each server, cached once only a deletion can still change them."""

    def __init__(self, storage: Storage, *, now: Callable[[], float]) -> None:
        self._storage = storage
        self._now = now
        self._known: TTLCache[int, _Board] = TTLCache(
            MAX_REMEMBERED, DAY_SECONDS, timer=now, getsizeof=len
        )
        """By server, for the day last asked for."""

        self._count_lock = asyncio.Lock()
        self._forgotten: set[int] = set()
        """Users deleted during a count, whose answers may have been read before."""

        self._may_keep = False
        """Whether the count under way may be cached."""

    def forget(self, user: int) -> None:
        """Drop what is cached about this person."""
        if self._count_lock.locked():
            self._forgotten.add(user)
        for guild in list(self._known):
            board = self._known.pop(guild, None)  # it may expire meanwhile
            if board is not None:
                self._known[guild] = board.without({user})

    def forget_all(self) -> None:
        """Drop everything cached: this process may have missed that somebody was deleted."""
        self._may_keep = False
        self._known.clear()

    async def listed(self, guild: int, until: int) -> Sequence[TallyRecord]:
        """What each person solved in a server before the day `until`, the best first.

        Without people who are hidden from leaderboards.
        """
        board = self._remembered(guild, until) or await self._counted(guild, until)
        async with self._storage.reading() as reading:
            hidden = await reading.people.hidden([line.user for line in board.tallies])
        return board.without(hidden).tallies

    def _remembered(self, guild: int, until: int) -> _Board | None:
        board = self._known.get(guild)
        return board if board is not None and board.until == until else None

    async def _counted(self, guild: int, until: int) -> _Board:
        """The tallies of a server, counted unless another task has just done that."""
        async with self._count_lock:
            if (found := self._remembered(guild, until)) is not None:
                return found
            self._may_keep = self._now() >= begins_at(until) + LATE_ANSWER_SECONDS
            try:
                async with self._storage.reading(heavy=True) as reading:
                    self._may_keep &= await reading.puzzles.is_final(until)
                    tallies = await reading.puzzles.tallies(guild, until)
                board = _Board(until, tallies).without(self._forgotten)
            finally:
                self._forgotten.clear()
            if self._may_keep:
                self._known[guild] = board
            return board
