"""Puzzles of Prize Dominoes in words: to win the hand, when everybody knows who holds what."""

from typing import Final

from bot.text import capitalized, counted, listed
from games.chance import Chance
from games.prize.moves import Pass, Place, Prize, read_move
from games.prize.rules import PRIZE
from games.prize.state import State, hand_result
from games.prize.tiles import spell, spell_all
from games.puzzle import Puzzle

MAX_TOLD: Final = 6
"""So many moves are told of a hand that goes on: more are too long to follow on a phone."""


def task(puzzle: Puzzle[State]) -> str:
    theirs = spell_all(puzzle.state.hands[1 - puzzle.seat])
    return (
        "**Win this hand, whatever your opponent plays.** The stock is empty, so you know what "
        f"they hold: {theirs}. What do you play?"
    )


def choice(puzzle: Puzzle[State], move: str) -> str:
    del puzzle
    match read_move(move):
        case Place(tile, end):
            return f"{spell(tile)} {end}"
        case Prize(tile, end):
            return f"Prize {spell(tile)} {end}"
        case Pass():
            return "Pass"
        case other:
            return str(other)


def reason(puzzle: Puzzle[State]) -> str:
    known = {found.move: found for found in puzzle.choices}
    best = puzzle.best[0]
    told, line = f"**{choice(puzzle, best)}** wins the hand", known[best].line
    if line:
        told += f" whatever they play. For example, {_course(line[:MAX_TOLD])}"
    told += _end(puzzle, best, line)
    beaten = [
        f"{choice(puzzle, move)} loses to {_answer(found.line[0])}"
        if found.line
        else f"{choice(puzzle, move)} loses at once"
        for move, found in known.items()
        if move not in puzzle.best
    ]
    return f"{told} {capitalized(listed(beaten))}."


def _end(puzzle: Puzzle[State], best: str, line: tuple[str, ...]) -> str:
    """How the hand is won that goes on like this, as the end of a sentence."""
    state = puzzle.state
    for move in (best, *line):
        state = PRIZE.play(state, {state.turn: read_move(move)}, Chance("puzzle", 0))
    result = hand_result(state)
    assert result is not None  # a line goes on to the end of the hand
    pips, theirs = result.pips[puzzle.seat], result.pips[1 - puzzle.seat]
    is_cut = len(line) > MAX_TOLD
    passed = ": after two passes in a row " if not line else ". After two passes in a row "
    match result.by:
        case "out" if is_cut:
            return ", and so on until you go out."
        case "out":
            return ", and you go out." if line else ": you go out."
        case "pips":
            won = f"{passed}you win with fewer pips, {pips} to {theirs}."
        case "first pass":
            won = f"{passed}you both hold {counted(pips, 'pip')}, and you win by passing first."
    return f", and so on{won}" if is_cut else won


def _answer(move: str) -> str:
    """A move as what beats another, amid a sentence."""
    match read_move(move):
        case Place(tile, end):
            return f"{spell(tile)} {end}"
        case Prize(tile, end):
            return f"the prize {spell(tile)} {end}"
        case other:
            return f"a {other}"


def _course(line: tuple[str, ...]) -> str:
    """How it goes on after a move, in clauses: their move first, then in turn."""
    return ", ".join(f"{'you' if i % 2 else 'they'} {_done(move)}" for i, move in enumerate(line))


def _done(move: str) -> str:
    """A move as what somebody does."""
    match read_move(move):
        case Place(tile, end):
            return f"play {spell(tile)} {end}"
        case Prize(tile, end):
            return f"play the prize {spell(tile)} {end}"
        case other:
            return str(other)
