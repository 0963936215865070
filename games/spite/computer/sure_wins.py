"""Wins of this turn that are certain: with the last stock card, by cards that can be seen.

The last stock card lies open, and so do all the cards that its owner can play: hand, discard piles,
foundations. So all ways to go on are gone through. Cards that a refilled hand would bring nobody
knows, so they do not count: a turn is won for certain or it is not.
"""

from math import inf

from games.spite.computer.fast_state import FastState, Play

Line = tuple[Play, ...]
"""Plays one after the other, the last stock card's at the end."""


class SureWins:
    """Goes through the turn of a state, each position once, and tries so many plays at most."""

    def __init__(self, state: FastState, most: float = inf) -> None:
        self._begun = state.copy()
        self._begun.refills = False
        self._left = most
        self._best: dict[object, Play | None] = {}
        """By positions with the order of their foundations, for a play names one by number."""

    @property
    def positions(self) -> int:
        return len(self._best)

    @property
    def is_whole(self) -> bool:
        """Whether no way was left out so far."""
        return self._left > 0

    def lines(self) -> dict[Play, Line]:
        """The plays that keep a win for certain, each with a line that begins with it."""
        found = {play: self.line(play) for play in self._begun.plays()}
        return {play: line for play, line in found.items() if line}

    def line(self, play: Play) -> Line:
        """The plays of a win that begins with this one; none if there is no such win."""
        state = self._begun
        if len(state.stocks[state.seat]) != 1 or not self._wins(state, play):
            return ()
        after, told = _after(state, play), [play]
        while not after.is_over:
            chosen = self._best[after.own_position()]
            assert chosen is not None  # else this play would not win
            told.append(chosen)
            after = _after(after, chosen)
        return tuple(told)

    def _wins(self, state: FastState, play: Play) -> bool:
        if not self.is_whole:
            return False
        self._left -= 1
        after = _after(state, play)
        if not after.stocks[state.seat]:
            return True
        if after.is_over or after.seat != state.seat:
            return False
        key = after.own_position()
        if key not in self._best:
            ways = (way for way in after.distinct_plays() if self._wins(after, way))
            self._best[key] = next(ways, None)
        return self._best[key] is not None


def _after(state: FastState, play: Play) -> FastState:
    after = state.copy()
    after.lay(*play)
    return after
