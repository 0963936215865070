"""Forced moves that somebody owes already as they choose to have such moves played for them."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from bot.errors import CorruptRecordError, MatchError
from bot.matches import clocks
from bot.matches.loaded import NOT_PLAYING, LoadedMatch, load_running, playing_seat_of
from bot.matches.resolution import forced, resolve
from bot.storage import MatchId, MatchRecord, MoveRecord, Transaction, Transactions
from games import Seat


class ForcedMoves:
    def __init__(
        self,
        storage: Transactions,
        changed: Callable[[MatchId], None],
        *,
        now: Callable[[], float],
    ) -> None:
        self._storage = storage
        self._changed = changed
        self._now = now

    async def play_owed(self, user: int) -> None:
        """Play the forced moves that this person owes and does not want to tap.

        Each match in a transaction of its own: none waits for the others, or fails with them.
        """
        async with self._storage.reading() as reading:
            playing = await reading.people.matches_in_play(user)
            records = await reading.matches.load_all(playing)
        for match in [match for match in playing if _owed(records.get(match), user)]:
            async with self._storage.transaction() as writing:
                owed = _owed(await writing.matches.load(match), user)
                if owed is not None:
                    await _play(writing, *owed, int(self._now()))
            self._changed(match)


def _owed(record: MatchRecord | None, user: int) -> tuple[LoadedMatch, Seat, Any] | None:
    """The match, the seat of this person and the only move that is left to them; None if none."""
    try:
        found = load_running(record)
        seat = playing_seat_of(found, user, NOT_PLAYING)
    except (MatchError, CorruptRecordError):
        return None
    move = forced(found).get(seat)
    return None if move is None else (found, seat, move)


async def _play(
    writing: Transaction,
    found: LoadedMatch,
    seat: Seat,
    move: Any,  # noqa: ANN401 - of the game's own type
    now: int,
) -> None:
    record = found.record
    chosen = MoveRecord(text=str(move), how="forced", made_at=now)
    await writing.moves.choose(record.id, record.step, seat, chosen)
    timed = clocks.charged(record, [seat], now)
    await writing.clocks.put_seats(record, timed)
    after = replace(found, record=timed, choices={**found.choices, seat: move})
    await resolve(writing, after, now, by_itself=found.awaiting == {seat})
