"""Spite and Malice: be the first to play all of your stock, and block your opponent's.

Also known as Cat and Mouse. Rules: the Momentpoint Media rulebook, made exact by R29-R38. One
step is one play, one discard or one draw of the seat on turn, with everything that follows
automatically: refills, complete foundations, the next turn's cards, the next game of a series.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from games.chance import Chance
from games.core import Game, IllegalMoveError, Outcome, Seat
from games.spite.deal import first_game
from games.spite.determinization import determinize
from games.spite.legality import discards, forced_plays, moves, plays
from games.spite.moves import PILES, Discard, Draw, Move, Play, parse
from games.spite.options import Options
from games.spite.refusals import check_discard, check_draw, check_play
from games.spite.state import GameResult, State
from games.spite.turns import apply_move
from games.spite.view import View, view_of

_AWAITING: Final = (frozenset({Seat(0)}), frozenset({Seat(1)}))
_NOBODY: Final[frozenset[Seat]] = frozenset()


class Spite(Game[State, Move, View, Options]):
    key = "spite"
    title = "Spite and Malice"
    seats = range(2, 3)
    options = Options
    presets = MappingProxyType(
        {"standard": Options(), "short": Options(stock=20), "quick": Options(stock=13)}
    )
    first_preset = "quick"
    state = State
    plays_forced_moves = True

    def is_openly_forced(self, state: State, seat: Seat, move: Move) -> bool:
        del move  # with an empty hand, all cards that the seat can play are public
        return not state.sides[seat].hand

    def shows_hidden(self, state: State, seat: Seat, move: Move) -> bool:
        # Playing a stock card turns up the next one; ending the turn or emptying the hand draws.
        is_open = isinstance(move, Play) and move.source in PILES
        return not (is_open and state.sides[seat].hand)

    def setup(self, options: Options, seats: int, chance: Chance) -> State:
        if not self.fits(options, seats):
            raise ValueError(f"Spite and Malice is for 2 players, not {seats}.")
        return first_game(options, chance)

    def awaiting(self, state: State) -> frozenset[Seat]:
        return _NOBODY if _is_finished(state) else _AWAITING[state.on_turn]

    def legal_moves(self, state: State, seat: Seat) -> Sequence[Move]:
        if seat != state.on_turn or _is_finished(state):
            return ()
        return moves(state)

    def check(self, state: State, seat: Seat, move: Move) -> None:
        if _is_finished(state):
            raise IllegalMoveError("This match is over, so no more moves can be made.")
        if seat != state.on_turn:
            raise IllegalMoveError("It's your opponent's turn.")
        match move:
            case Play():
                check_play(state, move)
            case Discard():
                check_discard(state, move)
            case Draw():
                check_draw(state)
            case _:
                raise IllegalMoveError("A move is a source and a target, for example stock>f1.")

    def resolve(self, state: State, moves: Mapping[Seat, Move], chance: Chance) -> State:
        return apply_move(state, moves[state.on_turn], chance)

    def observe(self, state: State, seat: Seat | None) -> View:
        if seat not in (None, 0, 1):
            raise ValueError(f"There is no seat {seat} in Spite and Malice, only 0 and 1.")
        return view_of(state, seat, self.outcome(state))

    def outcome(self, state: State) -> Outcome | None:
        if state.left is not None:
            ranks = (2, 1) if state.left == 0 else (1, 2)
            return Outcome(
                ranks=ranks, scores=state.series.scores, reason="the other seat has left"
            )
        if not state.is_over or state.series.last is None:
            return None
        first, second = state.series.scores
        ranks = (1 + (second > first), 1 + (first > second))
        return Outcome(
            ranks=ranks, scores=state.series.scores, reason=_reason(state, state.series.last)
        )

    def concede(self, state: State, seat: Seat, chance: Chance) -> State:
        del chance
        if _is_finished(state):
            raise IllegalMoveError("This match is over, so nobody can leave it now.")
        if seat not in (0, 1):
            raise IllegalMoveError("This seat isn't in the match.")
        return replace(state, left=seat)

    def fallback(self, state: State, seat: Seat, chance: Chance) -> Move:
        if seat not in self.awaiting(state):
            raise IllegalMoveError("This seat owes no move, so none is made for it.")
        choice = discards(state) or forced_plays(state) or plays(state) or moves(state)
        return chance.pick(choice)

    def imagine(self, view: View, seat: Seat, chance: Chance) -> State:
        return determinize(view, seat, chance)

    def parse(self, text: str) -> Move:
        return parse(text)


def _is_finished(state: State) -> bool:
    return state.is_over or state.left is not None


def _reason(state: State, last: GameResult) -> str:
    if state.series.options.scoring != "game":
        return _series_reason(state)
    if last.ending == "stock":
        return f"the last stock card was played, with {_cards(last.points)} left to the other"
    end = "neither could move" if last.ending == "stalemate" else "the turns ran out"
    if last.winner is None:
        return f"{end}, with {_cards(last.stocks[0])} left in each stock"
    low, high = sorted(last.stocks)
    stock = "1 stock card" if low == 1 else f"{low} stock cards"
    return f"{end}, with {stock} left against {high}"


def _series_reason(state: State) -> str:
    unit = "games" if state.series.options.scoring == "games" else "points"
    low, high = sorted(state.series.scores)
    games = "1 game" if state.series.game == 1 else f"{state.series.game} games"
    if state.series.options.target is not None and high >= state.series.options.target:
        return f"first to {state.series.options.target} {unit}, {high} to {low}"
    if high == low:
        return f"the same number of {unit} after {games}, {high} each"
    return f"more {unit} after {games}, {high} to {low}"


def _cards(number: int) -> str:
    return "1 card" if number == 1 else f"{number} cards"


SPITE: Final = Spite()
