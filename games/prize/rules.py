"""Prize Dominoes: win hands of dominoes, and collect all numbers from 0 to 6 in prizes.

A game by Jared McComb. Rules: its rulebook ("Prize Dominoes", two players, one double-six set),
made exact by R24-R28, R37 and R38. A seat must play a tile of its hand if one fits; otherwise it
draws or plays one of its prizes, which then goes back to the pool. The tiles in hand are secret
while a hand is played, the stock always is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from games.chance import Chance
from games.core import Game, IllegalMoveError, Outcome, Seat
from games.prize.determinization import determinize
from games.prize.moves import Choose, Draw, Move, Open, Pass, Place, Prize, Take, read_move
from games.prize.refusals import refusal
from games.prize.state import (
    Options,
    State,
    ends_of,
    hand_result,
    is_over,
    opponent,
)
from games.prize.tiles import NUMBERS, numbers, places
from games.prize.turn import apply_move, deal
from games.prize.view import View, visible


class PrizeDominoes(Game[State, Move, View, Options]):
    key = "prize"
    title = "Prize Dominoes"
    seats = range(2, 3)
    options = Options
    presets = MappingProxyType({"standard": Options()})
    state = State
    plays_forced_moves = True

    def is_openly_forced(self, state: State, seat: Seat, move: Move) -> bool:
        del state, seat  # drawing or passing itself shows that no tile of the hand fits
        return not isinstance(move, Place)

    def shows_hidden(self, state: State, seat: Seat, move: Move) -> bool:
        # With an empty stock everybody can deduce the other hand. But a drawn tile whose end is
        # to be chosen is hidden, and taking a prize deals the next hand.
        del seat
        return bool(state.stock) or isinstance(move, Choose | Take)

    def setup(self, options: Options, seats: int, chance: Chance) -> State:
        if not self.fits(options, seats):
            raise ValueError(f"Prize Dominoes is for 2 players, not {seats}.")
        leader = Seat(chance.below(2))
        hands, stock = deal(((), ()), chance)
        return State(
            options=options,
            number=1,
            leader=leader,
            turn=leader,
            hands=hands,
            stock=stock,
            asked=None,
            line=(),
            prizes=((), ()),
            passes=0,
            events=(),
            last=None,
            left=(),
        )

    def awaiting(self, state: State) -> frozenset[Seat]:
        return frozenset() if is_over(state) else frozenset((state.turn,))

    def legal_moves(self, state: State, seat: Seat) -> Sequence[Move]:
        if is_over(state) or seat != state.turn:
            return ()
        if hand_result(state) is not None:
            return tuple(Take(tile) for tile in state.hands[opponent(seat)])
        if state.asked is not None:
            return (Choose("left"), Choose("right"))
        if not state.line:
            return tuple(Open(tile) for tile in state.hands[seat])
        return _turns(state)

    def check(self, state: State, seat: Seat, move: Move) -> None:
        if not isinstance(move, Move):
            raise IllegalMoveError("That isn't a move. Play a tile, draw, pass or take a prize.")
        if is_over(state):
            raise IllegalMoveError("This match is over, so no more moves can be made.")
        if seat != state.turn:
            raise IllegalMoveError("It's not your turn.")
        if move not in self.legal_moves(state, seat):
            raise IllegalMoveError(refusal(state, move))

    def resolve(self, state: State, moves: Mapping[Seat, Move], chance: Chance) -> State:
        return apply_move(state, moves[state.turn], chance)

    def observe(self, state: State, seat: Seat | None) -> View:
        return visible(state, seat, self.outcome(state))

    def outcome(self, state: State) -> Outcome | None:
        if not is_over(state):
            return None
        standing = _standing(state)
        scores = tuple(different for different, _ in standing)
        if state.left:
            ranks = tuple(2 if i in state.left else 1 for i in range(2))
            return Outcome(ranks=ranks, scores=scores, reason="the other player has left")
        ranks = tuple(1 + sum(other > mine for other in standing) for mine in standing)
        return Outcome(ranks=ranks, scores=scores, reason=_reason(state, standing))

    def concede(self, state: State, seat: Seat, chance: Chance) -> State:
        del chance  # the match ends at once, so nothing is drawn
        if is_over(state):
            raise IllegalMoveError("This match is over, so nobody can leave it now.")
        if seat not in range(2):
            raise IllegalMoveError("This seat isn't in the match.")
        return replace(state, left=(seat,))

    def fallback(self, state: State, seat: Seat, chance: Chance) -> Move:
        del chance  # R38: the first move, which is to draw or pass rather than to spend a prize
        return self.legal_moves(state, seat)[0]

    def imagine(self, view: View, seat: Seat, chance: Chance) -> State:
        return determinize(view, seat, chance)

    def parse(self, text: str) -> Move:
        return read_move(text)


def _turns(state: State) -> tuple[Move, ...]:
    """The legal moves of a turn after the opening (R25)."""
    ends = ends_of(state)
    fitting = [Place(tile, end) for tile in state.hands[state.turn] for end in places(tile, ends)]
    if fitting:
        return tuple(fitting)
    prizes = [Prize(tile, end) for tile in state.prizes[state.turn] for end in places(tile, ends)]
    return (Draw() if state.stock else Pass(), *prizes)


def _standing(state: State) -> list[tuple[int, int]]:
    """What decides the match, by seat: how many different numbers, then how many prizes (R28).

    A seat with all seven numbers is first by this, too, since the match ends when one has them.
    """
    return [(len(numbers(row)), len(row)) for row in state.prizes]


def _reason(state: State, standing: list[tuple[int, int]]) -> str:
    (most, prizes), (fewer, others) = sorted(standing, reverse=True)
    if most == len(NUMBERS):
        return "all numbers from 0 to 6 in prizes"
    limit = state.options.hand_limit
    if state.number >= limit:
        when = f"at the limit of {limit} hand{'s' if limit > 1 else ''}"
    else:
        when = "with too few tiles left to deal"
    if most > fewer:
        return f"more different numbers in prizes {when}, {most} to {fewer}"
    if prizes > others:
        return f"more prizes with equally many numbers {when}, {prizes} to {others}"
    return f"equally many numbers and prizes {when}"


PRIZE: Final = PrizeDominoes()
