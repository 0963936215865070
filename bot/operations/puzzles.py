"""`python -m bot puzzles`: makes the puzzles of a year ahead, each proven, as a file."""

import argparse
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from bot.puzzles.calendar import GamePuzzle, to_jsonl
from bot.text import counted
from games import GAMES
from games.chance import Chance
from games.puzzles import PUZZLES

A_YEAR: Final = 365
SHIPPED_SEED: Final = "2026"
"""The seed of the puzzles that come with the bot; never the default."""


def add_to(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add the command to those of `python -m bot`."""
    puzzles = commands.add_parser("puzzles", help="make the daily puzzles of a year ahead")
    puzzles.add_argument(
        "out", type=Path, metavar="FILE", help="the file to write, one puzzle per line"
    )
    puzzles.add_argument(
        "--count", type=int, default=A_YEAR, help=f"how many puzzles to make (default: {A_YEAR})"
    )
    puzzles.add_argument(
        "--seed",
        default=f"{datetime.now(UTC):%Y-%m-%d}",
        help="the same seed makes the same puzzles (default: today's date). "
        f"Those that come with the bot are made from {SHIPPED_SEED}",
    )
    puzzles.set_defaults(begin=begin, online=True)


def begin(asked: argparse.Namespace) -> int:
    """Make the puzzles and write them; an exit status for the shell."""
    if asked.count < 1:
        sys.stderr.write("The number of puzzles is at least 1.\n")
        return 2
    try:
        # Fail before making a year of them, which takes long. An existing file is kept until then.
        asked.out.open("a", encoding="utf-8").close()
    except OSError as error:
        sys.stderr.write(f"{asked.out} can't be written: {error.strerror}. Name another file.\n")
        return 2
    made = make_puzzles(asked.count, asked.seed)
    asked.out.write_text(to_jsonl(made), encoding="utf-8")
    wrote = f"Wrote {counted(len(made), 'puzzle')} to {asked.out}, no position twice"
    sys.stdout.write(f"{wrote}; the seed was {asked.seed}.\n")
    return 0


def make_puzzles(number: int, seed: str) -> list[GamePuzzle]:
    """`number` puzzles, the games taking turns; prints how each was proven."""
    games = list(PUZZLES)
    by_game = {
        game: _of_game(game, len(range(i, number, len(games))), seed)
        for i, game in enumerate(games)
    }
    return [by_game[games[i % len(games)]][i // len(games)] for i in range(number)]


def _of_game(game: str, number: int, seed: str) -> list[GamePuzzle]:
    """`number` puzzles of one game, no position twice."""
    begun = time.monotonic()
    puzzles: dict[object, GamePuzzle] = {}
    tried = 0
    while len(puzzles) < number:
        puzzle = PUZZLES[game].attempt(Chance(f"{seed}:{game}", tried))
        tried += 1
        if puzzle is not None and (puzzle.state, puzzle.seat) not in puzzles:
            puzzles[puzzle.state, puzzle.seat] = GamePuzzle(game, puzzle)
            sys.stdout.write(f"{GAMES[game].title} {len(puzzles)}: {puzzle.effort} positions\n")
    seconds = time.monotonic() - begun
    sys.stdout.write(
        f"{GAMES[game].title}: {number} puzzles from {tried} attempts in {seconds:.0f} s. "
        f"{PUZZLES[game].proof}\n"
    )
    return list(puzzles.values())
