"""Streaks of results: the current one, and the longest of each kind."""

from collections.abc import Iterable
from dataclasses import dataclass

from bot.storage.profiles import End


@dataclass(frozen=True, slots=True, kw_only=True)
class Streaks:
    """A user's streaks, in matches. A draw ends a streak of wins, and also one of losses."""

    last: End | None
    """The result that the current streak consists of; None before the first match."""

    length: int
    """The length of the current streak."""

    won: int
    """The longest streak of wins."""

    unbeaten: int
    """The longest streak of wins and draws."""

    lost: int
    """The longest streak of losses."""


def streaks(ends: Iterable[End]) -> Streaks:
    """The streaks in these results, which are in the order in which the matches ended."""
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
