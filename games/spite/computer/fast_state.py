"""The fast state: a game of Spite and Malice as lists of numbers, for playouts by the thousand.

A card is its rank, from 1 to 13, or 14 for a joker. A fast state knows everything, and moves change
it in place. Cards are drawn automatically at the start of each turn, even under strict draw, since
there is no reason not to. It keeps no trails or events. A test compares it with the rules.
"""

from typing import Final

from games.noise import FACTOR, MASK, STEP
from games.spite import moves
from games.spite.cards import FACE_NAMED, FACES, ORDER, WILDNESS, Face
from games.spite.refusals import place_of
from games.spite.state import State
from games.spite.table import HAND_SIZE

Card = int

Play = tuple[int, int]
"""Source and index of the foundation; the number of foundations stands for a new one."""

STOCK: Final = 0
PILE: Final = 15
"""Sources of a play are 0 for the stock, a card for one in hand, and 15 to 18 for the discard
piles."""

CARD_KINDS: Final = 15
"""Cards are numbers below this; 0 stands for no card."""

PILE_NAMES: Final = tuple(moves.PILES)

_FORCED_RANK: Final = {"none": 0, "aces": 1, "aces-and-twos": 2}
_UNLIMITED_FOUNDATIONS: Final = 99


def _cards(faces: tuple[Face, ...]) -> list[Card]:
    return [ORDER[face] + 1 for face in faces]


def _counts(faces: tuple[Face, ...]) -> list[int]:
    counts = [0] * CARD_KINDS
    for card in _cards(faces):
        counts[card] += 1
    return counts


