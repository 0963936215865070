"""Certain wins of this turn: by playing the last stock card, with cards that can be seen.

The last stock card is face up, and its owner sees all other cards that they can play: hand, discard
piles and foundations. So all sequences of plays can be searched. Cards that a refilled hand would
bring aren't known, so they don't count: only certain wins are found.
"""

from math import inf

from games.spite.computer.fast_state import FastState, Play

Line = tuple[Play, ...]
"""A sequence of plays that ends with the last stock card."""


class SureWins:
    """Searches the rest of a turn, each position once; tries at most `most` plays."""

    def __init__(self, state: FastState, most: float = inf) -> None:
        self._start = state.copy()
        self._start.refills = False
        self._plays_left = most
        self._best: dict[object, Play | None] = {}
        """The play that wins in each position, None if there's none; see `own_position`."""

    @property
    def positions(self) -> int:
        return len(self._best)

    @property
    def is_whole(self) -> bool:
        """Whether the search hasn't been cut off so far."""
        return self._plays_left > 0

    def lines(self) -> dict[Play, Line]:
        """The plays that lead to a certain win, each with a line that begins with it."""
        lines = {play: self.line(play) for play in self._start.plays()}
        return {play: line for play, line in lines.items() if line}

    def line(self, play: Play) -> Line:
        """A certain win that begins with this play; empty if there is none."""
        state = self._start
        if len(state.stocks[state.seat]) != 1 or not self._wins(state, play):
            return ()
        after, line = _after(state, play), [play]
        while not after.is_over:
            chosen = self._best[after.own_position()]
            assert chosen is not None  # else this play would not win
            line.append(chosen)
            after = _after(after, chosen)
        return tuple(line)

    def _wins(self, state: FastState, play: Play) -> bool:
        if not self.is_whole:
            return False
        self._plays_left -= 1
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
