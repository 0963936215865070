"""Determinization: random states that are consistent with a view."""

from bisect import bisect
from collections import Counter
from collections.abc import Iterable

from games.chance import Chance
from games.core import Seat
from games.spite.belief import Trail, cards_of, held, likelihoods
from games.spite.cards import FIRST_PACK, WILDNESS, Face, arranged
from games.spite.state import Series, Side, State
from games.spite.view import SideView, View

Cards = tuple[Face, ...]


def determinize(view: View, seat: Seat, chance: Chance) -> State:
    """A random state that is consistent with this seat's view; ValueError for another's view.

    Of cards that were shuffled together, all orders that agree with the view are equally likely.
    The first pack, without the cards turned up, is divided between the stocks and the cards set
    aside. The source as last shuffled, without the cards seen since, is divided between the
    opponent's hand and the source. Unseen cards of an older source are known to be in that hand.
    """
    if view.seat != seat or view.hand is None or view.carried is None:
        raise ValueError(
            f"This is not the view of seat {seat}, so nothing can be imagined from it."
        )
    stocks, aside = _first_pack(view, chance)
    other, unseen = Seat(1 - seat), _unseen(view, view.hand)
    hand, source = _divide(unseen, view.carried[other], view.sides[other].trail, chance)
    hands = (view.hand, hand) if seat == 0 else (hand, view.hand)
    first, second = (_side(view.sides[i], stocks[i], hands[i], view.carried[i]) for i in range(2))
    return State(
        series=_series(view, aside),
        turn=view.turn,
        on_turn=view.on_turn,
        draw=view.draw,
        sides=(first, second),
        source=source,
        foundations=view.foundations,
        removed=view.removed,
        events=view.events,
        turn_start=view.turn_start,
        left=view.left,
        is_over=view.is_over,
    )


def _side(seen: SideView, stock: Cards, hand: Cards, carried: Cards) -> Side:
    """A side as it is seen, with these cards for the hidden ones."""
    return Side(
        stock=stock,
        turned=seen.turned,
        hand=hand,
        discards=seen.discards,
        carried=carried,
        trail=seen.trail,
    )


def _series(view: View, aside: Cards) -> Series:
    """The series as it is seen, with these cards set aside."""
    return Series(
        options=view.options,
        game=view.game,
        dealer=view.dealer,
        aside=aside,
        scores=view.scores,
        last=view.last,
    )


def _first_pack(view: View, chance: Chance) -> tuple[tuple[Cards, Cards], Cards]:
    """The stocks and the cards set aside, with the hidden ones shuffled."""
    turned = Counter(view.sides[0].turned + view.sides[1].turned)
    hidden = chance.shuffled(tuple((Counter(FIRST_PACK) - turned).elements()))
    tops = [() if side.top is None else (side.top,) for side in view.sides]
    first = max(view.sides[0].stock - 1, 0)
    both = first + max(view.sides[1].stock - 1, 0)
    return (hidden[:first] + tops[0], hidden[first:both] + tops[1]), hidden[both:]


def _unseen(view: View, hand: Cards) -> Cards:
    """The cards of the opponent's hand and the source together, in ascending order."""
    cards = Counter(WILDNESS[view.options.jokers].second_pack)
    for side in view.sides:
        cards.update(side.turned)
    seen: list[Iterable[Face]] = [hand, view.removed, *view.foundations]
    for side in view.sides:
        seen += [() if side.top is None else (side.top,), *side.discards]
    for some in seen:
        cards.subtract(some)
    return arranged(tuple(cards.elements()))


def _divide(unseen: Cards, carried: Cards, trail: Trail, chance: Chance) -> tuple[Cards, Cards]:
    """Divide the unseen cards at random between the opponent's hand and the source."""
    trail, fresh = held(trail)
    hands, totals = likelihoods(carried, trail, unseen)
    # The last total isn't searched, so that a rounding error can't lead past the end.
    hand = cards_of(hands[bisect(totals, chance.below(totals[-1]), hi=len(totals) - 1)])
    rest = chance.shuffled(tuple((Counter(unseen) - Counter(hand)).elements()))
    return arranged(hand + rest[:fresh]), rest[fresh:]
