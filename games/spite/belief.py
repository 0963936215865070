"""What a seat can know about the opponent's hand.

All orders of a shuffled source are equally likely, so the probability of a hand is proportional to
the number of orders that lead to it and agree with everything that was seen: who drew how many
cards when, which faces left the hand when, and which faces the hand must have lacked by a rule.
Hands are monomials, with one factor for each card. Drawing a card multiplies their sum by the sum
of all faces, a card that leaves divides it by its face, and terms that aren't divisible are
impossible. A monomial is stored as a number, with a few bits for the count of each face.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from math import perm
from typing import Final, Literal

from games.spite.cards import FACES, Face


@dataclass(frozen=True, slots=True)
class Took:
    """Cards were drawn into the hand, from the source as it was last shuffled."""

    count: int
    kind: Literal["took"] = "took"


@dataclass(frozen=True, slots=True)
class Gave:
    """Cards of one face left the hand."""

    face: Face
    count: int
    lacked: tuple[Face, ...]
    """The faces that the hand can't have held right before, by the rule of forced cards (R34)."""

    kind: Literal["gave"] = "gave"


Trail = tuple[Took | Gave, ...]

_BITS_PER_FACE: Final = 3  # a hand holds at most five cards of a face
_FACE_MASK: Final = (1 << _BITS_PER_FACE) - 1
_SHIFT: Final[Mapping[Face, int]] = {face: _BITS_PER_FACE * i for i, face in enumerate(FACES)}


def held(trail: Trail) -> tuple[Trail, int]:
    """Split off a draw at the end, of which nothing is known yet: the rest, and its cards."""
    if trail and isinstance(trail[-1], Took):
        return trail[:-1], trail[-1].count
    return trail, 0


@lru_cache(maxsize=8)
def likelihoods(
    carried: tuple[Face, ...], trail: Trail, unseen: tuple[Face, ...]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The hands that are consistent with a trail, as monomials, and running totals of weights.

    `carried` is the hand before the trail, `unseen` the cards of hand and source together. A weight
    is proportional to the probability of the hand: the number of orders in which its faces can have
    been drawn, times the number of ways to pick its cards from the unseen ones.
    """
    have = Counter(unseen)
    orders = [
        (_SHIFT[face], [perm(have[face], n) for n in range(_FACE_MASK + 1)]) for face in FACES
    ]
    hands, weights = [], []
    for hand, number in _ways(carried, trail).items():
        weight = number
        for shift, face_orders in orders:
            weight *= face_orders[(hand >> shift) & _FACE_MASK]
        if weight:
            hands.append(hand)
            weights.append(weight)
    return tuple(hands), tuple(accumulate(weights))


def cards_of(hand: int) -> tuple[Face, ...]:
    """The cards that a monomial stands for."""
    return tuple(
        face for face, shift in _SHIFT.items() for _ in range((hand >> shift) & _FACE_MASK)
    )


@lru_cache(maxsize=16)
def _ways(carried: tuple[Face, ...], trail: Trail) -> Mapping[int, int]:
    """The hands that agree with a trail, each with the number of orders of draws leading to it."""
    gifts: list[Gave] = []
    for i in range(len(trail) - 1, -1, -1):
        step = trail[i]
        if isinstance(step, Took):
            ways = _after_draw(_ways(carried, trail[:i]), step.count, gifts)
            break
        gifts.insert(0, step)
    else:
        ways = {sum(1 << _SHIFT[face] for face in carried): 1}
    for gift in gifts:
        ways = _after_gift(ways, gift)
    return ways


def _after_draw(ways: Mapping[int, int], count: int, gifts: Sequence[Gave]) -> Mapping[int, int]:
    """The hands after a draw of `count` cards, without those that can't make these gifts."""
    needs = Counter[Face]()
    for gift in gifts:
        needs[gift.face] += gift.count
    for left in range(count, 0, -1):
        ways = _with_one_more(ways, needs, left)
    return ways


def _with_one_more(ways: Mapping[int, int], needs: Counter[Face], left: int) -> Mapping[int, int]:
    """The hands after drawing one more card, without those that can't come to hold what they need.

    `needs` is what they must hold in the end, `left` the number of cards still to be drawn for
    that, this one included.
    """
    mask = sum(_FACE_MASK << _SHIFT[face] for face in needs)
    next_cards: dict[int, list[int]] = {}  # few hands differ in these faces
    more: defaultdict[int, int] = defaultdict(int)
    for hand, number in ways.items():
        about = hand & mask
        if about not in next_cards:
            next_cards[about] = _next_cards(about, needs, left)
        for card in next_cards[about]:
            more[hand + card] += number
    return more


def _next_cards(hand: int, needs: Counter[Face], left: int) -> list[int]:
    """The cards, as monomials, after which the other draws can still bring what the hand needs."""
    lacking = {face: need - (hand >> _SHIFT[face] & _FACE_MASK) for face, need in needs.items()}
    missing = sum(lack for lack in lacking.values() if lack > 0)
    if missing > left:
        return []
    faces = FACES if missing < left else [face for face, lack in lacking.items() if lack > 0]
    return [1 << _SHIFT[face] for face in faces]


def _after_gift(ways: Mapping[int, int], gift: Gave) -> Mapping[int, int]:
    shift = _SHIFT[gift.face]
    barred = sum(_FACE_MASK << _SHIFT[face] for face in gift.lacked)
    given = gift.count << shift
    return {
        hand - given: number
        for hand, number in ways.items()
        if (hand >> shift) & _FACE_MASK >= gift.count and not hand & barred
    }
