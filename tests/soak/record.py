"""What people were told, and what they did without being told yet."""

from collections import Counter
from dataclasses import dataclass, field

Where = tuple[int, int, int]
"""Match, step and user."""


@dataclass
class Record:
    told: dict[Where, str] = field(default_factory=dict)
    """The move of the last click that was answered."""

    hoped: dict[Where, set[str]] = field(default_factory=dict)
    """The moves of clicks since then that were not answered: each may have been written or not."""

    choices: Counter[str] = field(default_factory=Counter)
    """How many choices were acknowledged, by game."""

    refused: Counter[str] = field(default_factory=Counter)
    """How often a choice was refused, by the sentence."""

    def clicked(self, where: Where, move: str) -> bool:
        """Note a click; whether it is the first hope of its kind."""
        hoped = self.hoped.setdefault(where, set())
        first = move not in hoped
        hoped.add(move)
        return first

    def answered(self, where: Where, move: str, game: str) -> None:
        self.told[where] = move
        self.hoped[where].discard(move)
        self.choices[game] += 1

    def refusal(self, where: Where, move: str, sentence: str, *, first: bool) -> None:
        """Nothing was written by this click; by an earlier one of that move it may have been."""
        if first:
            self.hoped[where].discard(move)
        self.refused[sentence] += 1
