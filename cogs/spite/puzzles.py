"""Texts of Spite and Malice puzzles: play the last stock card this turn."""

from collections.abc import Sequence
from itertools import groupby

from bot.text import listed
from cogs.spite.card_names import spoken_name
from games.puzzle import Puzzle
from games.spite.cards import RANKS, WILDNESS
from games.spite.moves import NEW, PILES, STOCK, Play, parse
from games.spite.refusals import place_of
from games.spite.state import State


def task(puzzle: Puzzle[State]) -> str:
    last = spoken_name(puzzle.state.sides[puzzle.seat].stock[-1])
    works = "" if len(puzzle.best) == 1 else " Two plays work; either is right."
    return (
        f"**Win this turn with the cards you can see.** Your last stock card is the {last}. What "
        f"do you play first?{works}"
    )


def choice(puzzle: Puzzle[State], move: str) -> str:
    play = _play(move)
    if play.target == NEW:
        return f"{_card(puzzle, play)} onto a new foundation"
    pile = puzzle.state.foundations[place_of(play.target)]
    return f"{_card(puzzle, play)} onto {play.target} (up to {RANKS[len(pile) - 1]})"


def reason(puzzle: Puzzle[State]) -> str:
    known = {assessed.move: assessed for assessed in puzzle.choices}
    right = listed([f"**{choice(puzzle, move)}**" for move in puzzle.best], "or")
    line = _continuation(
        puzzle, [_play(move) for move in (puzzle.best[0], *known[puzzle.best[0]].line)]
    )
    then = "Then" if len(puzzle.best) == 1 else "After the first one"
    return f"{right} wins this turn. {then}: {line}. No other first play does."


def _play(move: str) -> Play:
    play = parse(move)
    assert isinstance(play, Play)  # the choices of puzzles are all plays
    return play


def _card(puzzle: Puzzle[State], play: Play) -> str:
    """The card of a play, and where it's from unless that's the hand."""
    side = puzzle.state.sides[puzzle.seat]
    if play.source == STOCK:
        return f"{spoken_name(side.stock[-1])} from your stock"
    if play.source in PILES:
        return f"{spoken_name(side.discards[PILES[play.source]][-1])} from {play.source}"
    return spoken_name(play.source)


def _continuation(puzzle: Puzzle[State], plays: Sequence[Play]) -> str:
    """The plays after the first one, with consecutive plays onto the same foundation together.

    Foundations keep the names they have in the puzzle's picture, even after one is complete and the
    newer ones move up.
    """
    state = puzzle.state
    height = WILDNESS[state.series.options.jokers].height
    piles = [(f"f{i}", len(pile)) for i, pile in enumerate(state.foundations, 1)]
    steps: list[tuple[str, str]] = []
    for play in plays:
        place = len(piles) if play.target == NEW else place_of(play.target)
        piles += [("a new foundation", 0)] * (place == len(piles))
        name, cards = piles[place]
        steps.append((name, _source(play)))
        piles[place : place + 1] = [(name, cards + 1)] if cards + 1 < height else []
    parts = groupby(steps[1:], key=lambda each: each[0])
    return "; ".join(f"{listed([card for _, card in run])} onto {name}" for name, run in parts)


def _source(play: Play) -> str:
    """The card of a later play; of a discard pile only its name, because the top has changed."""
    if play.source == STOCK:
        return "the stock card"
    if play.source in PILES:
        return f"top of {play.source}"
    return spoken_name(play.source)
