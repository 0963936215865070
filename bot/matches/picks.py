"""Choices that don't complete their step, written in batches: the hot path of a match.

Most choices aren't the last of their step. Such a choice needs no match to be loaded: its statement
checks that the match is still at that step, and its legality is checked on a remembered match.
Everything else is left to `Matches.submit`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from cachetools import LRUCache

from bot.errors import NotSeatedError
from bot.matches.batch_queue import BatchQueue, Take
from bot.matches.effect import Effect
from bot.matches.loaded import LoadedMatch, load_match, seat_of
from bot.storage import MatchId, MatchRecord
from bot.storage.move_batch import Pick
from games import Seat

MAX_REMEMBERED: Final = 512
"""Running matches kept in memory; the least recently used are dropped."""

Write = Callable[[Sequence[Pick]], Awaitable[Mapping[tuple[MatchId, Seat], int]]]
Read = Callable[[MatchId], Awaitable[MatchRecord | None]]


class Picks:
    def __init__(self, write: Write, read: Read, remembered: int = MAX_REMEMBERED) -> None:
        self._write = write
        self._read = read
        self._loaded: LRUCache[MatchId, LoadedMatch] = LRUCache(remembered)
        self._one_at_a_time = asyncio.Lock()
        self._queue: BatchQueue[MatchId, Pick, int | None]
        self._queue = BatchQueue(self._write_all)  # one per match: two might complete their step

    def remember(self, found: LoadedMatch) -> None:
        """Keep a match as committed for later choices, unless a later one is known."""
        match = found.record.id
        known = self._loaded.get(match)
        if found.record.status != "running":
            self._loaded.pop(match, None)
        elif known is None or _age(known) <= _age(found):
            self._loaded[match] = found

    async def choose(
        self, match: MatchId, step: int, user: int, text: str, *, now: int
    ) -> Effect | None:
        """Choose a move and return its committed effect; None if `Matches.submit` has to do it.

        That is if the match isn't remembered, if the move isn't legal, completes the step or clears
        strikes, or if it wasn't written. `text` is the move in the game's notation.
        """
        found = self._loaded.get(match)
        if found is None or found.record.step != step:
            return None
        awaiting = found.awaiting
        try:
            seat = seat_of(found, user)
            others = awaiting - {seat}
            is_more = found.choices.keys() >= others or found.record.seats[seat].strikes
            if seat not in awaiting or is_more:
                return None  # as far as is known, it also resolves the step, or clears strikes
            move = found.game.parse(text)
            found.game.check(found.state, seat, move)
        except (NotSeatedError, ValueError):  # an IllegalMoveError, too
            return None
        pick = Pick(
            match=match,
            step=step,
            turn=found.record.turn,
            seat=seat,
            move=str(move),
            made_at=now,
            gone=sum(s.left is not None for s in found.record.seats),
            others=tuple(sorted(others)),
        )
        before = await self._queue.add(match, pick)
        if before is None:
            self._loaded.pop(match, None)
            return None
        known = self._loaded.get(match)
        if known is None or known.record.revision != before:
            # Another process changed the match, or a change made here isn't remembered yet.
            known = load_match(await self._read(match))
            self.remember(known)
        else:
            record = replace(known.record, revision=before + 1)
            known = replace(known, record=record, choices={**known.choices, seat: move})
            self._loaded[match] = known
        return Effect(known, changes_choice=seat in found.choices)

    async def _write_all(
        self, take: Take[MatchId, Pick]
    ) -> Mapping[MatchId, int | Exception | None]:
        """Write picks in one commit; returns each match's revision before, None if not written."""
        async with self._one_at_a_time:  # so that picks that arrive meanwhile share a commit
            batch = take()
            written = await self._write(list(batch.values()))
        return {match: written.get((match, pick.seat)) for match, pick in batch.items()}


def _age(found: LoadedMatch) -> tuple[int, int]:
    """Orders loaded matches by age; by turn first, because steps can be taken back."""
    return found.record.turn, found.record.step
