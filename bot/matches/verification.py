"""Verifies an export: its commitment, the deal, every move, and the result."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from bot.matches.exports import Export, Result, result_in_words, result_of
from bot.matches.loaded import agreed_draw, commitment_of
from bot.text import counted, escaped
from games import GAMES, AnyGame, Outcome, Seat
from games.core import HIDDEN
from games.history import Frame, History, InvalidHistoryError, frames
from games.seen_moves import count_hidden, last_frame_and_moves

MAX_EXPORT_BYTES: Final = 4 * 1024 * 1024
"""The maximum size of a file in bytes; the longest match takes about a third of it."""

MAX_JSON_PARTS: Final = 150_000
"""The maximum number of lists and objects in a file: just parsing millions takes long."""

MAX_STEPS: Final = 20_000
"""The maximum number of steps that are replayed. A series of very many games can have more."""

MAX_CHECK_SECONDS: Final = 10.0
"""Seconds after which a replay is stopped: no genuine match takes that long."""

FOREIGN: Final = "This isn't one of my exports"
NOT_JSON: Final = (
    "I can only check the JSON file from **Export** (its name ends in .json). Attach that one."
)
_WRONG: Final = {"missing": "is missing", "extra_forbidden": "doesn't belong there"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The result of verifying a file."""

    title: str
    points: tuple[tuple[bool, str], ...]
    """For each thing that was checked, whether it is right, and a sentence about it."""

    is_read: bool = True
    """Whether the file is an export at all; only then does `is_true` mean anything."""

    @property
    def is_true(self) -> bool:
        return all(right for right, _ in self.points)


class _ForeignError(Exception):
    """A file that can't be verified; the message says why."""


def verify(data: bytes) -> Finding:
    """Verify the bytes of a file; never raises for what is in them."""
    try:
        exported, options = _read(data)
    except _ForeignError as error:
        why = ((False, str(error)),)
        return Finding(title="I can't check this file", points=why, is_read=False)
    game = GAMES[exported.game]
    points = [_commitment(exported)]
    try:
        last, stay_hidden = _replay(_history(exported, options))
    except InvalidHistoryError as error:
        step, sentence = error.args
        points.append((False, f"Step {step}: {escaped(sentence)}"))  # it may quote a forged move
    else:
        points += [_steps(exported), *_hidden(stay_hidden), *_result(game, exported, last)]
    steps = len(exported.steps)
    title = f"{game.title}, {exported.seats} seats, {counted(steps, 'step')}"
    return Finding(title=title, points=tuple(points))


def _read(data: bytes) -> tuple[Export, Any]:
    """The export and its options; raises _ForeignError if the file isn't one."""
    if data.count(b"[") + data.count(b"{") > MAX_JSON_PARTS:
        raise _ForeignError(f"{FOREIGN}: it has more parts than any match could.")
    try:
        exported = Export.model_validate_json(data)
    except ValidationError as error:
        raise _ForeignError(_reason(error)) from None
    if len(exported.steps) > MAX_STEPS:
        steps = counted(MAX_STEPS, "step", separator=",")
        raise _ForeignError(f"The match has more than {steps}, and I can't check longer ones.")
    game = GAMES.get(exported.game)
    if game is None:
        raise _ForeignError(f"{FOREIGN}: I don't know its game.")
    adapter: TypeAdapter[Any] = TypeAdapter(game.options)
    try:
        options = adapter.validate_json(json.dumps(exported.options), strict=True)
    except ValidationError:
        raise _ForeignError(f"{FOREIGN}: its options don't make sense.") from None
    if adapter.dump_python(options, mode="json") != exported.options:
        raise _ForeignError(f"{FOREIGN}: it has options {game.title} doesn't have.")
    if not game.fits(options, exported.seats):
        raise _ForeignError(f"{game.title} can't be played like this with {exported.seats} seats.")
    return exported, options


def _reason(error: ValidationError) -> str:
    """Why a file isn't an export, without quoting its values."""
    problem = error.errors(include_input=False, include_url=False)[0]
    if problem["type"] == "json_invalid":
        return NOT_JSON
    where = ".".join(str(part)[:20] for part in problem["loc"][:6]).replace("`", "'")
    if where:
        return f"{FOREIGN}: `{where}` {_WRONG.get(problem['type'], 'is wrong')}."
    return f"{FOREIGN}: it's put together differently."


