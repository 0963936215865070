"""Determinization: random states that are consistent with a view.

All orders of the shuffled tiles that agree with the view are equally likely. So what has to be
drawn is which tile came by which *slot*: a place in the opponent's deal, or a tile that the
opponent drew and kept. Only compelled moves are evidence: whenever the opponent drew, passed or
played a prize, no tile of their hand fitted the open ends, and a drawn tile that was kept didn't
either. A tile with one of these numbers must have come by a later slot, the next draw at the
earliest. So each tile has a first possible slot, and a tile that was played from the hand also has
a last one. A matching of tiles to slots is drawn slot by slot, each choice weighted by the number
of ways to complete it, which makes all matchings equally likely. The unseen tiles that get no slot
are the stock, in random order.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from games.chance import Chance
from games.core import Seat
from games.prize.state import Event, State
from games.prize.tiles import DOMINOES, Ends, Tile, places, upright
from games.prize.view import View

_DEAL_TIME: Final = -1
"""The time of the deal; all later times are indexes of the view's events."""

Waiting = tuple[int, ...]
"""For each tile that was played from the hand, has no slot yet and could have one now: the slot
before which it must get one. In ascending order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slots:
    """Which tiles can have come by which slots; the slots are in the order of time."""

    dealt: int
    """The number of slots in the deal, which are the first ones."""

    first: dict[Tile, int]
    """For each unseen tile, the first slot that it can have come by."""

    unseen: tuple[int, ...]
    """For each slot, the number of unseen tiles that can have come by it."""

    due: tuple[Waiting, ...]
    """For each slot, the played tiles for which it is the first possible one."""

    begun: tuple[int, ...]
    """For each slot, the number of played tiles that can have come by it or an earlier one."""

    def joined(self, slot: int, waiting: Waiting) -> Waiting:
        """The played tiles that wait for a slot, plus those for which this is the first one."""
        due = self.due[slot]
        return tuple(sorted(waiting + due)) if due else waiting

    def free(self, slot: int, waiting: Waiting) -> int:
        """The number of unseen tiles that this slot can get, without those of earlier slots."""
        used = slot - (self.begun[slot] - len(waiting))
        return self.unseen[slot] - used


def determinize(view: View, seat: Seat, chance: Chance) -> State:
    """A random state that is consistent with this seat's view; ValueError for another's view."""
    if view.seat != seat:
        raise ValueError(f"Seat {seat} can imagine a state from its own view only.")
    asked = _asked(view)
    seen = {upright(tile) for tile in view.line}
    seen.update(tile for row in (*view.prizes, *view.hands) for tile in row or ())
    unseen = [tile for tile in DOMINOES if tile not in seen and tile != asked]
    hands = tuple(
        _drawn_hand(view, Seat(i), unseen, chance) if hand is None else hand
        for i, hand in enumerate(view.hands)
    )
    held = {tile for hand in hands for tile in hand}
    return State(
        options=view.options,
        number=view.number,
        leader=view.leader,
        turn=view.turn,
        hands=hands,
        stock=chance.shuffled([tile for tile in unseen if tile not in held]),
        asked=asked,
        line=view.line,
        prizes=view.prizes,
        passes=view.passes,
        events=view.events,
        last=view.last,
        left=view.left,
    )


def _asked(view: View) -> Tile | None:
    """The drawn tile whose end is to be chosen, if any: only one tile fits two different ends."""
    return upright(view.ends) if view.asks and view.ends is not None else None


def _drawn_hand(
    view: View, owner: Seat, unseen: Sequence[Tile], chance: Chance
) -> tuple[Tile, ...]:
    """A hidden hand in the order of `State.hands`, from a random matching of tiles to slots."""
    slots = _slots(view, owner, unseen)
    ways = _Ways(slots)
    dealt: list[Tile] = []
    kept: list[Tile] = []
    waiting: Waiting = ()
    for slot in range(len(slots.due)):
        waiting = slots.joined(slot, waiting)
        rest = _weighted(list(ways.choices(slot, waiting)), chance)
        if rest == waiting:  # no played tile came by this slot, so the tile is still in the hand
            used = (*dealt, *kept)
            can = [tile for tile, first in slots.first.items() if first <= slot]
            tile = chance.pick([tile for tile in can if tile not in used])
            (dealt if slot < slots.dealt else kept).append(tile)
        waiting = rest
    return (*sorted(dealt), *kept)


def _weighted(choices: Sequence[tuple[Waiting, int]], chance: Chance) -> Waiting:
    totals = list(accumulate(ways for _, ways in choices))
    return choices[bisect_right(totals, chance.below(totals[-1]))][0]


class _Ways:
    """Counts the ways to fill all slots from a given one on."""

    def __init__(self, slots: Slots) -> None:
        self._slots = slots
        self._counts: dict[tuple[int, Waiting], int] = {}

    def count(self, slot: int, waiting: Waiting) -> int:
        """The number of ways to fill this slot and all later ones."""
        if (slot, waiting) not in self._counts:
            self._counts[slot, waiting] = sum(n for _, n in self.choices(slot, waiting))
        return self._counts[slot, waiting]

    def choices(self, slot: int, waiting: Waiting) -> Iterator[tuple[Waiting, int]]:
        """The choices for this slot: what waits after it, with the number of ways to go on.

        The first choice is an unseen tile, the others are a played tile of each last slot. The ways
        are those to fill this slot with such a tile, and all later slots.
        """
        yield waiting, self._slots.free(slot, waiting) * self._later(slot + 1, waiting)
        for i, late in enumerate(waiting):
            if late not in waiting[:i]:  # tiles with the same last slot are interchangeable
                rest = waiting[:i] + waiting[i + 1 :]
                yield rest, waiting.count(late) * self._later(slot + 1, rest)

    def _later(self, slot: int, waiting: Waiting) -> int:
        if waiting and waiting[0] <= slot:
            return 0  # a tile was played before this slot, but got none of the earlier ones
        if slot == len(self._slots.due):
            return 1
        return self.count(slot, self._slots.joined(slot, waiting))


def _slots(view: View, owner: Seat, unseen: Sequence[Tile]) -> Slots:
    mine = [(time, event) for time, event in enumerate(view.events) if event.seat == owner]
    kept = [time for time, event in mine if event.deed == "kept"]
    played = [
        (time, event.tile)
        for time, event in mine
        if event.tile is not None and event.deed in {"open", "hand"}
    ]
    lacked = [(time, ends) for time, event in mine if (ends := _lacked(event)) is not None]
    dealt = view.held[owner] + len(played) - len(kept)
    times = (*(_DEAL_TIME for _ in range(dealt)), *kept)

    def first_slot(tile: Tile, until: int) -> int:
        """The first slot after all times before `until` when the hand can't have had the tile."""
        barred = [time for time, ends in lacked if time < until and places(tile, ends)]
        return bisect_right(times, max(barred, default=_DEAL_TIME - 1))

    first = {tile: first_slot(tile, len(view.events)) for tile in unseen}
    due: list[list[int]] = [[] for _ in times]
    for time, tile in played:
        due[first_slot(tile, time)].append(bisect_right(times, time))
    return Slots(
        dealt=dealt,
        first=first,
        unseen=tuple(sum(at <= slot for at in first.values()) for slot in range(len(times))),
        due=tuple(tuple(late) for late in due),
        begun=tuple(accumulate(len(late) for late in due)),
    )


def _lacked(event: Event) -> Ends | None:
    """The open ends, if this event shows that no tile of the hand fitted them (R25)."""
    return None if event.deed in {"open", "hand"} else event.ends
