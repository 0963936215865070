"""Parses moves: the inverse of `str(move)`, lenient about case and spaces."""

import re
from typing import Final

from games.conquest.layout import LAYOUT, POSITIONS, Square
from games.conquest.moves import (
    Choice,
    Move,
    Order,
    Placement,
    Plan,
    Redeployment,
    Reinforcement,
    Supply,
)

_FLAGS: Final = re.IGNORECASE | re.ASCII
_SQUARE: Final = r"([a-z]) ?([1-9][0-9]?)"
_ORDER: Final = re.compile(rf"(?:pass|{_SQUARE} ?- ?([1-9][0-9]{{0,3}}) ?- ?{_SQUARE})", _FLAGS)
_PLACEMENT: Final = re.compile(rf"(?:none|\+ ?{_SQUARE}|{_SQUARE} ?> ?hq)", _FLAGS)
_CHOICES: Final = {"fight": Choice(fight=True), "hold": Choice(fight=False)}
_MAX_PARTS: Final = 2
"""No seat has more than two battalions."""


def parse(text: str) -> Move:
    """The move that a text stands for; ValueError, with a sentence, for any other text."""
    words = " ".join(text.replace("\N{EN DASH}", "-").split())
    choice = _CHOICES.get(words.lower())
    if choice is not None:
        return choice
    parts = [part.strip() for part in words.split("/")]
    orders = [_ORDER.fullmatch(part) for part in parts]
    placements = [_PLACEMENT.fullmatch(part) for part in parts]
    if all(orders) and len(parts) <= _MAX_PARTS:
        return Plan(tuple(_order(found) for found in orders if found))
    if all(placements) and len(parts) <= _MAX_PARTS:
        return Supply(tuple(_placement(found) for found in placements if found))
    raise ValueError(
        "That isn't a move. Write an order like E5-9-D4 or pass, a choice (fight or hold), or a "
        "reinforcement like +E5, D4>HQ or none. For two battalions, put a slash between them."
    )


def _order(found: re.Match[str]) -> Order | None:
    row, column, troops, to_row, to_column = found.groups()
    if troops is None:
        return None
    return Order(_square(row, column), int(troops), _square(to_row, to_column))


def _placement(found: re.Match[str]) -> Placement | None:
    row, column, from_row, from_column = found.groups()
    if row is not None:
        return Reinforcement(_square(row, column))
    if from_row is not None:
        return Redeployment(_square(from_row, from_column))
    return None


def _square(row: str, column: str) -> Square:
    square = Square(row.upper() + column)
    if square not in POSITIONS:
        raise ValueError(
            f"{square} isn't on the board: rows go from {LAYOUT.rows[0]} to {LAYOUT.rows[-1]}, "
            f"columns from 1 to {LAYOUT.columns}."
        )
    return square
