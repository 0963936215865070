"""The table: a mutable form of a state, in which a step moves cards.

Only this package uses it. A step may move many cards; creating a new state for each of them would
take four times as long as the whole step takes this way.
"""

from typing import Final

from games.chance import Chance
from games.core import Seat
from games.spite.belief import Gave, Took
from games.spite.cards import Face, arranged, without
from games.spite.events import Drawn, Event
from games.spite.state import Drawing, Side, State

HAND_SIZE: Final = 5


class MutableSide:
    """The mutable form of a `Side`."""

    __slots__ = ("_side", "carried", "discards", "hand", "stock", "trail", "turned")

    def __init__(self, side: Side) -> None:
        self._side = side
        self.stock = side.stock
        self.turned = side.turned
        self.hand = side.hand
        self.discards = side.discards
        self.carried = side.carried
        self.trail = side.trail

    def side(self) -> Side:
        before = self._side
        if (  # every change affects one of these
            self.stock is before.stock
            and self.discards is before.discards
            and self.trail is before.trail
        ):
            return before
        return Side(
            stock=self.stock,
            turned=self.turned,
            hand=self.hand,
            discards=self.discards,
            carried=self.carried,
            trail=self.trail,
        )

    def play_stock(self) -> Face:
        """Take the top of the stock and turn up the next card."""
        face = self.stock[-1]
        self.stock = self.stock[:-1]
        self.turned += self.stock[-1:]
        return face

    def play_discard(self, pile: int) -> Face:
        cards = self.discards[pile]
        self._set_pile(pile, cards[:-1])
        return cards[-1]

    def give(self, face: Face, count: int, lacked: tuple[Face, ...]) -> None:
        """Remove cards of one face from the hand; `lacked` as in `Gave`."""
        self.hand = without(self.hand, face, count)
        self.trail = (*self.trail, Gave(face, count, lacked))

    def discard(self, face: Face, count: int, pile: int) -> None:
        self._set_pile(pile, self.discards[pile] + (face,) * count)

    def take(self, cards: tuple[Face, ...]) -> None:
        if cards:
            self.hand = arranged(self.hand + cards)
            self.trail = (*self.trail, Took(len(cards)))

    def _set_pile(self, i: int, pile: tuple[Face, ...]) -> None:
        self.discards = (*self.discards[:i], pile, *self.discards[i + 1 :])


class Table:
    """The mutable form of a `State`; `state()` converts it back."""

    __slots__ = (
        "draw",
        "events",
        "foundations",
        "is_over",
        "left",
        "on_turn",
        "removed",
        "series",
        "sides",
        "source",
        "turn",
        "turn_start",
    )

    def __init__(self, state: State) -> None:
        self.series = state.series
        self.turn = state.turn
        self.on_turn = state.on_turn
        self.draw: Drawing = state.draw
        self.sides = (MutableSide(state.sides[0]), MutableSide(state.sides[1]))
        self.source = state.source
        self.foundations = state.foundations
        self.removed = state.removed
        self.events: tuple[Event, ...] = state.events
        self.turn_start = state.turn_start
        self.left = state.left
        self.is_over = state.is_over

    def state(self) -> State:
        return State(
            series=self.series,
            turn=self.turn,
            on_turn=self.on_turn,
            draw=self.draw,
            sides=(self.sides[0].side(), self.sides[1].side()),
            source=self.source,
            foundations=self.foundations,
            removed=self.removed,
            events=self.events,
            turn_start=self.turn_start,
            left=self.left,
            is_over=self.is_over,
        )

    @property
    def own_side(self) -> MutableSide:
        """The side of the seat on turn."""
        return self.sides[self.on_turn]

    def tell(self, event: Event) -> None:
        self.events = (*self.events, event)

    def end_turn(self) -> None:
        """Drop the events of the turn before the one that ends."""
        self.events = self.events[self.turn_start :]
        self.turn_start = 0

    def begin_turn(self, seat: Seat, number: int) -> None:
        self.turn = number
        self.on_turn = seat
        self.draw = "open" if self.series.options.strict_draw else "closed"
        self.turn_start = len(self.events)

    def draw_up(self, chance: Chance) -> None:
        """Fill the hand of the seat on turn, as far as there are cards to draw (R31, R33)."""
        held = len(self.own_side.hand)
        recycled = 0
        if HAND_SIZE - held > len(self.source) and self.removed:
            self._draw(len(self.source))
            self._recycle(chance)
            recycled = len(self.source)
        self._draw(min(HAND_SIZE - len(self.own_side.hand), len(self.source)))
        count = len(self.own_side.hand) - held
        if count:
            self.tell(Drawn(seat=self.on_turn, count=count, recycled=recycled))

    def _draw(self, count: int) -> None:
        rest = len(self.source) - count
        self.own_side.take(self.source[rest:])
        self.source = self.source[:rest]

    def _recycle(self, chance: Chance) -> None:
        """Shuffle the removed cards into a new source; the hands become what is `carried`.

        By R33, the removed cards go under those left in the source. Since those were too few for
        the draw, they must have been drawn before this is called, so that none are left.
        """
        self.source = chance.shuffled(self.removed)
        self.removed = ()
        for side in self.sides:
            side.carried = side.hand
            side.trail = ()
