"""What a finished match tells of one of its players: each choice with what that player saw then.

Beside the match itself, no state gets out of here: a choice holds the view of its seat.
"""

from dataclasses import dataclass

from bot.matches.computer_tasks import thinking_seed
from bot.matches.loaded import seat_of
from bot.matches.replays import history_of, load_ended
from bot.matches.snapshots import SeatSnapshot
from bot.matches.transcripts import moves_of, read
from bot.storage import MatchId, Transaction, Transactions
from games.core import HIDDEN
from games.history import History


@dataclass(frozen=True, slots=True, kw_only=True)
class StudiedMatch:
    """A finished match to be looked at for one of its players."""

    snapshot: SeatSnapshot
    user: int
    history: History
    steps: frozenset[int]
    """In which the player chose a move, from 0; not those that the clock or a rule made."""

    unseen: frozenset[int]
    """Those of them whose moves the rules keep secret after the end, in part or whole."""

    seed: str
    """Of all chance that the coach has; the seed of the match can't be told from it."""


async def studied(storage: Transactions, match: MatchId, user: int, refusal: str) -> StudiedMatch:
    """The match as it is looked at for this user.

    Raises MatchError while it is being played, and NotSeatedError with this refusal for somebody
    who has not played it.
    """
    async with storage.reading() as reading:
        found = await read(reading, match)
    truth = load_ended(found.match)
    seat = seat_of(truth, user, refusal)
    steps = frozenset(m.step for m in found.moves if m.seat == seat and m.how == "chosen")
    lines = [line for line in moves_of(found).lines if line.left is None]
    told = {line.step - 1: line.moves.get(seat, HIDDEN) for line in lines}
    return StudiedMatch(
        snapshot=truth.for_seat(seat),
        user=user,
        history=history_of(found, truth),
        steps=steps,
        unseen=frozenset(step for step in steps if HIDDEN in told.get(step, HIDDEN)),
        seed=thinking_seed(truth.record.seed or "", seat),
    )


async def studied_anew(reading: Transaction, asked: StudiedMatch, refusal: str) -> SeatSnapshot:
    """The same match as it is now: a study takes long, and who played may be deleted meanwhile.

    Raises as `studied` does.
    """
    truth = load_ended(await reading.matches.load(asked.snapshot.match))
    return truth.for_seat(seat_of(truth, asked.user, refusal))
