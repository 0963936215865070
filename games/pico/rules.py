"""Pico: the higher card wins each trick, unless it is more than twice as high as the lower.

A game by Doris and Frank. Rules: the Brettspielnetz rulebook and the last paragraph of the
rulebook of Divide and Conquer (tiles), made exact by R1-R6, R37 and R38. All hands are public (the
card left over lies face up); only the choice is secret, and a choice isn't part of a state. So a
state has no secrets, and all views show the same.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, Literal, TypeVar, get_args

from games.chance import Chance
from games.core import Game, IllegalMoveError, Outcome, Seat
from games.pico.decks import DECKS, Deck, DeckName

T = TypeVar("T")

Verdict = Literal["higher", "too high", "equal"]
"""Why a trick was won: by the higher face, by the lower because the highest was too high, or by
two equal faces, which both win."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    deck: DeckName = "standard"

    def __post_init__(self) -> None:
        if self.deck not in get_args(DeckName):
            names = ", ".join(get_args(DeckName))
            raise ValueError(f"There's no Pico deck called {self.deck!r}. Choose one of {names}.")


@dataclass(frozen=True, slots=True)
class Card:
    """The card a seat plays, by its face."""

    face: int

    def __str__(self) -> str:
        return str(self.face)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trick:
    """One revealed trick."""

    round: int
    faces: tuple[int | None, ...]
    """The face that each seat played; None for a seat that had left."""

    winners: tuple[Seat, ...]
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    options: Options
    round: int
    """The round being played, from 1; once the match is over, the last one played."""

    spare: int
    """The card left over: face up, and out of play in all rounds (R3)."""

    hands: tuple[tuple[int, ...], ...]
    """The faces that each seat holds, in ascending order."""

    won: tuple[tuple[int, ...], ...]
    """The cards that each seat has won in this round, in the order in which they were won."""

    totals: tuple[tuple[int, ...], ...]
    """The dots of each finished round, by round, then by seat."""

    parted: tuple[int, ...]
    """For each seat that left, the dots it had won in the round in which it left; 0 for others."""

    left: tuple[Seat, ...]
    """The seats that conceded, in the order in which they left."""

    last: Trick | None
    """The trick that was revealed last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What everybody may see; `seat` is the owner of the view, None for a spectator."""

    seat: Seat | None
    deck: DeckName
    round: int
    rounds: int
    spare: int
    hands: tuple[tuple[int, ...], ...]
    won: tuple[tuple[int, ...], ...]
    dots: tuple[int, ...]
    """The dots of each seat so far, this round included."""

    totals: tuple[tuple[int, ...], ...]
    parted: tuple[int, ...]
    left: tuple[Seat, ...]
    last: Trick | None
    awaiting: tuple[Seat, ...]
    outcome: Outcome | None


def trick_winners(faces: Mapping[Seat, int]) -> tuple[tuple[Seat, ...], Verdict]:
    """The winners of a trick of two or three cards, and why they win it (R1, R6)."""
    values = list(faces.values())
    twins = tuple(seat for seat in sorted(faces) if values.count(faces[seat]) > 1)
    if twins:
        return twins, "equal"
    highest = max(faces, key=lambda seat: faces[seat])
    lowest = min(faces, key=lambda seat: faces[seat])
    limit = 2 * faces[lowest] if len(faces) == 2 else sum(values) - faces[highest]
    if faces[highest] > limit:
        return (lowest,), "too high"
    return (highest,), "higher"


