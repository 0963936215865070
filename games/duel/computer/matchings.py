"""The worth of a position of the tile duel: the result of matching the remaining tiles at random.

A seat that always plays one of its tiles uniformly at random makes all matchings of the remaining
tiles equally likely, whatever its opponent does. Both seats can do that, so neither can do better
against best play. The worth of a position is therefore P(win) - P(loss) over all matchings of the
rest of this round and, in round 1, of round 2 with the hands exchanged. Before the first pair it is
0 for every deal: for each matching of round 1 there is one of round 2 with the opposite result.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import factorial

import numpy as np

from games.core import Seat
from games.duel.rules import ROUNDS, View, beats
from games.equilibrium import Floats

Hand = tuple[int, ...]


@dataclass(frozen=True)
class Position:
    """What matters about a position before a pair is played, from one seat's point of view."""

    mine: Hand
    theirs: Hand
    lead: int
    """My points minus theirs, over both rounds."""

    dealt: tuple[Hand, Hand] | None
    """In round 1, the dealt hands, mine first, which will be exchanged; in round 2, None."""

    def turned(self) -> "Position":
        """The same position from the other seat's point of view."""
        dealt = None if self.dealt is None else (self.dealt[1], self.dealt[0])
        return Position(self.theirs, self.mine, -self.lead, dealt)

    @cached_property
    def worth(self) -> float:
        """P(win) - P(loss) if both play their best."""
        return _worth(_matchings_by_wins(self.mine, self.theirs, self.dealt), self.lead)

    @cached_property
    def payoffs(self) -> Floats:
        """The worth of the position after each pair of tiles: (tiles of mine, tiles of theirs)."""
        return np.array(
            [
                [
                    _worth(
                        _matchings_by_wins(
                            _without(self.mine, a), _without(self.theirs, b), self.dealt
                        ),
                        self.lead + (1 if beats(a, b) else -1),
                    )
                    for b in self.theirs
                ]
                for a in self.mine
            ]
        )


@dataclass(frozen=True, slots=True)
class Choice:
    """A pair that was played and the position before it, from one seat's point of view."""

    position: Position
    mine: int
    theirs: int


def choices(view: View, seat: Seat) -> Iterator[Choice]:
    """Yield the pairs of a match so far, in order, from a seat's point of view."""
    other, lead = Seat(1 - seat), 0
    for number, pairs in enumerate(view.played, 1):
        exchanged = number != view.round
        mine, theirs = (view.dealt[side ^ exchanged] for side in (seat, other))
        dealt = (mine, theirs) if number < ROUNDS else None
        for pair in pairs:
            tiles = pair.totals[seat], pair.totals[other]
            yield Choice(Position(mine, theirs, lead, dealt), *tiles)
            mine, theirs = _without(mine, tiles[0]), _without(theirs, tiles[1])
            lead += 1 if pair.winner == seat else -1


def position(view: View, seat: Seat) -> Position:
    """The current position of a match, from a seat's point of view."""
    other = Seat(1 - seat)
    dealt = (view.dealt[seat], view.dealt[other]) if view.round < ROUNDS else None
    lead = view.scores[seat] - view.scores[other]
    return Position(view.hands[seat], view.hands[other], lead, dealt)


def _worth(matchings: tuple[int, ...], lead: int) -> float:
    """P(win) - P(loss), where `matchings` counts those that win 0, 1, 2 ... pairs."""
    pairs = len(matchings) - 1
    won = lost = 0
    for wins, ways in enumerate(matchings):
        points = lead + 2 * wins - pairs
        won += ways if points > 0 else 0
        lost += ways if points < 0 else 0
    return (won - lost) / sum(matchings)


@lru_cache(maxsize=20_000)
def _matchings_by_wins(
    mine: Hand, theirs: Hand, dealt: tuple[Hand, Hand] | None
) -> tuple[int, ...]:
    """The number of matchings of the remaining tiles, of both rounds, that win 0, 1, 2 ... pairs.

    `dealt` is that of `Position`.
    """
    now = _hand_matchings_by_wins(mine, theirs)
    if dealt is None:
        return now
    second = _hand_matchings_by_wins(dealt[1], dealt[0])
    return tuple(int(ways) for ways in np.convolve(now, second))


@lru_cache(maxsize=20_000)
def _hand_matchings_by_wins(mine: Hand, theirs: Hand) -> tuple[int, ...]:
    """The number of matchings of two hands that win 0, 1, 2 ... pairs."""
    if not mine:
        return (1,)
    ways = [0] * (len(mine) + 1)
    for other in theirs:
        more = int(beats(mine[0], other))
        for wins, count in enumerate(_hand_matchings_by_wins(mine[1:], _without(theirs, other))):
            ways[wins + more] += count
    assert sum(ways) == factorial(len(mine))
    return tuple(ways)


def _without(hand: Hand, tile: int) -> Hand:
    return tuple(other for other in hand if other != tile)
