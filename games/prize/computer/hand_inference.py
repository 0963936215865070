"""Hand inference: samples hands of the opponent, believable ones more often.

A state that is consistent with a view gives each tile that the opponent held or may hold a place:
in the deal, as a drawn tile that was kept, or in the stock. By the rules, all ways to do so are
equally likely. But people who have a choice mostly play their heavy tiles first, since these count
against them when both pass. So a hand that kept back heavier tiles that fitted is less believable,
by a constant factor for each such tile at each such choice.

Each sample is a few exchanges of two tiles away from the one before (the Metropolis algorithm).
That is quicker than drawing each from scratch, and the frequencies converge to the same.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from games.chance import Chance
from games.core import Seat
from games.noise import FACTOR, MASK, STEP
from games.prize.computer.fast_state import (
    BARE,
    FITS,
    INDEX_OF,
    PIPS,
    TILES,
    FastState,
    Joint,
    Tiles,
    bits,
)
from games.prize.rules import PRIZE
from games.prize.state import Event, opponent
from games.prize.view import View

_BELIEF_PER_DOUBT: Final = 0.4
"""The factor by which each heavier tile that was kept back makes a hand less likely."""

_ODDS: Final = tuple(int(_BELIEF_PER_DOUBT**doubts * MASK) for doubts in range(200))
"""The highest noise at which an exchange is accepted, by the number of doubts that it adds."""

_MIXING: Final = 12
"""Exchanges tried for each tile before the first sample; between two samples it is 1."""

_DEAL_TIME: Final = -1

_HEAVIER: Final[tuple[Tiles, ...]] = tuple(
    sum(1 << i for i, other in enumerate(PIPS) if other > pips) for pips in PIPS
)


def sampled_states(view: View, seat: Seat, chance: Chance) -> Iterator[FastState]:
    """Yield states consistent with the view, endlessly, as often as they are believable."""
    state = FastState.of(PRIZE.imagine(view, seat, chance))
    other = opponent(seat)
    places = _Places(view, other, state.hands[other] | _stock(state))
    noise = places.exchange(chance.below(MASK), _MIXING * places.number)
    while True:
        noise = places.exchange(noise, places.number)
        noise, stock = _shuffled(places.stock(), noise)
        world = state.copy()
        world.hands[other] = places.hand()
        world.stock, world.drawn = stock, 0
        yield world


def _stock(state: FastState) -> Tiles:
    """The tiles left to draw."""
    return sum(1 << i for i in state.stock[state.drawn :])


class _Places:
    """Assigns tiles to places: first those of the deal, then of the kept tiles, then the stock."""

    def __init__(self, view: View, other: Seat, unseen: Tiles) -> None:
        events = [(time, event) for time, event in enumerate(view.events) if event.seat == other]
        laid = {
            INDEX_OF[event.tile]: time
            for time, event in events
            if event.tile is not None and event.deed in {"open", "hand"}
        }
        kept = [time for time, event in events if event.deed == "kept"]
        dealt = view.held[other] + len(laid) - len(kept)
        self._times = [_DEAL_TIME] * dealt + kept
        self._unseen = unseen
        self.number = len(laid) + unseen.bit_count()
        tiles = [*bits(unseen), *laid]
        self._first = self._first_places(events, laid, tiles)
        self._last = [self.number] * len(TILES)
        for tile, time in laid.items():
            self._last[tile] = bisect_left(self._times, time)
        self._doubts = self._all_doubts(events, laid, tiles)
        self._at = self._initial_assignment(laid)

    def exchange(self, noise: int, times: int) -> int:
        """Try this many exchanges of the tiles of two places; returns the next noise."""
        at, first, last, doubts = self._at, self._first, self._last, self._doubts
        slots, number = len(self._times), self.number
        for _ in range(times):
            noise = (noise * FACTOR + STEP) & MASK
            one_place = noise * slots >> 31
            noise = (noise * FACTOR + STEP) & MASK
            other_place = noise * number >> 31
            one, other = at[one_place], at[other_place]
            if not (
                first[one] <= other_place < last[one] and first[other] <= one_place < last[other]
            ):
                continue
            mine, theirs = doubts[one], doubts[other]
            more = mine[other_place] + theirs[one_place] - mine[one_place] - theirs[other_place]
            if more > 0:
                noise = (noise * FACTOR + STEP) & MASK
                if noise > _ODDS[more]:
                    continue
            at[one_place], at[other_place] = other, one
        return noise

    def hand(self) -> Tiles:
        held = 0
        for tile in self._at[: len(self._times)]:
            held |= 1 << tile
        return held & self._unseen

    def stock(self) -> list[int]:
        return self._at[len(self._times) :]

    def _first_places(
        self, events: Sequence[tuple[int, Event]], laid: dict[int, int], tiles: Sequence[int]
    ) -> list[int]:
        """For each tile, its first possible place: after the last time it would have fitted.

        That counts only times when the opponent showed that no tile of the hand fitted.
        """
        first = [0] * len(TILES)
        for time, event in events:
            if event.deed not in {"open", "hand"}:
                fitting = FITS[_joint(event)]
                for tile in tiles:
                    if fitting >> tile & 1 and time < laid.get(tile, time + 1):
                        first[tile] = bisect_right(self._times, time)
        return first

    def _all_doubts(
        self, events: Sequence[tuple[int, Event]], laid: dict[int, int], tiles: Sequence[int]
    ) -> list[list[int]]:
        """How often a tile that came by a place would have been kept back: [tile][place]."""
        doubts = [[0] * self.number for _ in TILES]
        for time, event in events:
            passed_over = _passed_over(event)
            for tile in tiles:
                if passed_over >> tile & 1 and time < laid.get(tile, time + 1):
                    for place in range(bisect_left(self._times, time)):
                        doubts[tile][place] += 1
        return doubts

    def _initial_assignment(self, laid: dict[int, int]) -> list[int]:
        """An initial assignment of tiles to places; played tiles come as early as they can."""
        waiting = sorted(laid, key=lambda tile: self._last[tile])
        spare = bits(self._unseen)
        at = []
        for place in range(len(self._times)):
            can = [tile for tile in waiting if self._first[tile] <= place]
            source = waiting if can else spare
            tile = next(tile for tile in source if self._first[tile] <= place)
            source.remove(tile)
            at.append(tile)
        return at + spare


def _passed_over(event: Event) -> Tiles:
    """The heavier tiles that fitted when a tile was played from the hand."""
    if event.tile is None or event.deed not in {"open", "hand"}:
        return 0
    return FITS[_joint(event)] & _HEAVIER[INDEX_OF[event.tile]]


def _joint(event: Event) -> Joint:
    return BARE if event.ends is None else 7 * event.ends[0] + event.ends[1]


def _shuffled(tiles: list[int], noise: int) -> tuple[int, tuple[int, ...]]:
    for i in range(len(tiles) - 1, 0, -1):
        noise = (noise * FACTOR + STEP) & MASK
        j = noise * (i + 1) >> 31
        tiles[i], tiles[j] = tiles[j], tiles[i]
    return noise, tuple(tiles)