class Pico(Game[State, Card, View, Options]):
    key = "pico"
    title = "Pico"
    seats = range(2, 4)
    options = Options
    presets = MappingProxyType({name: Options(deck=name) for name in DECKS})
    state = State
    hands_are_public = True

    def fits(self, options: Options, seats: int) -> bool:
        return DECKS[options.deck].seats == seats

    def setup(self, options: Options, seats: int, chance: Chance) -> State:
        deck = DECKS[options.deck]
        if not self.fits(options, seats):
            raise ValueError(
                f"The Pico deck {options.deck!r} is for {deck.seats} players, not {seats}."
            )
        cards = chance.shuffled(deck.cards)
        dealt = [cards[i * deck.hand : (i + 1) * deck.hand] for i in range(seats)]
        if seats == 3:  # each dealt hand is passed to the left before play (R6)
            dealt = [dealt[i - 1] for i in range(seats)]
        return State(
            options=options,
            round=1,
            spare=cards[-1],
            hands=tuple(tuple(sorted(hand)) for hand in dealt),
            won=((),) * seats,
            totals=(),
            parted=(0,) * seats,
            left=(),
            last=None,
        )

    def awaiting(self, state: State) -> frozenset[Seat]:
        playing = _playing(state)
        if len(playing) < 2 or len(state.totals) == _deck(state).rounds:
            return frozenset()
        return frozenset(playing)

    def legal_moves(self, state: State, seat: Seat) -> Sequence[Card]:
        if seat not in self.awaiting(state):
            return ()
        return tuple(Card(face) for face in sorted(set(state.hands[seat])))

    def check(self, state: State, seat: Seat, move: Card) -> None:
        if not isinstance(move, Card):
            raise IllegalMoveError("A move is one card, written as its number.")
        if seat not in self.awaiting(state):
            raise IllegalMoveError("It's not your turn to play a card.")
        if move.face not in state.hands[seat]:
            held = ", ".join(str(face) for face in state.hands[seat])
            raise IllegalMoveError(f"You don't have the {move.face}. Your cards are {held}.")

    def resolve(self, state: State, moves: Mapping[Seat, Card], chance: Chance) -> State:
        del chance  # nothing is drawn after the deal
        faces = {seat: move.face for seat, move in moves.items()}
        winners, verdict = trick_winners(faces)
        hands, won = list(state.hands), list(state.won)
        for seat in winners:
            hands[seat] = _without(hands[seat], faces[seat])
            won[seat] = (*won[seat], faces[seat])
        trick = Trick(
            round=state.round,
            faces=tuple(faces.get(Seat(i)) for i in range(len(hands))),
            winners=winners,
            verdict=verdict,
        )
        played = replace(state, hands=tuple(hands), won=tuple(won), last=trick)
        if any(len(hands[seat]) == 1 for seat in _playing(state)):
            return _end_round(played)
        return played

    def observe(self, state: State, seat: Seat | None) -> View:
        return View(
            seat=seat,
            deck=state.options.deck,
            round=state.round,
            rounds=_deck(state).rounds,
            spare=state.spare,
            hands=state.hands,
            won=state.won,
            dots=_dots(state),
            totals=state.totals,
            parted=state.parted,
            left=state.left,
            last=state.last,
            awaiting=tuple(sorted(self.awaiting(state))),
            outcome=self.outcome(state),
        )

    def outcome(self, state: State) -> Outcome | None:
        if self.awaiting(state):
            return None
        scores, playing = _dots(state), _playing(state)
        ranks = [0] * len(scores)
        for seat in playing:
            ranks[seat] = 1 + sum(scores[other] > scores[seat] for other in playing)
        for i, seat in enumerate(state.left):  # earlier leavers rank below later ones (R37)
            ranks[seat] = len(scores) - i
        return Outcome(ranks=tuple(ranks), scores=scores, reason=_reason(state, scores))

    def concede(self, state: State, seat: Seat, chance: Chance) -> State:
        del chance
        if not self.awaiting(state):
            raise IllegalMoveError("This match is over, so nobody can leave it now.")
        if seat not in _playing(state):
            raise IllegalMoveError("This seat is no longer in the match.")
        left = (*state.left, seat)
        if len(_playing(state)) == 2:  # the other wins at once; scores don't change
            return replace(state, left=left)
        # The cards leave play; the dots won with them still count for the seat (R37).
        dots = sum(_deck(state).dots[face] for face in state.won[seat])
        return replace(
            state,
            left=left,
            hands=_put(state.hands, seat, ()),
            won=_put(state.won, seat, ()),
            parted=_put(state.parted, seat, dots),
        )

    def fallback(self, state: State, seat: Seat, chance: Chance) -> Card:
        return chance.pick(self.legal_moves(state, seat))

    def imagine(self, view: View, seat: Seat, chance: Chance) -> State:
        del seat, chance  # nothing is hidden, so only one state allows this view
        return State(
            options=Options(deck=view.deck),
            round=view.round,
            spare=view.spare,
            hands=view.hands,
            won=view.won,
            totals=view.totals,
            parted=view.parted,
            left=view.left,
            last=view.last,
        )

    def parse(self, text: str) -> Card:
        word = text.strip()
        if not (word.isascii() and word.isdecimal() and len(word) <= 2) or word.startswith("0"):
            raise ValueError("That isn't a card. Write its number, for example 9.")
        return Card(int(word))


def _deck(state: State) -> Deck:
    return DECKS[state.options.deck]


def _playing(state: State) -> list[Seat]:
    return [Seat(i) for i in range(len(state.hands)) if i not in state.left]


def _dots(state: State) -> tuple[int, ...]:
    """The dots of each seat so far; `won` isn't counted once its round is in `totals`."""
    counted = len(state.totals) == state.round
    value = _deck(state).dots
    return tuple(
        sum(total[i] for total in state.totals)
        + state.parted[i]
        + (0 if counted else sum(value[face] for face in state.won[i]))
        for i in range(len(state.hands))
    )


def _end_round(state: State) -> State:
    """Score the round; unless it was the last, pass each set to the right for the next round."""
    value = _deck(state).dots
    total = tuple(sum(value[face] for face in cards) for cards in state.won)
    counted = replace(state, totals=(*state.totals, total))
    if len(counted.totals) == _deck(state).rounds:
        return counted
    playing = _playing(state)
    hands = list(state.hands)
    for i, seat in enumerate(playing):  # with two players, passing on is swapping (R5)
        giver = playing[(i + 1) % len(playing)]
        hands[seat] = tuple(sorted(state.hands[giver] + state.won[giver]))
    return replace(counted, round=state.round + 1, hands=tuple(hands), won=((),) * len(state.hands))


def _reason(state: State, scores: tuple[int, ...]) -> str:
    playing = _playing(state)
    if len(playing) == 1:
        return "everybody else has left"
    dots = sorted((scores[seat] for seat in playing), reverse=True)
    rounds = "both rounds" if _deck(state).rounds == 2 else "three rounds"
    if dots[0] == dots[1]:
        return f"the same number of dots over {rounds}, {dots[0]} each"
    return f"more dots over {rounds}, {' to '.join(str(n) for n in dots)}"


def _without(cards: tuple[int, ...], face: int) -> tuple[int, ...]:
    i = cards.index(face)
    return cards[:i] + cards[i + 1 :]


def _put(items: tuple[T, ...], seat: Seat, item: T) -> tuple[T, ...]:
    return (*items[:seat], item, *items[seat + 1 :])


PICO: Final = Pico()
