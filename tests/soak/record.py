"""The choices that were acknowledged to people, and those that may or may not be stored."""

from collections import Counter
from dataclasses import dataclass, field

Where = tuple[int, int, int]
"""(match, step, user)."""


@dataclass
class Record:
    told: dict[Where, str] = field(default_factory=dict)
    """The move of the last click that was acknowledged."""

    hoped: dict[Where, set[str]] = field(default_factory=dict)
    """The moves of clicks that were not answered: each may have been stored or not."""

    choices: Counter[str] = field(default_factory=Counter)
    """How many choices were acknowledged, by game."""

    refused: Counter[str] = field(default_factory=Counter)
    """How often a choice was refused, by the refusal's sentence."""

    def clicked(self, where: Where, move: str) -> bool:
        """Record a click; whether no other click for this move is unanswered."""
        hoped = self.hoped.setdefault(where, set())
        first = move not in hoped
        hoped.add(move)
        return first

    def answered(self, where: Where, move: str, game: str) -> None:
        self.told[where] = move
        self.hoped[where].discard(move)
        self.choices[game] += 1

    def refusal(self, where: Where, move: str, sentence: str, *, first: bool) -> None:
        """Record that this click stored nothing; an earlier one for this move may have."""
        if first:
            self.hoped[where].discard(move)
        self.refused[sentence] += 1
