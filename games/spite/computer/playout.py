"""The playout policy of Spite and Malice: a quick and sensible player, whose choice is the habit.

It plays its stock card, or the cards that lead to it, one of them a wild card if need be. If the
opponent's stock card fits, it blocks it. It plays other cards of its hand that fit, but none that
bring a foundation close to the opponent's stock card. Then it discards, equal cards together: onto
equal or higher cards, so that the piles can be played off in order, and not the cards that lead to
its own stock card. The constants were chosen by letting it play against itself.
"""

from operator import itemgetter
from typing import Final

from games.spite.computer.fast_state import CARD_KINDS, PILE, STOCK, Card, FastState, Play

_CLOSE_RANKS: Final = 3
"""A card isn't played from the hand if it's at most this many ranks below the opponent's stock
card."""

_WANTED_RANKS: Final = 4
"""A card is wanted if it's at most this many ranks below the seat's own stock card."""

_WANTED_WORTH: Final = 1.0
"""The cost of discarding a wanted card, or of covering one."""

_COVERED_COST: Final = 0.1
"""The cost of covering a pile, for each of its cards."""

_EQUAL_CARD_WORTH: Final = 2.5
"""The worth of each card that is discarded: the next turn draws one more for it."""

Offer = tuple[float, Card, int]
"""A discard: its estimated worth, its card and its pile."""

merit: Final = itemgetter(0)
_WILD_COST: Final = 10.0
_RANK_WORTH: Final = 0.2


def _comfort(top: Card, card: Card) -> float:
    """The worth of discarding a card onto a pile with this top; 0 stands for an empty pile."""
    if top == 0:
        return 1.5
    if card > top:
        return -1.5 - 0.15 * (card - top)
    return 3.0 if card == top else 2.0 - 0.2 * (top - card)


_COMFORT: Final = tuple(
    tuple(_comfort(top, card) for card in range(CARD_KINDS)) for top in range(CARD_KINDS)
)


def take_turn(state: FastState) -> None:
    """Play until the turn or the game ends."""
    turn = state.turn
    while not state.is_over and state.turn == turn:
        plays = usual_plays(state)
        if not plays:
            _, card, pile = max(discards(state), key=merit)
            state.discard(card, state.hands[state.seat][card], pile)
            return
        for source, target in plays:
            state.lay(source, target)


def usual_plays(state: FastState) -> list[Play]:
    """The next plays of the policy, one or more; empty if it discards."""
    at = [-1] * CARD_KINDS  # for each card, a foundation that it fits
    number = len(state.foundations)
    if number < state.room:
        at[1] = number
    for i, pile in enumerate(state.foundations):
        at[len(pile) + 1] = i
    return _way_to_stock(state, at) or _block(state, at) or _spare(state, at)


def discards(state: FastState) -> list[Offer]:
    """All discards of all cards of one rank, onto each pile but only one of the empty ones."""
    goal = state.stocks[state.seat][-1]
    wanted = range(goal - _WANTED_RANKS, goal)
    places = _places(state, wanted)
    offers = []
    for card, count in enumerate(state.hands[state.seat]):
        if count:
            worth = _RANK_WORTH * card + _EQUAL_CARD_WORTH * count
            if card in state.wilds:
                worth -= _WILD_COST
            if card in wanted:
                worth -= _WANTED_WORTH
            offers += [
                (worth + _COMFORT[top][card] - (0.0 if card == top else cost), card, i)
                for i, top, cost in places
            ]
    return offers


def _places(state: FastState, wanted: range) -> list[tuple[int, Card, float]]:
    """The piles, but only one empty one: index, top card, and the cost of covering it."""
    places: list[tuple[int, Card, float]] = []
    has_empty = False
    for i, pile in enumerate(state.piles[state.seat]):
        if pile:
            cost = _COVERED_COST * len(pile)
            places.append((i, pile[-1], cost + _WANTED_WORTH if pile[-1] in wanted else cost))
        elif not has_empty:
            has_empty = True
            places.append((i, 0, 0.0))
    return places


def _way_to_stock(state: FastState, at: list[int]) -> list[Play]:
    """The play of the stock card if it fits, or the plays that lead up to it; empty if none do."""
    seat = state.seat
    goal = state.stocks[seat][-1]
    if goal in state.wilds:
        return [(STOCK, _place_for_wild(state))]
    if at[goal] >= 0:
        return [(STOCK, at[goal])]
    hand, piles = state.hands[seat], state.piles[seat]
    wild = next((wild for wild in state.wilds if hand[wild]), 0)
    owned: set[Card] = set()
    owned.update(*piles)
    is_missing = False
    for start in range(goal - 1, 0, -1):
        if not hand[start] and start not in owned:
            if is_missing or not wild:
                break  # a lower start would need this card, too
            is_missing = True
        if at[start] >= 0:
            sources = _chain(hand, piles, range(start, goal), wild)
            if sources:
                return [(source, at[start]) for source in sources]
    return []


def _chain(hand: list[int], piles: list[list[Card]], ranks: range, wild: Card) -> list[int]:
    """The sources of cards of all these ranks, one after the other; empty if one is missing."""
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


def _place_for_wild(state: FastState) -> int:
    """The foundation for a wild stock card: to block the opponent's, or at least not to help."""
    feared = state.stocks[state.seat ^ 1][-1]
    best, chosen = -1, len(state.foundations)
    for i, pile in enumerate(state.foundations):
        rank = len(pile) + 1
        merit = rank + (40 if rank == feared else 20 if rank + 1 != feared else 0)
        if merit > best:
            best, chosen = merit, i
    return chosen


def _block(state: FastState, at: list[int]) -> list[Play]:
    """A play that blocks the opponent's stock card, if it fits; empty if there's none."""
    seat = state.seat
    feared = state.stocks[seat ^ 1][-1]
    target = at[feared]
    # An ace can't be blocked: it can always start a new foundation.
    if feared in state.wilds or not 0 <= target < len(state.foundations):
        return []
    hand = state.hands[seat]
    if hand[feared]:
        return [(feared, target)]
    for i, pile in enumerate(state.piles[seat]):
        if pile and pile[-1] == feared:
            return [(PILE + i, target)]
    return [(wild, target) for wild in state.wilds if hand[wild]][:1]


def _spare(state: FastState, at: list[int]) -> list[Play]:
    """A play from the hand that doesn't help the opponent, or else one that must be made."""
    seat = state.seat
    feared = state.stocks[seat ^ 1][-1]
    for card, count in enumerate(state.hands[seat]):
        if count and at[card] >= 0 and not 0 < feared - card <= _CLOSE_RANKS:
            return [(card, at[card])]
    if state.forced or not state.held[seat]:
        return state.forced_plays()[:1]
    return []
