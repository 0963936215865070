"""Replays: the states of an ended match, rebuilt from its seed and its moves."""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol, TypeVar

from bot.errors import MatchError
from bot.matches.loaded import LoadedMatch, load_match
from bot.matches.snapshots import PublicSnapshot
from bot.matches.transcripts import Line, public_lines
from bot.storage import MatchRecord
from bot.storage.moves import TranscriptRecord
from games import Seat
from games.history import Frame, History, InvalidHistoryError, frame

T = TypeVar("T")

CHANGED: Final = (
    "The rules have changed since this match, so I can't replay it. Its table shows how it ended."
)
SLOW: Final = "The replay is taking too long. Try again in a minute."

HELD: Final = (
    "This match can still be resumed, so its secrets stay secret. Press **Let it count** at the "
    "table, or wait until its result counts."
)
UNCLOSED: Final = (
    "This match can still be resumed, so its secrets stay secret. Press **Close for good** at the "
    "table, or wait until nobody can resume it."
)
"""As HELD, for a match without a result because everybody ran out of time."""

REPLAY_SECONDS: Final = 20.0
"""Seconds that replaying a match may take; then its process is ended. The longest takes less."""


REPLAYS_AN_HOUR: Final = 600
"""Replayed states, lists of moves, exports and scores that each user can request per hour.

Take-backs and resumed matches have the same limit each, because both replay matches.
"""


def history_of(found: TranscriptRecord, truth: LoadedMatch) -> History:
    steps: list[dict[Seat, str]] = [{} for _ in range(found.match.step)]
    for made in found.moves:
        steps[made.step][made.seat] = made.move
    return History(
        game=found.match.game,
        options=truth.options,
        seats=len(found.match.seats),
        seed=found.match.seed or "",
        steps=tuple(steps),
        departures=tuple((departure.step, departure.seat) for departure in found.departures),
    )


class Runner(Protocol):
    """A worker process, which runs one function after another."""

    async def run_within(self, seconds: float, work: Callable[..., T], *args: Any) -> T:  # noqa: ANN401
        """Call a module-level function in the process; raises TimeoutError if it takes longer."""


@contextmanager
def refused_when_slow(refusal: str) -> Iterator[None]:
    """Raise MatchError with the `refusal` if a process takes too long or dies."""
    try:
        yield
    except (TimeoutError, BrokenProcessPool):
        raise MatchError(refusal) from None


async def run_replay(runner: Runner, work: Callable[..., T], *args: Any) -> T:  # noqa: ANN401
    """Run `work`, which replays a match; raises MatchError if that fails or takes too long."""
    try:
        with refused_when_slow(SLOW):
            return await runner.run_within(REPLAY_SECONDS, work, *args)
    except InvalidHistoryError:
        raise MatchError(CHANGED) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """A state of an ended match, as everyone may know it."""

    snapshot: PublicSnapshot
    number: int
    """From 0, the state after the deal."""

    last: int
    """The number of the last state."""

    steps: int
    """The number of steps played; departures have states of their own, so `last` may be more."""

    lines: tuple[Line, ...]
    """What led to this state: the moves of a step, or a departure; empty after the deal."""


async def replay(runner: Runner, found: TranscriptRecord, number: int) -> Replayed:
    """A state of an ended match, by its number from 0; the last one for any higher number.

    Raises MatchError for a match that hasn't ended for good, or that can't be replayed.
    """
    truth = load_ended(found.match)
    history = history_of(found, truth)
    last = history.frames - 1
    number = min(number, last)
    shown = await run_replay(runner, frame, history, number)
    if number == last and shown.state != truth.state:
        raise MatchError(CHANGED)
    lines = await asyncio.to_thread(public_lines, truth, found) if number else ()
    return Replayed(
        snapshot=truth.public() if number == last else _snapshot(truth, found, shown),
        number=number,
        last=last,
        steps=len(history.steps),
        lines=lines[number - 1 : number] if number else (),
    )


def load_ended(record: MatchRecord | None) -> LoadedMatch:
    """A match that was played and has ended for good; raises MatchError for any other."""
    found = load_match(record)
    match found.record.status:
        case "over" | "closed":
            if found.record.counts_at is not None:
                raise MatchError(HELD if found.record.status == "over" else UNCLOSED)
            return found
        case "running" | "open":
            raise MatchError("This match is still being played. You can do that when it ends.")
        case "declined" | "withdrawn" | "expired":
            raise MatchError("This match never started, so there's nothing to show.")


def ended_snapshot(record: MatchRecord | None) -> PublicSnapshot:
    """As `load_ended`, but as everyone may know the match."""
    return load_ended(record).public()


def _snapshot(truth: LoadedMatch, found: TranscriptRecord, shown: Frame) -> PublicSnapshot:
    """The match at a frame, as the table showed it then."""
    record = truth.record
    seats = tuple(
        replace(
            seat,
            left=shown.left.index(Seat(i)) + 1 if i in shown.left else None,
            left_why=seat.left_why if i in shown.left else None,
            agrees=None,
            strikes=0,
            signal=None,
            reserve=None,
            away_until=None,
        )
        for i, seat in enumerate(record.seats)
    )
    late = tuple(m.seat for m in found.moves if m.step == shown.step - 1 and m.how == "time")
    record_then = replace(
        record,
        status="running",
        step=shown.step,
        seats=seats,
        late=late,
        due_at=None,
        deadline=None,
        paused_at=None,
        paused_why=None,
        remark=None,
        ending=None,
    )
    return replace(truth, record=record_then, state=shown.state, choices={}).public()
