"""The table while a step is made: a state laid out so that cards can be moved.

Nothing outside this package sees one. A step may move many cards; making a new state for each of
them takes four times as long as the whole step does this way.
"""

from typing import Final

from games.chance import Chance
from games.core import Seat
from games.spite.belief import Gave, Took
from games.spite.cards import Face, arranged, without
from games.spite.events import Drawn, Event
from games.spite.state import Drawing, Side, State

HAND_SIZE: Final = 5


class Place:
    """What lies before one seat, and its hand."""

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
        if (  # nothing else changes without one of these
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
        """Take cards of one face out of the hand."""
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
    """A state taken apart; `state` puts it together again."""

    __slots__ = (
        "draw",
        "events",
        "foundations",
        "is_over",
        "left",
        "on_turn",
        "places",
        "removed",
        "series",
        "source",
        "turn",
        "turn_start",
    )

    def __init__(self, state: State) -> None:
        self.series = state.series
        self.turn = state.turn
        self.on_turn = state.on_turn
        self.draw: Drawing = state.draw
        self.places = (Place(state.sides[0]), Place(state.sides[1]))
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
            sides=(self.places[0].side(), self.places[1].side()),
            source=self.source,
            foundations=self.foundations,
            removed=self.removed,
            events=self.events,
            turn_start=self.turn_start,
            left=self.left,
            is_over=self.is_over,
        )

    @property
    def place(self) -> Place:
        """The place of the seat on turn."""
        return self.places[self.on_turn]

    def tell(self, event: Event) -> None:
        self.events = (*self.events, event)

    def end_turn(self) -> None:
        """Forget what happened before the turn that ends."""
        self.events = self.events[self.turn_start :]
        self.turn_start = 0

    def begin_turn(self, seat: Seat, number: int) -> None:
        self.turn = number
        self.on_turn = seat
        self.draw = "open" if self.series.options.strict_draw else "closed"
        self.turn_start = len(self.events)

    def draw_up(self, chance: Chance) -> None:
        """Fill the hand of the seat on turn, as far as the cards reach (R31, R33)."""
        held = len(self.place.hand)
        recycled = 0
        if HAND_SIZE - held > len(self.source) and self.removed:
            self._draw(len(self.source))
            self._recycle(chance)
            recycled = len(self.source)
        self._draw(min(HAND_SIZE - len(self.place.hand), len(self.source)))
        count = len(self.place.hand) - held
        if count:
            self.tell(Drawn(seat=self.on_turn, count=count, recycled=recycled))

    def _draw(self, count: int) -> None:
        rest = len(self.source) - count
        self.place.take(self.source[rest:])
        self.source = self.source[:rest]

    def _recycle(self, chance: Chance) -> None:
        """Make the removed cards the new source; all cards in the hands now come from older ones.

        The removed cards go under those left, but the draw takes all of these first, since
        they were too few. So they are drawn before this, and nothing is left to go under.
        """
        self.source = chance.shuffled(self.removed)
        self.removed = ()
        for place in self.places:
            place.carried = place.hand
            place.trail = ()
