"""Texts of Pico puzzles: the question, and what each card can win against perfect play."""

from bot.text import listed
from games.pico import DECKS
from games.pico.rules import State
from games.puzzle import Assessed, Puzzle


def task(puzzle: Puzzle[State]) -> str:
    right, cards = len(puzzle.best), len(puzzle.choices)
    works = (
        f"Only one of your {cards} cards holds up."
        if right == 1
        else (
            f"{right} of your {cards} cards hold up; either is right."
            if right == 2
            else f"{right} of your {cards} cards hold up; any of them is right."
        )
    )
    return f"**Your opponent plays perfectly. Which card do you play?** {works}"


def choice(puzzle: Puzzle[State], move: str) -> str:
    dots = DECKS[puzzle.state.options.deck].dots[int(move)]
    return f"{move} {'•' * dots}"


def reason(puzzle: Puzzle[State]) -> str:
    worth = {known.move: known for known in puzzle.choices}
    best = worth[puzzle.best[0]]
    right = listed([f"**{move}**" for move in puzzle.best], "or")
    wrong = [known for known in puzzle.choices if known.move not in puzzle.best]
    others = ", ".join(
        f"{known.move} ({_percent(known)})" for known in sorted(wrong, key=lambda k: -k.worth)
    )
    return (
        f"{right} was right, winning {_percent(best)} of matches against perfect play. "
        f"Others win at most: {others}. "
        "A draw counts as half a win."
    )


def _percent(known: Assessed) -> str:
    """The share of matches won after this move, with a draw counted as half a win."""
    return f"{round(50 * (1 + known.worth))}%"
