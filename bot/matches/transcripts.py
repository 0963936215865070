"""The moves so far, in the game's notation: of resolved steps only, and public facts only."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.errors import NoSuchMatchError, NotSeatedError
from bot.matches.loaded import LoadedMatch, load_match
from bot.matches.snapshots import PublicSnapshot
from bot.storage import MatchId, MatchRecord, Why
from bot.storage.transcripts import TranscriptRecord, transcript
from games import Seat
from games.conquest import Plan, View

HIDDEN: Final = "…"
"""In the place of an order that nobody but its writer has seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One step, or a seat that left between two."""

    step: int
    """From 1; of a departure, the step it left before."""

    moves: Mapping[Seat, str] = field(default_factory=dict)
    left: tuple[Seat, Why] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Moves:
    """What has been played in a match, with the match as everybody may know it."""

    snapshot: PublicSnapshot
    lines: tuple[Line, ...]


async def read(connection: AsyncConnection, match: MatchId) -> TranscriptRecord:
    """The whole course of a match; NoSuchMatchError if it is none."""
    found = await transcript(connection, match)
    if found is None:
        raise NoSuchMatchError("This match is gone; its buttons lead nowhere any more.")
    return found


def must_know(record: MatchRecord, user: int, guild: int | None) -> None:
    """NotSeatedError for somebody who neither played this match nor is where it was played."""
    if record.guild != guild and user not in {seat.user for seat in record.seats}:
        raise NotSeatedError("This match belongs to another server, and you do not play in it.")


def moves_of(found: TranscriptRecord) -> Moves:
    """The moves as everybody may know them."""
    truth = load_match(found.match)
    return Moves(snapshot=truth.public(), lines=told(truth, found))


def told(truth: LoadedMatch, found: TranscriptRecord) -> tuple[Line, ...]:
    """The lines as everybody may know them."""
    lines = written(found)
    view = None if truth.state is None else truth.game.observe(truth.state, None)
    return _without_secret_orders(truth, view, lines) if isinstance(view, View) else lines


def written(found: TranscriptRecord) -> tuple[Line, ...]:
    """The lines as they were chosen, whoever knows them."""
    steps: dict[int, dict[Seat, str]] = defaultdict(dict)
    for made in found.moves:
        steps[made.step][made.seat] = made.move
    lines = [Line(step=step + 1, moves=moves) for step, moves in steps.items()]
    lines += [Line(step=gone.step + 1, left=(gone.seat, gone.why)) for gone in found.departures]
    return tuple(sorted(lines, key=lambda line: (line.step, line.left is None)))


def _without_secret_orders(
    truth: LoadedMatch, view: View, lines: Sequence[Line]
) -> tuple[Line, ...]:
    """The lines without orders of the board war that were never executed (see its `State`).

    An order waits while a Commander's Choice is asked, and is void when its writer leaves.
    """
    shown, unseen = list(lines), set[Seat]()
    waiting, last = set(view.pending), True
    for i in reversed(range(len(shown))):
        line = shown[i]
        if line.left is not None:
            unseen.add(line.left[0])
            continue
        plans = {seat: truth.game.parse(text) for seat, text in line.moves.items()}
        if not any(isinstance(plan, Plan) for plan in plans.values()):
            continue
        secret = {seat: set(view.teams[seat]) if seat in unseen else set() for seat in plans}
        if last:
            secret = {seat: hidden | waiting for seat, hidden in secret.items()}
        shown[i] = replace(
            line, moves={seat: _masked(view, seat, plan, secret) for seat, plan in plans.items()}
        )
        unseen, last = set(), False
    return tuple(shown)


def _masked(view: View, seat: Seat, plan: Any, secret: Mapping[Seat, set[Any]]) -> str:  # noqa: ANN401
    parts = str(plan).split(" / ")
    teams = zip(view.teams[seat], parts, strict=True)
    return " / ".join(HIDDEN if battalion in secret[seat] else part for battalion, part in teams)
