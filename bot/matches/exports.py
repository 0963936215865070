"""Exports of an ended match as two files: a transcript to read, and JSON that can be verified.

Players appear as seat numbers only, so that sharing a file reveals nobody's id. Parts of moves that
nobody has seen are in neither file, not even for the player who made them: files are for sharing.
"""

import asyncio
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

import structlog
from pydantic import BaseModel, ConfigDict, Field

from bot.matches.loaded import LoadedMatch, commitment_of
from bot.matches.replays import (
    REPLAY_SECONDS,
    Runner,
    history_of,
    load_ended,
    refused_when_slow,
)
from bot.matches.snapshots import SeatSnapshot, Snapshot
from bot.matches.transcripts import Line, full_lines, public_lines
from bot.storage import Ending, How, Why
from bot.storage.moves import TranscriptRecord
from bot.text import reason_of
from games import Outcome, Seat
from games.core import HIDDEN
from games.history import InvalidHistoryError
from games.seen_moves import count_hidden, seen_moves

log = structlog.get_logger()

SLOW: Final = "The export is taking too long. Try again in a minute."

VERSION: Final = 2
"""The version of the JSON, raised whenever its shape changes. Version 1 had no hidden moves."""

MAX_STEPS: Final = 50_000
MAX_SEATS: Final = 10
SEED_PATTERN: Final = r"^[0-9a-f]{64}$"


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


class Made(_Part):
    seat: int = Field(ge=0, lt=MAX_SEATS)
    move: str = Field(max_length=200)
    how: How


class Departure(_Part):
    seat: int = Field(ge=0, lt=MAX_SEATS)
    step: int = Field(ge=0, le=MAX_STEPS)
    """The number of steps played before."""

    why: Why


class Result(_Part):
    ranks: tuple[int, ...]
    scores: tuple[int, ...] | None
    """None after an agreed draw; earlier versions of the bot wrote zeros then."""

    reason: str = Field(max_length=200)


class Export(_Part):
    """The JSON file: the complete match."""

    facedown: Literal[1, 2]
    game: str = Field(max_length=20)
    options: dict[str, Any]  # the game's own, decoded by `verify`
    seats: int = Field(ge=1, le=MAX_SEATS)
    commitment: str = Field(pattern=SEED_PATTERN)
    seed: str = Field(pattern=SEED_PATTERN)
    steps: tuple[tuple[Made, ...], ...] = Field(max_length=MAX_STEPS)
    departures: tuple[Departure, ...] = Field(max_length=MAX_SEATS)
    status: Literal["over", "closed"]
    ending: Ending | None
    outcome: Result | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """The two files of an export."""

    snapshot: Snapshot
    """The match as the user who exports it may know it."""

    transcript: str
    json: str


async def export(
    runner: Runner, found: TranscriptRecord, user: int, title: Callable[[Snapshot], str]
) -> Files:
    """The files of an ended match; `title` makes the first line of the transcript.

    Raises MatchError for a match that hasn't ended for good, or if it takes too long.
    """
    truth = load_ended(found.match)
    snapshot = truth.snapshot_of(user)
    seen = await _seen(runner, found, truth)
    return await asyncio.to_thread(_files, seen, truth, snapshot, title(snapshot))


async def _seen(runner: Runner, found: TranscriptRecord, truth: LoadedMatch) -> TranscriptRecord:
    """The moves of the match, without what nobody has seen."""
    lines = await asyncio.to_thread(public_lines, truth, found)
    steps = {line.step - 1: line.moves for line in lines if line.left is None}
    # `public_lines` hides more than it must of players who left; `/verify` needs those moves.
    if found.departures and count_hidden(steps.values()):
        try:
            with refused_when_slow(SLOW):
                seen = await runner.run_within(REPLAY_SECONDS, seen_moves, history_of(found, truth))
            steps = dict(enumerate(seen))
        except InvalidHistoryError:
            log.info("export of other rules", match=found.match.id)
    moves = [replace(made, move=steps[made.step][made.seat]) for made in found.moves]
    return replace(found, moves=moves)


