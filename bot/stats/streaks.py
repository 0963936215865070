"""Runs of results: how somebody stands now, and the longest there have been."""

from collections.abc import Iterable
from dataclasses import dataclass

from bot.storage.profiles import End


@dataclass(frozen=True, slots=True, kw_only=True)
class Streaks:
    """A draw ends a streak of wins, and so does it one of losses; unbeaten is won or drawn."""

    last: End | None
    """What the present streak consists of; None before the first match."""

    length: int
    """How many matches it has."""

    won: int
    """The longest streak of wins."""

    unbeaten: int
    lost: int


def streaks(ends: Iterable[End]) -> Streaks:
    """The streaks in results that are given in the order in which matches ended."""
    last: End | None = None
    length = unbeaten = longest_unbeaten = 0
    longest: dict[End, int] = {"won": 0, "drawn": 0, "lost": 0}
    for end in ends:
        length = length + 1 if end == last else 1
        last = end
        longest[end] = max(longest[end], length)
        unbeaten = 0 if end == "lost" else unbeaten + 1
        longest_unbeaten = max(longest_unbeaten, unbeaten)
    return Streaks(
        last=last,
        length=length,
        won=longest["won"],
        unbeaten=longest_unbeaten,
        lost=longest["lost"],
    )
