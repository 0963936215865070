"""The choices that computers owe, each with all that its computer may know and nothing else.

A task holds the view of its seat, never a state. It holds nobody's choice either: a view has none
of the current step, and who has chosen only affects `alone`, which says that people are waiting.
"""

from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from bot.matches.levels import levels_for
from bot.matches.loaded import LoadedMatch, load_match
from bot.matches.replays import history_of
from bot.storage import MatchId, Transaction, Transactions
from games import Seat
from games.computer import Level
from games.history import Past

MAX_PASTS: Final = 20
"""The latest matches of each opponent from which a computer may learn how they choose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A choice that a computer owes."""

    match: MatchId
    game: str
    step: int
    turn: int
    seat: Seat
    level: Level
    quicker: Level | None
    """The weakest level, as a replacement if this one fails; None if this is the weakest."""

    view: Any  # of the game's own type
    seed: str
    """Seeds the computer's own chance; the seed of the match can't be derived from it."""

    alone: bool
    """Whether only computers still have to choose, so that people are waiting for this."""

    opponents: tuple[int, ...]
    """The user ids of the people in the match."""


async def owed_tasks(storage: Transactions, match: MatchId) -> tuple[Task, ...]:
    """The choices that the computers of a match owe now; none while it is paused."""
    async with storage.reading() as reading:
        found = load_match(await reading.matches.load(match))
    if found.record.paused:
        return ()
    owing = found.owing
    return tuple(_task(found, seat, owing) for seat in sorted(owing & found.record.computers))


async def is_running(storage: Transactions, match: MatchId) -> bool:
    """Whether a match is still running, paused or not."""
    async with storage.reading() as reading:
        found = await reading.matches.load(match)
    return found is not None and found.status == "running"


async def past_matches(storage: Transactions, task: Task) -> tuple[Past, ...]:
    """How opponents chose in matches of this game and server that had counted when this one began.

    In the order of match ids, at most MAX_PASTS per opponent. Later matches are left out, so that
    the computer chooses the same after a restart.
    """
    pasts: list[tuple[MatchId, Past]] = []
    for user in task.opponents:
        async with storage.reading() as reading:
            played = await reading.match_lists.finished_before(task.match, user, MAX_PASTS)
            for match in played:
                past = await _past(reading, match, user)
                if past is not None:
                    pasts.append((match, past))
    return tuple(past for _, past in sorted(pasts, key=lambda each: each[0]))


async def _past(reading: Transaction, match: MatchId, user: int) -> Past | None:
    """A match, and the steps in which this user chose, not the clock or a rule; None if gone."""
    found = await reading.moves.transcript(match)
    if found is None:
        return None
    seats = [Seat(i) for i, seat in enumerate(found.match.seats) if seat.user == user]
    own = [m.step for m in found.moves if m.seat in seats and m.how == "chosen"]
    history = history_of(found, load_match(found.match))
    return Past(match=match, history=history, seat=seats[0], steps=tuple(own))


def _task(found: LoadedMatch, seat: Seat, owing: frozenset[Seat]) -> Task:
    record = found.record
    levels = levels_for(record.game, found.options, len(record.seats))
    level = next((each for each in levels if each.key == record.seats[seat].computer), levels[0])
    return Task(
        match=record.id,
        game=record.game,
        step=record.step,
        turn=record.turn,
        seat=seat,
        level=level,
        quicker=None if level is levels[0] else levels[0],
        view=found.game.observe(found.state, seat),
        seed=thinking_seed(record.seed or "", seat),
        alone=owing <= record.computers,
        opponents=tuple(s.user for s in record.seats if s.computer is None and s.user > 0),
    )


def thinking_seed(seed: str, seat: Seat) -> str:
    """The seed of a computer's own chance, so that it never draws what the match will draw.

    It is a digest, so the chance of the match can't be predicted from it.
    """
    return sha256(f"{seed}:{seat} thinks".encode()).hexdigest()
