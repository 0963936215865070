"""Hand inference: which imagined hands of the other seat are believable, by how people choose.

An imagined state allows all that no rule has ruled out. But people with a choice mostly lay their
heavy tiles first, since these count against them when both pass. So a hand that kept back heavier
tiles which fitted is believed less often, by one factor for each such tile at each such choice.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from games.chance import Chance
from games.core import Seat
from games.prize.computer.fast_state import BARE, FITS, PIPS, PLACE_OF, Tiles, tiles_of
from games.prize.rules import PRIZE
from games.prize.state import Event, State, opponent
from games.prize.tiles import Tile
from games.prize.view import View

_BELIEF_PER_DOUBT: Final = 0.4
"""How often a hand is believed in spite of a heavier tile that was kept back."""

_MAX_TRIES: Final = 4
"""Hands looked at for one that is believed; then the last will do."""

_HEAVIER: Final[tuple[Tiles, ...]] = tuple(
    sum(1 << i for i, other in enumerate(PIPS) if other > pips) for pips in PIPS
)


def believed(view: View, seat: Seat, chance: Chance) -> Iterator[State]:
    """Endless states that the view allows, with hands of the other seat that are believable."""
    other = opponent(seat)
    passed_over = [_passed_over(event) for event in view.events if event.seat == other]
    while True:
        for _ in range(_MAX_TRIES):
            state = PRIZE.imagine(view, seat, chance)
            dealt = tiles_of(_dealt(state.hands[other]))
            doubts = sum((dealt & tiles).bit_count() for tiles in passed_over)
            if not doubts or chance.fraction() < _BELIEF_PER_DOUBT**doubts:
                break
        yield state


def _passed_over(event: Event) -> Tiles:
    """The heavier tiles that could have been laid from the hand instead, had they been there."""
    if event.tile is None or event.deed not in {"open", "hand"}:
        return 0
    joint = BARE if event.ends is None else 7 * event.ends[0] + event.ends[1]
    return FITS[joint] & _HEAVIER[PLACE_OF[event.tile]]


def _dealt(hand: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """The tiles in ascending order that a hand begins with: those that were dealt.

    What was drawn and kept comes after them and may not have been there yet.
    """
    for i, (one, next_one) in enumerate(pairwise(hand), 1):
        if one > next_one:
            return hand[:i]
    return hand
