"""Puzzles of Prize Dominoes in words: to win the hand, when everybody knows who holds what."""

from bot.text import capitalized, listed
from games.prize.moves import Pass, Place, Prize, read_move
from games.prize.state import State
from games.prize.tiles import spell, spell_all
from games.puzzle import Puzzle


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
    told = f"**{choice(puzzle, best)}** wins the hand whatever they play."
    line = known[best].line
    told += f" For example, {_course(line)}." if line else ""
    beaten = [
        f"{choice(puzzle, move)} loses to {_answer(found.line[0])}"
        if found.line
        else f"{choice(puzzle, move)} loses at once"
        for move, found in known.items()
        if move not in puzzle.best
    ]
    return f"{told} {capitalized(listed(beaten))}."


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
