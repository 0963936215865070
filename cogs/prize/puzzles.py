"""Texts of Prize Dominoes puzzles: win the hand, when all tiles are known."""

from typing import Final

from bot.text import capitalized, counted, listed
from games.chance import Chance
from games.prize.moves import Pass, Place, Prize, read_move
from games.prize.rules import PRIZE
from games.prize.state import HandResult, State, hand_result
from games.prize.tiles import spell, spell_all
from games.puzzle import Assessed, Puzzle

MAX_TOLD: Final = 6
"""The most moves told of how a hand continues; more are hard to follow on a phone."""


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
    known = {assessed.move: assessed for assessed in puzzle.choices}
    best = puzzle.best[0]
    text, line = f"**{choice(puzzle, best)}** wins the hand", known[best].line
    if line:
        text += f" whatever they play. For example, {_continuation(line[:MAX_TOLD])}"
    text += _how_won(puzzle, best, line)
    return " ".join([text, *_why_others_lose(puzzle)])


def _why_others_lose(puzzle: Puzzle[State]) -> list[str]:
    """Why the other moves lose: a sentence for each outcome, with all moves that lead to it."""
    alike: dict[str, list[str]] = {}
    for assessed in puzzle.choices:
        if assessed.move not in puzzle.best:
            answer = f"loses to {_as_noun(assessed.line[0])}" if assessed.line else "loses at once"
            beaten = f"{choice(puzzle, assessed.move)} {answer}"
            alike.setdefault(_consequence(puzzle, assessed), []).append(beaten)
    return [f"{capitalized(listed(beaten))}: {then}." for then, beaten in alike.items()]


def _consequence(puzzle: Puzzle[State], assessed: Assessed) -> str:
    """Why a move loses after the opponent's answer, as its line proves; a clause."""
    answered = _played(puzzle.state, assessed.move, *assessed.line[:1])
    if (ended := hand_result(answered)) is not None:
        return f"after two passes in a row, {_lost_by_passes(ended, puzzle.seat)}"
    moves = PRIZE.legal_moves(answered, puzzle.seat)
    if assessed.line[0] == str(Pass()) and len(moves) == 1:
        if moves[0] == Pass():
            ended = _ended(_played(answered, "pass"))
            return f"you can only pass too, and then {_lost_by_passes(ended, puzzle.seat)}"
        return f"you have to {_as_verb(str(moves[0]))}, and then {_forced(puzzle, assessed)}"
    return f"whatever you do, {_forced(puzzle, assessed)}"


def _forced(puzzle: Puzzle[State], assessed: Assessed) -> str:
    """How the opponent wins; if the line stops before the end, it depends on the solver's moves."""
    end = hand_result(_played(puzzle.state, assessed.move, *assessed.line))
    if end is None:
        return "they go out or win after two passes"
    if end.by == "out":
        return "they go out"
    ahead = end.pips[puzzle.seat] - end.pips[1 - puzzle.seat]
    if not ahead:
        return "they end with fewer pips, or with equal pips and the first pass"
    return f"they end with at least {counted(ahead, 'fewer pip')} than you"


def _lost_by_passes(end: HandResult, seat: int) -> str:
    """Why this seat loses a hand that two passes have ended."""
    mine, theirs = end.pips[seat], end.pips[1 - seat]
    if mine == theirs:
        return f"you both hold {counted(mine, 'pip')}, and they passed first"
    return f"they win with fewer pips, {theirs} to {mine}"


def _how_won(puzzle: Puzzle[State], best: str, line: tuple[str, ...]) -> str:
    """How the hand is won if it continues with this line, as the end of a sentence."""
    result = _ended(_played(puzzle.state, best, *line))
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


def _played(state: State, *moves: str) -> State:
    for move in moves:
        state = PRIZE.play(state, {state.turn: read_move(move)}, Chance("puzzle", 0))
    return state


def _ended(state: State) -> HandResult:
    result = hand_result(state)
    assert result is not None  # the moves given here play the hand to its end
    return result


def _as_noun(move: str) -> str:
    """A move after `loses to`: `6-4 left`, `a pass`."""
    match read_move(move):
        case Place(tile, end):
            return f"{spell(tile)} {end}"
        case Prize(tile, end):
            return f"the prize {spell(tile)} {end}"
        case other:
            return f"a {other}"


def _continuation(line: tuple[str, ...]) -> str:
    """The moves of a line, the opponent's first: `they play 6-4 left, you pass`."""
    return ", ".join(
        f"{'you' if i % 2 else 'they'} {_as_verb(move)}" for i, move in enumerate(line)
    )


def _as_verb(move: str) -> str:
    """A move as a verb: `play 6-4 left`."""
    match read_move(move):
        case Place(tile, end):
            return f"play {spell(tile)} {end}"
        case Prize(tile, end):
            return f"play the prize {spell(tile)} {end}"
        case other:
            return str(other)
