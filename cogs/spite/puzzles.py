"""Puzzles of Spite and Malice in words: to play the last stock card in this very turn."""

from collections.abc import Iterable
from itertools import groupby

from bot.text import listed
from cogs.spite.card_names import said
from games.puzzle import Puzzle
from games.spite.cards import FACE_NAMED, RANKS
from games.spite.moves import NEW, PILES, STOCK, Play, parse
from games.spite.refusals import place_of
from games.spite.state import State


def task(puzzle: Puzzle[State]) -> str:
    last = said(puzzle.state.sides[puzzle.seat].stock[-1])
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
    known = {found.move: found for found in puzzle.choices}
    right = listed([f"**{choice(puzzle, move)}**" for move in puzzle.best], "or")
    line = _told(known[puzzle.best[0]].line)
    first = "" if len(puzzle.best) == 1 else f" After {choice(puzzle, puzzle.best[0])}:"
    return f"{right} wins this turn.{first or ' Then:'} {line}. No other first play does."


def _play(move: str) -> Play:
    play = parse(move)
    assert isinstance(play, Play)  # puzzles ask for nothing else
    return play


def _card(puzzle: Puzzle[State], play: Play) -> str:
    """A card and where it lies, if that is not the hand."""
    side = puzzle.state.sides[puzzle.seat]
    if play.source == STOCK:
        return f"{said(side.stock[-1])} from your stock"
    if play.source in PILES:
        return f"{said(side.discards[PILES[play.source]][-1])} from {play.source}"
    return said(FACE_NAMED[play.source])


def _told(line: Iterable[str]) -> str:
    """The plays that follow; those onto the same pile in a row are told together."""
    parts = []
    for target, plays in groupby(map(_play, line), key=lambda play: play.target):
        where = "a new foundation" if target == NEW else target
        parts.append(f"{', '.join(map(_source, plays))} onto {where}")
    return "; ".join(parts)


def _source(play: Play) -> str:
    """The card of a later play; which card a discard pile gives by then, its name does not tell."""
    if play.source == STOCK:
        return "the stock card"
    if play.source in PILES:
        return f"top from {play.source}"
    return said(FACE_NAMED[play.source])
