"""The moves of a match so far, in the game's notation: resolved steps only, secrets redacted."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from bot.errors import NoSuchMatchError, NotSeatedError
from bot.matches.loaded import NO_MATCH, LoadedMatch, load_match
from bot.matches.snapshots import PublicSnapshot
from bot.storage import MatchId, MatchRecord, Transaction, Why
from bot.storage.moves import TranscriptRecord
from games import Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One step, or a departure between two steps."""

    step: int
    """From 1; for a departure, the step that follows it."""

    moves: Mapping[Seat, str] = field(default_factory=dict)
    left: tuple[Seat, Why] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Moves:
    """The moves of a match, and the match as everyone may know it."""

    snapshot: PublicSnapshot
    lines: tuple[Line, ...]


async def load_transcript(reading: Transaction, match: MatchId) -> TranscriptRecord:
    """All moves and departures of a match; raises NoSuchMatchError if it doesn't exist."""
    found = await reading.moves.transcript(match)
    if found is None:
        raise NoSuchMatchError(NO_MATCH)
    return found


def must_be_allowed_to_read(record: MatchRecord, user: int, guild: int | None) -> None:
    """Raise NotSeatedError unless the user has a seat in this match or asks in its server."""
    elsewhere = record.guild is None or record.guild != guild
    if elsewhere and user not in {seat.user for seat in record.seats}:
        raise NotSeatedError(
            "This match is in another server, and you're not playing in it. Use this there."
        )


def moves_of(found: TranscriptRecord) -> Moves:
    """The moves as everyone may know them."""
    truth = load_match(found.match)
    return Moves(snapshot=truth.public(), lines=public_lines(truth, found))


def public_lines(truth: LoadedMatch, found: TranscriptRecord) -> tuple[Line, ...]:
    """The lines as everyone may know them."""
    lines = full_lines(found)
    if truth.state is None:
        return lines
    course = [line.moves if line.left is None else line.left[0] for line in lines]
    redacted = truth.game.redact(truth.game.observe(truth.state, None), course)
    return tuple(
        replace(line, moves=event)
        if isinstance(event, Mapping) and event is not line.moves
        else line
        for line, event in zip(lines, redacted, strict=True)
    )


def full_lines(found: TranscriptRecord) -> tuple[Line, ...]:
    """The lines with the moves as they were chosen, including what others may not know."""
    steps: dict[int, dict[Seat, str]] = defaultdict(dict)
    for made in found.moves:
        steps[made.step][made.seat] = made.move
    lines = [Line(step=step + 1, moves=moves) for step, moves in steps.items()]
    lines += [
        Line(step=departure.step + 1, left=(departure.seat, departure.why))
        for departure in found.departures
    ]
    return tuple(sorted(lines, key=lambda line: (line.step, line.left is None)))
