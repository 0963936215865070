"""The plans of a turn, as far as it can be foreseen.

A plan is a sequence of plays up to the next unknown card: when a stock card is turned up, the hand
is refilled, or the opponent's turn begins after a discard. Sequences that lead to the same position
are one plan. Plans that are hardly ever good are left out: those that don't play a stock card that
fits, spend a wild card for less than a stock card or a new hand, or discard some of several equal
cards.
"""

from dataclasses import dataclass
from typing import Final

from games.spite.computer.fast_state import PILE, STOCK, Card, FastState, Play
from games.spite.computer.playout import discards, merit, usual_plays

_MAX_POSITIONS: Final = 200
_MAX_DISCARDS: Final = 3
"""The number of discards considered in one position: those that seem the best."""

_FROM_HAND, _FROM_PILE, _WILD = 0.8, -0.6, -3.0
"""The estimated worth of a play; one from the hand makes room for drawing another card."""

_STOCK_CARD, _NEW_HAND, _EXPOSED, _DISCARD = 6.0, 3.0, -4.0, 0.3
"""The estimated worth of the end of a plan; `_EXPOSED` if it lets the opponent's stock card fit,
`_DISCARD` as a factor for the worth of a discard."""


@dataclass(frozen=True, slots=True)
class Plan:
    plays: tuple[Play, ...]
    discard: tuple[Card, int, int] | None = None
    """Card, number of cards, and pile; None if the plan ends with a play."""

    def follow(self, state: FastState) -> None:
        for source, target in self.plays:
            state.lay(source, target)
        if self.discard is not None:
            state.discard(*self.discard)


def habit(state: FastState) -> Plan:
    """The plan that the playout policy would follow."""
    ahead = state.copy()
    plays: list[Play] = []
    while True:
        step = usual_plays(ahead)
        if not step:
            _, card, pile = max(discards(ahead), key=merit)
            return Plan(tuple(plays), (card, ahead.hands[ahead.seat][card], pile))
        for play in step:
            plays.append(play)
            if _reveals(ahead, play):
                return Plan(tuple(plays))


def plans(state: FastState, most: int) -> list[Plan]:
    """At most `most` plans: the habit, then those that seem the best."""
    planner = _Planner()
    planner.explore(state, (), 0.0)
    ranked = sorted(planner.plans, key=merit, reverse=True)
    usual = habit(state)
    return [usual, *[plan for _, plan in ranked if plan != usual][: most - 1]]


class _Planner:
    def __init__(self) -> None:
        self.plans: list[tuple[float, Plan]] = []
        self._seen: set[object] = set()

    def explore(self, state: FastState, plays: tuple[Play, ...], score: float) -> None:
        """Add the plans that begin with these plays, which have already been made in `state`.

        `score` is the estimated worth of these plays.
        """
        heights, *own = state.own_position()
        key = (tuple(sorted(heights)), *own)  # the order of foundations doesn't matter to a plan
        if key in self._seen or len(self._seen) >= _MAX_POSITIONS:
            return
        self._seen.add(key)
        options = state.distinct_plays()
        stock = [play for play in options if play[0] == STOCK]
        if stock:
            self.plans += [(score + _STOCK_CARD, Plan((*plays, play))) for play in stock]
            return
        if not any(source in state.wilds for source, _ in plays):
            self._end(state, plays, score)
        for source, target in options:
            if source in state.wilds:
                after = score + _WILD
            else:
                after = score + (_FROM_HAND if source < PILE else _FROM_PILE)
            way, ahead = (*plays, (source, target)), state.copy()
            if _reveals(ahead, (source, target)):
                self.plans.append((after + _NEW_HAND, Plan(way)))
            else:
                self.explore(ahead, way, after)

    def _end(self, state: FastState, plays: tuple[Play, ...], score: float) -> None:
        """Add the plans that end with a discard now."""
        if not state.held[state.seat] or (state.forced and state.forced_plays()):
            return
        feared = state.stocks[state.seat ^ 1][-1]
        if any(len(pile) == feared - 1 for pile in state.foundations):
            score += _EXPOSED
        hand = state.hands[state.seat]
        for worth, card, pile in sorted(discards(state), key=merit, reverse=True)[:_MAX_DISCARDS]:
            plan = Plan(plays, (card, hand[card], pile))
            self.plans.append((score + _DISCARD * worth, plan))


def _reveals(state: FastState, play: Play) -> bool:
    """Make a play in `state`; whether it ends a plan, because what comes next isn't known."""
    seat, turn, source = state.seat, state.turn, play[0]
    held = state.held[seat]
    empties = 0 < source < PILE and held == 1
    state.lay(*play)
    # An empty hand is also refilled when a complete foundation gives the source new cards.
    is_filled = state.held[seat] > held
    return source == STOCK or empties or is_filled or state.is_over or state.turn != turn
