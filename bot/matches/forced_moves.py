"""Forced moves that were already owed when their players chose to have such moves played."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from bot.errors import CorruptRecordError, MatchError
from bot.matches import clocks
from bot.matches.loaded import NOT_PLAYING, LoadedMatch, load_match, load_running, playing_seat_of
from bot.matches.resolution import choose_forced, forced_choices, queue_turn_notices, resolve
from bot.storage import MatchId, MatchRecord, Transaction, Transactions
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
        """Play all forced moves that this user owes, if they prefer that.

        Each match has its own transaction, so that none waits for the others or fails with them.
        """
        async with self._storage.reading() as reading:
            playing = await reading.people.matches_in_play(user)
            records = await reading.matches.load_all(playing)
        for match in [match for match in playing if _owed(records.get(match), user)]:
            async with self._storage.transaction() as writing:
                owed = _owed(await writing.matches.load(match), user)
                if owed is not None:
                    found, moves = owed
                    await play(writing, found, moves, int(self._now()))
            self._changed(match)


def _owed(
    record: MatchRecord | None, user: int
) -> tuple[LoadedMatch, Mapping[Seat, Any]] | None:  # the move is of the game's own type
    """The match and the user's forced move, by seat; None if they owe none or can't move now."""
    try:
        found = load_running(record)
        seat = playing_seat_of(found, user, NOT_PLAYING)
    except (MatchError, CorruptRecordError):
        return None
    move = forced_choices(found).get(seat)
    return None if move is None else (found, {seat: move})


async def continue_match(writing: Transaction, match: MatchId, now: int) -> LoadedMatch:
    """Play on in a match whose clocks were just restarted; returns it as stored.

    Plays the forced moves of players who have chosen that meanwhile, and queues turn notices.
    """
    found = load_match(await writing.matches.load(match))
    if moves := forced_choices(found):
        await play(writing, found, moves, now)
        found = load_match(await writing.matches.load(match))
    await queue_turn_notices(writing, found, now)
    return found


async def play(
    writing: Transaction,
    found: LoadedMatch,
    moves: Mapping[Seat, Any],  # of the game's own type
    now: int,
) -> None:
    """Store these forced moves as choices, and resolve the step if no other seat owes a move."""
    timed = clocks.with_reserve_charged(found.record, moves, now)
    await writing.clocks.put_seats(found.record, timed)
    after = await choose_forced(writing, replace(found, record=timed), moves, now)
    await resolve(writing, after, now, by_itself=found.awaiting == moves.keys())
