"""Which day has which puzzle: a file beside this module has a year of puzzles, which repeats.

A day is a UTC day, as the number of days since 1970-01-01. Each line of the file has
a puzzle as JSON, with its state as the codec writes those of matches.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from importlib.resources import files
from typing import Any, Final

from bot.codec import decode, encode
from bot.errors import CorruptRecordError
from bot.time_units import DAY_SECONDS
from games import GAMES, Seat
from games.puzzle import Assessed, Puzzle

FILE: Final = "calendar.jsonl"
_FIRST: Final = date(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class GamePuzzle:
    """A puzzle, and its game."""

    game: str
    puzzle: Puzzle[Any]


def day_of(moment: float) -> int:
    """The day that contains this Unix time."""
    return int(moment // DAY_SECONDS)


def begins_at(day: int) -> int:
    """The Unix time at which a day begins."""
    return day * DAY_SECONDS


def date_of(day: int) -> date:
    return _FIRST + timedelta(days=day)


def puzzle_of(day: int) -> GamePuzzle:
    """The puzzle of a day; after the last one comes the first again."""
    lines = _lines()
    return _read(lines[day % len(lines)])


def calendar() -> tuple[GamePuzzle, ...]:
    """All puzzles, in order."""
    return tuple(map(_read, _lines()))


def to_jsonl(puzzles: Iterable[GamePuzzle]) -> str:
    """The text of a calendar file with these puzzles."""
    return "".join(f"{_written(puzzle)}\n" for puzzle in puzzles)


@cache
def _lines() -> tuple[str, ...]:
    return tuple(files(__package__).joinpath(FILE).read_text("utf-8").splitlines())


@cache
def _read(line: str) -> GamePuzzle:
    """The puzzle on a line; CorruptRecordError if it can't be decoded."""
    try:
        data: Mapping[str, Any] = json.loads(line)
        game = GAMES[data["game"]]
        puzzle: Puzzle[Any] = Puzzle(
            state=decode(game.state, json.dumps(data["state"], separators=(",", ":"))),
            seat=Seat(data["seat"]),
            aim=data["aim"],
            choices=tuple(
                Assessed(move, worth, tuple(line)) for move, worth, line in data["choices"]
            ),
            best=tuple(data["best"]),
            effort=data["effort"],
        )
    except (KeyError, ValueError) as error:
        raise CorruptRecordError("a puzzle does not read back") from error
    return GamePuzzle(data["game"], puzzle)


def _written(puzzle: GamePuzzle) -> str:
    what = puzzle.puzzle
    data = {
        "game": puzzle.game,
        "seat": what.seat,
        "aim": what.aim,
        "best": what.best,
        "choices": [(choice.move, choice.worth, choice.line) for choice in what.choices],
        "effort": what.effort,
        "state": json.loads(encode(what.state)),
    }
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)
