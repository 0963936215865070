"""Taking back the last step of a match, if it showed nobody anything that was hidden before.

The state before it is computed from the seed and the moves. A step in which several seats chose in
secret shows each what the others chose, so it can't be taken back; neither can one that turned up a
card or played one from a hidden hand. That leaves open moves of a single seat, as its game decides.
"""

from dataclasses import dataclass, replace
from typing import Any, Final

from bot.errors import MatchError
from bot.matches import clocks
from bot.matches.loaded import LoadedMatch, load_match, load_running
from bot.matches.replays import CHANGED, Runner, history_of, run_replay
from bot.matches.resolution import queue_turn_notices, state_columns
from bot.storage import MatchId, Transaction, Transactions
from games import GAMES
from games.history import Frame, History, frames

NOTHING: Final = "Nothing has been played yet, so there is nothing to take back. Make your move."
LEFT: Final = "Someone left the match after the last step, so it can't be taken back. Play on."
SHOWN: Final = "The last step showed something that was hidden, so it can't be taken back. Play on."
PLAYED_ON: Final = "The match went on while I looked that up. Try again."


@dataclass(frozen=True, slots=True)
class Previous:
    """The state before the last step."""

    step: int
    left: int
    """The number of seats that had left."""

    state: Any  # of the game's own type


async def load_previous(storage: Transactions, runner: Runner, match: MatchId) -> Previous:
    """The state before the last step; raises MatchError if that step can't be taken back."""
    async with storage.reading() as reading:
        transcript = await reading.moves.transcript(match)
    found = load_running(None if transcript is None else transcript.match)
    if transcript is None or not found.record.step:
        raise MatchError(NOTHING)
    history = history_of(transcript, found)
    now, before, is_open = await run_replay(runner, _look_back, history)
    if now.state != found.state:
        raise MatchError(CHANGED)
    if before.step == now.step:
        raise MatchError(LEFT)
    if not is_open:
        raise MatchError(SHOWN)
    return Previous(step=before.step, left=len(before.left), state=before.state)


async def take_back(writing: Transaction, found: LoadedMatch, target: Previous, now: int) -> None:
    """Return a match to the state before its last step, with full time for a move.

    Raises MatchError if the match has gone on since `target` was computed.
    """
    record = found.record
    left = sum(seat.left is not None for seat in record.seats)
    if (target.step, target.left) != (record.step - 1, left):
        raise MatchError(PLAYED_ON)
    on = replace(found, state=target.state, choices={})
    timed = clocks.with_next_due(
        clocks.with_turn_restarted(record, found.owing, now), on.owing, now
    )
    await writing.matches.take_back(
        record.id, target.step, state_columns(found.game, target.state, timed)
    )
    await writing.clocks.put_seats(record, timed)
    await writing.moves.forget_from(record.id, target.step)
    await queue_turn_notices(writing, load_match(await writing.matches.load(record.id)), now)


def _look_back(history: History) -> tuple[Frame, Frame, bool]:
    """The last frame, the one before it, and whether a step led there that showed nothing new."""
    *_, before, now = frames(history)
    if before.step == now.step:
        return now, before, False
    game, moves = GAMES[history.game], history.steps[before.step]
    if len(moves) > 1:
        return now, before, False
    ((seat, text),) = moves.items()
    return now, before, not game.shows_hidden(before.state, seat, game.parse(text))
