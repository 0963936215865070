"""What a finished match tells of one of its players: each choice with what that player saw then.

Beside the match itself, no state gets out of here: a choice holds the view of its seat.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bot.matches.computer_tasks import thinking_seed
from bot.matches.loaded import load_match, seat_of
from bot.matches.replays import History, ended, frames, history_of
from bot.matches.snapshots import SeatSnapshot
from bot.matches.transcripts import moves_of, read
from bot.storage import MatchId, Storage
from games import GAMES, Seat
from games.core import HIDDEN


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

    ended_at: int
    """In seconds since 1970."""

    seed: str
    """Of all chance that the coach has; the seed of the match can't be told from it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnChoice:
    """A choice that a seat made, with what it saw."""

    step: int
    """From 0: how many steps had been played."""

    view: Any  # of the game's own type
    move: Any  # of the game's own type


async def studied(storage: Storage, match: MatchId, user: int, refusal: str) -> StudiedMatch:
    """The match as it is looked at for this user.

    Raises MatchError while it is being played, and NotSeatedError with this refusal for somebody
    who has not played it.
    """
    async with storage.reading() as connection:
        found = await read(connection, match)
    truth = ended(load_match(found.match))
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
        ended_at=truth.record.ended_at or 0,
        seed=thinking_seed(truth.record.seed or "", seat),
    )


def choices_of(history: History, seat: Seat, steps: frozenset[int]) -> tuple[OwnChoice, ...]:
    """The choices that a seat made at these steps; WrongError where the rules do not allow them."""
    return tuple(_choices_of(history, seat, steps))


def _choices_of(history: History, seat: Seat, steps: frozenset[int]) -> Iterator[OwnChoice]:
    game, before = GAMES[history.game], None
    for frame in frames(history):
        # Of several frames at a step, the last is the one that was chosen in: others have left.
        if before is not None and frame.step > before.step and before.step in steps:
            yield OwnChoice(
                step=before.step,
                view=game.observe(before.state, seat),
                move=game.parse(history.steps[before.step][seat]),
            )
        before = frame