class FastState:
    __slots__ = (
        "forced",
        "foundations",
        "hands",
        "height",
        "held",
        "is_over",
        "noise",
        "piles",
        "refills",
        "removed",
        "room",
        "seat",
        "source",
        "stocks",
        "turn",
        "turn_limit",
        "wilds",
    )

    def __init__(self, state: State, noise: int) -> None:
        options = state.series.options
        self.seat = int(state.on_turn)
        self.turn = state.turn
        self.stocks = [_cards(side.stock) for side in state.sides]
        self.hands = [_counts(side.hand) for side in state.sides]
        """For each seat, the number of cards in hand, indexed by card."""

        self.held = [len(side.hand) for side in state.sides]
        self.piles = [[_cards(pile) for pile in side.discards] for side in state.sides]
        self.source = _cards(state.source)
        self.removed = _cards(state.removed)
        self.foundations = [_cards(pile) for pile in state.foundations]
        self.refills = state.draw != "forfeited"
        """Whether a hand that becomes empty is refilled in this turn (R32)."""

        self.is_over = False
        self.noise = noise
        """The state of the random generator; see `games/noise.py`."""

        wildness = WILDNESS[options.jokers]
        self.wilds = tuple(ORDER[face] + 1 for face in wildness.wild)
        self.height = wildness.height
        self.room = options.foundations or _UNLIMITED_FOUNDATIONS
        self.forced = _FORCED_RANK[options.forced]
        self.turn_limit = options.turn_limit

    def copy(self) -> "FastState":
        other = FastState.__new__(FastState)
        other.seat = self.seat
        other.turn = self.turn
        first, second = self.stocks
        other.stocks = [first[:], second[:]]
        first, second = self.hands
        other.hands = [first[:], second[:]]
        other.held = self.held[:]
        other.piles = [[pile[:] for pile in piles] for piles in self.piles]
        other.source = self.source[:]
        other.removed = self.removed[:]
        other.foundations = [pile[:] for pile in self.foundations]
        other.refills = self.refills
        other.is_over = self.is_over
        other.noise = self.noise
        other.wilds = self.wilds
        other.height = self.height
        other.room = self.room
        other.forced = self.forced
        other.turn_limit = self.turn_limit
        return other

    def plays(self) -> list[Play]:
        """All plays of the seat on turn."""
        seat, number = self.seat, len(self.foundations)
        sources = [(STOCK, self.stocks[seat][-1])]
        sources += [(card, card) for card, count in enumerate(self.hands[seat]) if count]
        sources += [(PILE + i, pile[-1]) for i, pile in enumerate(self.piles[seat]) if pile]
        has_room = number < self.room
        plays = []
        for source, card in sources:
            is_wild = card in self.wilds
            for i, pile in enumerate(self.foundations):
                if is_wild or len(pile) == card - 1:
                    plays.append((source, i))
            if has_room and (is_wild or card == 1):
                plays.append((source, number))
        return plays

    def distinct_plays(self) -> list[Play]:
        """The plays, each onto only one of several foundations of the same height."""
        distinct: dict[tuple[int, int], Play] = {}
        for source, target in self.plays():
            distinct.setdefault((source, self.height_at(target)), (source, target))
        return list(distinct.values())

    def own_position(self) -> tuple[tuple[int, ...], ...]:
        """What the seat on turn can change: heights of foundations, its hand, sizes of piles."""
        seat = self.seat
        return (
            tuple(len(pile) for pile in self.foundations),
            tuple(self.hands[seat]),
            tuple(len(pile) for pile in self.piles[seat]),
        )

    def forced_plays(self) -> list[Play]:
        """The plays that must come before a discard; all plays if the hand is empty."""
        plays = self.plays()
        if not self.held[self.seat]:
            return plays
        return [
            (source, target)
            for source, target in plays
            if self.card_at(source) <= self.forced
            and self.height_at(target) == self.card_at(source) - 1
        ]

    def card_at(self, source: int) -> Card:
        if source == STOCK:
            return self.stocks[self.seat][-1]
        return self.piles[self.seat][source - PILE][-1] if source >= PILE else source

    def height_at(self, target: int) -> int:
        return len(self.foundations[target]) if target < len(self.foundations) else 0

    def lay(self, source: int, target: int) -> None:
        """Make a legal play."""
        seat = self.seat
        if source == STOCK:
            card = self.stocks[seat].pop()
        elif source >= PILE:
            card = self.piles[seat][source - PILE].pop()
        else:
            card = source
            self.hands[seat][card] -= 1
            self.held[seat] -= 1
        if target == len(self.foundations):
            self.foundations.append([card])
        else:
            pile = self.foundations[target]
            pile.append(card)
            if len(pile) == self.height:
                self.removed += self.foundations.pop(target)
        if not self.stocks[seat]:
            self.is_over = True
        elif not self.held[seat]:
            if self.refills:
                self._draw()
            if not self.held[seat] and not self.plays():
                self._end_turn()

    def discard(self, card: Card, count: int, pile: int) -> None:
        """Make a legal discard and end the turn."""
        seat = self.seat
        self.hands[seat][card] -= count
        self.held[seat] -= count
        self.piles[seat][pile] += [card] * count
        self._end_turn()

    def _end_turn(self) -> None:
        for _ in range(2):
            if self.turn == self.turn_limit:
                break
            self.seat ^= 1
            self.turn += 1
            self.refills = True
            self._draw()
            if self.held[self.seat] or self.plays():
                return
        self.is_over = True

    def _draw(self) -> None:
        seat, source = self.seat, self.source
        hand = self.hands[seat]
        while self.held[seat] < HAND_SIZE:
            if not source:
                if not self.removed:
                    return
                self._recycle()
                source = self.source
            hand[source.pop()] += 1
            self.held[seat] += 1

    def _recycle(self) -> None:
        cards, noise = self.removed, self.noise
        for i in range(len(cards) - 1, 0, -1):
            noise = (noise * FACTOR + STEP) & MASK
            j = noise * (i + 1) >> 31
            cards[i], cards[j] = cards[j], cards[i]
        self.source, self.removed, self.noise = cards, [], noise


def play_of(state: FastState, play: Play) -> moves.Play:
    """Convert a play of this state to a move of the rules."""
    source, target = play
    name = moves.NEW if target == len(state.foundations) else f"f{target + 1}"
    if source >= PILE:
        return moves.Play(PILE_NAMES[source - PILE], name)
    return moves.Play(FACES[source - 1] if source else moves.STOCK, name)


def fast_play(play: moves.Play, foundations: int) -> Play:
    """Convert a move of the rules, given the number of foundations: the inverse of `play_of`."""
    target = foundations if play.target == moves.NEW else place_of(play.target)
    if play.source in moves.PILES:
        return PILE + moves.PILES[play.source], target
    if play.source == moves.STOCK:
        return STOCK, target
    return ORDER[FACE_NAMED[play.source]] + 1, target
