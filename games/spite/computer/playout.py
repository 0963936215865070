"""Turns of Spite and Malice as a quick and sensible player has the habit of playing them.

He plays his stock card, or the cards that lead to it, one of them a wild card if need be. Of his
hand he lays what else fits, but nothing that brings a foundation close to the other's stock card.
What remains he discards, equal cards together: onto equal cards or the next higher ones, so that
the piles come off in order. The figures were chosen by letting him play against himself.
"""

from operator import itemgetter
from typing import Final

from games.spite.computer.fast_state import KINDS, PILE, STOCK, Card, Play, Sketch

_CLOSE: Final = 4
"""So many ranks below the other's stock card a foundation is best left alone."""

_MORE: Final = 2.5
"""What each equal card more that leaves the hand is worth: the next turn draws one more."""

Offer = tuple[float, Card, int]
"""What a discard seems worth, with its card and its pile."""

merit: Final = itemgetter(0)
_WILD: Final = 10.0
_HIGH: Final = 0.2


def _comfort(top: Card, card: Card) -> float:
    """How well a card lies on a pile with this top; 0 is an empty one."""
    if top == 0:
        return 1.5
    if card > top:
        return -1.5 - 0.15 * (card - top)
    return 3.0 if card == top else 3.5 - 0.5 * (top - card)


_COMFORT: Final = tuple(tuple(_comfort(top, card) for card in range(KINDS)) for top in range(KINDS))


def take_turn(sketch: Sketch) -> None:
    """Play on until the other seat is on turn or the game is over."""
    turn = sketch.turn
    while not sketch.is_over and sketch.turn == turn:
        plays = usual_plays(sketch)
        if not plays:
            _, card, pile = max(discards(sketch), key=merit)
            sketch.discard(card, sketch.hands[sketch.seat][card], pile)
            return
        for source, target in plays:
            sketch.lay(source, target)


def usual_plays(sketch: Sketch) -> list[Play]:
    """What he plays next, one or more cards; nothing where he discards."""
    at = [-1] * KINDS  # for each card the foundation that it fits
    number = len(sketch.foundations)
    if number < sketch.room:
        at[1] = number
    for i, pile in enumerate(sketch.foundations):
        at[len(pile) + 1] = i
    return _way_to_stock(sketch, at) or _spare(sketch, at)


def discards(sketch: Sketch) -> list[Offer]:
    """Every discard of all cards of a rank, onto no more than one empty pile."""
    hand = sketch.hands[sketch.seat]
    tops = [pile[-1] if pile else 0 for pile in sketch.piles[sketch.seat]]
    places = [(i, top) for i, top in enumerate(tops) if top or 0 not in tops[:i]]
    found = []
    for card in range(1, KINDS):
        if hand[card]:
            worth = _HIGH * card + _MORE * hand[card] - (_WILD if card in sketch.wilds else 0.0)
            found += [(worth + _COMFORT[top][card], card, i) for i, top in places]
    return found


def _way_to_stock(sketch: Sketch, at: list[int]) -> list[Play]:
    """The plays that end before the stock card, or with it where it fits at once."""
    seat = sketch.seat
    goal = sketch.stocks[seat][-1]
    if goal in sketch.wilds:
        return [(STOCK, _place_for_wild(sketch))]
    if at[goal] >= 0:
        return [(STOCK, at[goal])]
    hand, piles = sketch.hands[seat], sketch.piles[seat]
    wild = next((wild for wild in sketch.wilds if hand[wild]), 0)
    owned: set[Card] = set()
    owned.update(*piles)
    is_missing = False
    for start in range(goal - 1, 0, -1):
        if not hand[start] and start not in owned:
            if is_missing or not wild:
                break  # no way from further below can do without this card
            is_missing = True
        if at[start] >= 0:
            sources = _chain(hand, piles, range(start, goal), wild)
            if sources:
                return [(source, at[start]) for source in sources]
    return []


def _chain(hand: list[int], piles: list[list[Card]], ranks: range, wild: Card) -> list[int]:
    """Sources for all of these ranks one after the other; none if a rank has none."""
    sources: list[int] = []
    lifted = [0, 0, 0, 0]
    for rank in ranks:
        for i, pile in enumerate(piles):
            if len(pile) > lifted[i] and pile[-1 - lifted[i]] == rank:
                lifted[i] += 1
                sources.append(PILE + i)
                break
        else:
            if hand[rank]:
                sources.append(rank)
            elif wild:
                sources.append(wild)
                wild = 0
            else:
                return []
    return sources


def _place_for_wild(sketch: Sketch) -> int:
    """Where a wild stock card goes: it bars the other's stock card, else it does not help it."""
    feared = sketch.stocks[sketch.seat ^ 1][-1]
    best, chosen = -1, len(sketch.foundations)
    for i, pile in enumerate(sketch.foundations):
        rank = len(pile) + 1
        merit = rank + (40 if rank == feared else 20 if rank + 1 != feared else 0)
        if merit > best:
            best, chosen = merit, i
    return chosen


def _spare(sketch: Sketch, at: list[int]) -> list[Play]:
    """A play from the hand that does not help the other seat, or one that must be made."""
    seat = sketch.seat
    feared = sketch.stocks[seat ^ 1][-1]
    for card, count in enumerate(sketch.hands[seat]):
        if count and at[card] >= 0 and not 0 < feared - card <= _CLOSE:
            return [(card, at[card])]
    if sketch.forced or not sketch.held[seat]:
        return sketch.forced_plays()[:1]
    return []
