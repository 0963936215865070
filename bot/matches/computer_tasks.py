"""What computers owe: choices, each with all that its computer may know, and nothing else.

A state never gets here: a task holds the view of its seat. Nor does anybody's choice: a view has
none of the present step, and whether somebody has chosen only tells whether a person waits.
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
"""So many of the latest matches of a person tell a computer how they choose."""


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
    """The weakest level, for when this one fails; None where it is that."""

    view: Any  # of the game's own type
    seed: str
    """Of all chance that the computer has; the seed of the match can't be told from it."""

    alone: bool
    """Whether nobody but computers has still to choose, so that people wait for this."""

    opponents: tuple[int, ...]
    """The people who play against it."""


async def owed(storage: Transactions, match: MatchId) -> tuple[Task, ...]:
    """What the computers of a match have to choose now."""
    async with storage.reading() as reading:
        found = load_match(await reading.matches.load(match))
    if found.record.paused:
        return ()
    owing = found.owing
    return tuple(_task(found, seat, owing) for seat in sorted(owing & found.record.computers))


async def goes_on(storage: Transactions, match: MatchId) -> bool:
    """Whether a match is still played, perhaps after a pause."""
    async with storage.reading() as reading:
        found = await reading.matches.load(match)
    return found is not None and found.status == "running"


async def pasts(storage: Transactions, task: Task) -> tuple[Past, ...]:
    """How the opponents chose in matches of this server that counted when this one began.

    The latest is the last. Later ones are left out, so that a restart changes no choice.
    """
    found: list[tuple[MatchId, Past]] = []
    for user in task.opponents:
        async with storage.reading() as reading:
            played = await reading.match_lists.finished_before(task.match, user, MAX_PASTS)
            for match in played:
                past = await _past(reading, match, user)
                if past is not None:
                    found.append((match, past))
    return tuple(past for _, past in sorted(found, key=lambda each: each[0]))


async def _past(reading: Transaction, match: MatchId, user: int) -> Past | None:
    """What this person chose in a match, not the clock or a rule."""
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
    """The seed of what a computer draws: its own, so that it draws nothing of what the play will.

    It is a digest: who has it cannot foretell the chance of the match.
    """
    return sha256(f"{seed}:{seat} thinks".encode()).hexdigest()
