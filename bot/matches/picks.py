"""Choices that resolve nothing, written together: the hot path of a match.

Most choices are not the last of their step. Such a one needs no more of the match than whether it
is still at that step, which its statement asks; the position, by which its legality is found, is
remembered. Whatever is not so plain is left to `Matches.submit`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from cachetools import LRUCache

from bot.matches.batch_queue import BatchQueue, Take
from bot.matches.effect import Effect
from bot.matches.loaded import LoadedMatch, load_match
from bot.storage import MatchId, MatchRecord
from bot.storage.move_batch import Pick
from games import Seat

REMEMBERED: Final = 512
"""Positions of running matches kept in memory, the latest used."""

Write = Callable[[Sequence[Pick]], Awaitable[Mapping[tuple[MatchId, Seat], int]]]
Read = Callable[[MatchId], Awaitable[MatchRecord | None]]


class Picks:
    def __init__(self, write: Write, read: Read, remembered: int = REMEMBERED) -> None:
        self._write = write
        self._read = read
        self._positions: LRUCache[MatchId, LoadedMatch] = LRUCache(remembered)
        self._one_at_a_time = asyncio.Lock()
        self._queue: BatchQueue[MatchId, Pick, int | None]
        self._queue = BatchQueue(self._write_all)  # one a match: two might end their step together

    def remember(self, found: LoadedMatch) -> None:
        """Keep a position as it is committed, for the picks to come."""
        match = found.record.id
        known = self._positions.get(match)
        if found.record.status != "running":
            self._positions.pop(match, None)
        elif known is None or _age(known) <= _age(found):
            self._positions[match] = found

    async def choose(
        self, match: MatchId, step: int, user: int, text: str, *, now: int
    ) -> Effect | None:
        """What choosing this move has led to, committed; None if this is not the place for it."""
        found = self._positions.get(match)
        if found is None or found.record.step != step:
            return None
        awaiting = found.awaiting
        seat = _seat(found, user, awaiting)
        others = tuple(sorted(awaiting - {seat}))
        if seat is None or found.choices.keys() >= set(others):
            return None  # it is the last of its step, as far as is known, and resolves it
        try:
            move = found.game.parse(text)
            found.game.check(found.state, seat, move)
        except ValueError:  # an IllegalMoveError, too
            return None
        pick = Pick(
            match=match,
            step=step,
            turn=found.record.turn,
            seat=seat,
            move=str(move),
            made_at=now,
            gone=sum(s.left is not None for s in found.record.seats),
            others=others,
        )
        before = await self._queue.add(match, pick)
        if before is None:
            self._positions.pop(match, None)
            return None
        again = seat in found.choices
        known = self._positions.get(match)
        if known is None or known.record.revision != before:
            # Another process has changed the match, or what was changed here is not remembered yet.
            known = load_match(await self._read(match))
            self.remember(known)
            return Effect(known, again=again)
        record = replace(known.record, revision=before + 1)
        chosen = replace(known, record=record, choices={**known.choices, seat: move})
        self.remember(chosen)
        return Effect(chosen, again=again)

    async def _write_all(
        self, take: Take[MatchId, Pick]
    ) -> Mapping[MatchId, int | Exception | None]:
        """Write picks with one commit; the revision before each, None if it is not written."""
        async with self._one_at_a_time:  # so that those who come meanwhile share the next one
            batch = take()
            written = await self._write(list(batch.values()))
        return {match: written.get((match, pick.seat)) for match, pick in batch.items()}


def _age(found: LoadedMatch) -> tuple[int, int]:
    """By which of two positions of a match the later is found: steps can be taken back."""
    return found.record.turn, found.record.step


def _seat(found: LoadedMatch, user: int, awaiting: frozenset[Seat]) -> Seat | None:
    """The seat of a user that owes a move and has nothing else to be seen to."""
    for i, seat in enumerate(found.record.seats):
        if seat.user == user:
            return Seat(i) if i in awaiting and not seat.strikes else None
    return None