def _files(found: TranscriptRecord, truth: LoadedMatch, snapshot: Snapshot, title: str) -> Files:
    exported = _export(found, truth)
    heads = [title, *_seats(found)]
    seat = snapshot.seat if isinstance(snapshot, SeatSnapshot) else None
    lines = _transcript(exported, full_lines(found), "\n".join(heads), seat)
    return Files(snapshot=snapshot, transcript="\n".join(lines) + "\n", json=_json(exported))


def _export(found: TranscriptRecord, truth: LoadedMatch) -> Export:
    record, outcome = found.match, truth.outcome
    steps: list[list[Made]] = [[] for _ in range(record.step)]
    for made in found.moves:
        steps[made.step].append(Made(seat=made.seat, move=made.move, how=made.how))
    return Export(
        facedown=VERSION,
        game=record.game,
        options=json.loads(record.options),
        seats=len(record.seats),
        commitment=commitment_of(record.seed or ""),
        seed=record.seed or "",
        steps=tuple(map(tuple, steps)),
        departures=tuple(
            Departure(seat=departure.seat, step=departure.step, why=departure.why)
            for departure in found.departures
        ),
        status="over" if record.status == "over" else "closed",
        ending=record.ending,
        outcome=None if outcome is None else result_of(outcome, record.ending),
    )


def result_of(outcome: Outcome, ending: Ending | None) -> Result:
    """The result in a file, with the scores by the game's rules, unless a draw was agreed."""
    scores = None if ending == "draw" else outcome.scores
    return Result(ranks=outcome.ranks, scores=scores, reason=outcome.reason)


def _json(exported: Export) -> str:
    """The JSON with one step per line, so that people can read it too."""
    parts = exported.model_dump(mode="json")
    steps = ",\n".join(f"    {json.dumps(step, ensure_ascii=False)}" for step in parts["steps"])
    fields = [
        f'  "{name}": {json.dumps(value)}' if name != "steps" else f'  "steps": [\n{steps}\n  ]'
        for name, value in parts.items()
    ]
    return "{\n" + ",\n".join(fields) + "\n}\n"


def _seats(found: TranscriptRecord) -> Iterator[str]:
    """Lines that say how many seats there are, and which were computers."""
    seats = found.match.seats
    yield f"Seats: {len(seats)}, numbered in the order the table names the players."
    for i, seat in enumerate(seats, 1):
        if seat.computer is not None:
            yield f"Seat {i} was a computer ({seat.computer})."


def _transcript(
    exported: Export, lines: tuple[Line, ...], head: str, seat: Seat | None
) -> Iterator[str]:
    yield head
    if seat is not None:
        yield f"You had seat {seat + 1}."
    yield f"Fingerprint (SHA-256 of the seed): {exported.commitment}"
    yield f"Seed: {exported.seed}"
    if count_hidden(line.moves for line in lines):
        yield f"{HIDDEN} is what nobody ever saw, so it stays secret."
    yield ""
    for line in lines:
        if line.left is not None:
            who, why = line.left
            yield f"      seat {who + 1} leaves ({_LEFT_REASONS[why]})"
        else:
            moves = "   ".join(f"seat {who + 1}: {text}" for who, text in line.moves.items())
            yield f"{line.step:5} {moves}"
    yield ""
    yield f"Result: {result_in_words(exported.outcome, exported.ending)}"


_LEFT_REASONS: Final[dict[Why, str]] = {
    "resigned": "resigned",
    "time": "missed two deadlines in a row",
    "unseated": "removed by a moderator",
}
_ENDING_REASONS: Final[dict[Ending, str]] = {
    "draw": "a draw was agreed",
    "call_off": "none, the match was called off",
    "silence": "none, closed after 30 days without a move",
    "absence": "none, everyone still playing missed two deadlines in a row",
    "moderator": "none, a moderator ended the match",
}


def result_in_words(outcome: Result | None, ending: Ending | None) -> str:
    """A result in words; seats are numbered from 1."""
    if outcome is None:
        return "none" if ending is None else _ENDING_REASONS[ending]
    places = sorted(range(len(outcome.ranks)), key=lambda seat: outcome.ranks[seat])
    scores = outcome.scores
    standing = ", ".join(
        f"{outcome.ranks[seat]}. seat {seat + 1}" + ("" if scores is None else f" ({scores[seat]})")
        for seat in places
    )
    return f"{standing}: {reason_of(outcome.reason)}"
