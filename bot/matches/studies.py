"""A finished match and one player's choices in it, for the coach and for shared results.

It holds no state, only the history from which the match can be replayed.
"""

from dataclasses import dataclass

from bot.matches.computer_tasks import thinking_seed
from bot.matches.loaded import seat_of
from bot.matches.replays import history_of, load_ended
from bot.matches.snapshots import SeatSnapshot
from bot.matches.transcripts import load_transcript, moves_of
from bot.storage import MatchId, Transaction, Transactions
from games.core import HIDDEN
from games.history import History


@dataclass(frozen=True, slots=True, kw_only=True)
class StudiedMatch:
    """A finished match to be studied for one of its players."""

    snapshot: SeatSnapshot
    user: int
    history: History
    steps: frozenset[int]
    """The steps, from 0, in which the player chose a move, not the clock or a rule."""

    unseen: frozenset[int]
    """Those of `steps` whose move stays secret after the end, in part or entirely."""

    seed: str
    """Seeds the coach's own chance; the seed of the match can't be derived from it."""


async def load_study(
    storage: Transactions, match: MatchId, user: int, refusal: str
) -> StudiedMatch:
    """A match to be studied for this user.

    Raises MatchError while it can be played, and NotSeatedError with the `refusal` if the user
    had no seat in it.
    """
    async with storage.reading() as reading:
        found = await load_transcript(reading, match)
    truth = load_ended(found.match)
    seat = seat_of(truth, user, refusal)
    steps = frozenset(m.step for m in found.moves if m.seat == seat and m.how == "chosen")
    lines = [line for line in moves_of(found).lines if line.left is None]
    seen_moves = {line.step - 1: line.moves.get(seat, HIDDEN) for line in lines}
    return StudiedMatch(
        snapshot=truth.for_seat(seat),
        user=user,
        history=history_of(found, truth),
        steps=steps,
        unseen=frozenset(step for step in steps if HIDDEN in seen_moves.get(step, HIDDEN)),
        seed=thinking_seed(truth.record.seed or "", seat),
    )


async def reload_snapshot(reading: Transaction, asked: StudiedMatch, refusal: str) -> SeatSnapshot:
    """The current snapshot of a studied match: a study takes long, and players may be gone since.

    Raises the same errors as `load_study`.
    """
    truth = load_ended(await reading.matches.load(asked.snapshot.match))
    return truth.for_seat(seat_of(truth, asked.user, refusal))