def _history(exported: Export, options: Any) -> History:  # noqa: ANN401 - of the game's own type
    for number, step in enumerate(exported.steps):
        if len({made.seat for made in step}) < len(step):
            raise InvalidHistoryError(number + 1, "A seat moves twice.")
    return History(
        game=exported.game,
        options=options,
        seats=exported.seats,
        seed=exported.seed,
        steps=tuple({Seat(made.seat): made.move for made in step} for step in exported.steps),
        departures=tuple(
            (departure.step, Seat(departure.seat)) for departure in exported.departures
        ),
    )


def _replay(history: History) -> tuple[Frame, int]:
    """The last frame, and the number of moves with hidden parts.

    Raises InvalidHistoryError if a move or departure is illegal, if a move hides what everyone saw,
    or if the replay takes too long.
    """
    seats = range(history.seats)
    for step, seat in history.departures:
        if seat not in seats:
            raise InvalidHistoryError(step + 1, "There's no such seat in this match.")
    last, seen_steps = last_frame_and_moves(history, _in_time(frames(history)))
    for number, (moves, seen_moves) in enumerate(zip(history.steps, seen_steps, strict=True), 1):
        if any(HIDDEN in text and text != seen_moves[seat] for seat, text in moves.items()):
            raise InvalidHistoryError(number, "A move is hidden here that everyone saw.")
    return last, count_hidden(history.steps)


def _in_time(playing: Iterator[Frame]) -> Iterator[Frame]:
    until = time.monotonic() + MAX_CHECK_SECONDS
    for reached in playing:
        yield reached
        if time.monotonic() > until:
            raise InvalidHistoryError(
                reached.step, "This takes too long to check. No genuine match does."
            )


def _hidden(count: int) -> Iterator[tuple[bool, str]]:
    if count:
        moves, them = ("1 move is", "it") if count == 1 else (f"{count} moves are", "them")
        why = f"because nobody ever saw {them}; no later step depends on {them}."
        yield True, f"{moves} partly hidden {why}"


def _commitment(exported: Export) -> tuple[bool, str]:
    if commitment_of(exported.seed) != exported.commitment:
        return False, "The fingerprint isn't the SHA-256 of the seed."
    return True, (
        f"The seed matches the fingerprint `{exported.commitment}`. Compare it with what the table "
        "and the menu showed during the match."
    )


def _steps(exported: Export) -> tuple[bool, str]:
    steps = len(exported.steps)
    played = "its only step follows" if steps == 1 else f"all {steps} steps follow"
    if not steps:
        return True, "The deal follows from the seed; no step was played."
    return True, f"The deal follows from the seed, and {played} the rules."


def _result(game: AnyGame, exported: Export, last: Frame) -> Iterator[tuple[bool, str]]:
    by_rules = game.outcome(last.state)
    right: Outcome | None
    if exported.status == "over" and exported.ending == "draw":
        order = {seat: i + 1 for i, seat in enumerate(last.left)}
        right = agreed_draw([order.get(Seat(i)) for i in range(exported.seats)])
        ends = by_rules is None
    elif exported.status == "closed":
        right, ends = None, by_rules is None and exported.ending is not None
    else:
        right, ends = by_rules, by_rules is not None and exported.ending is None
    if not ends:
        yield False, "These steps don't lead to the ending in the file."
        return
    true = None if right is None else result_of(right, exported.ending)
    # Earlier versions wrote the zeros of an agreed draw.
    earlier = None if right is None else (right.ranks, right.scores)
    if _comparable(exported.outcome) not in (_comparable(true), earlier):
        yield False, f"The result is wrong; it should be: {result_in_words(true, exported.ending)}."
    else:
        yield True, f"The result is right: {result_in_words(true, exported.ending)}."


def _comparable(result: Result | None) -> object:
    """The parts of a result to compare; its reason is worded by the version that exported it."""
    return None if result is None else (result.ranks, result.scores)
