"""A sixth game, for tests: both players show fingers at once, and the sum decides who wins."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from games import Game, IllegalMoveError, Outcome, Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    most: int = 5  # the most fingers that a player can show


@dataclass(frozen=True, slots=True)
class Fingers:
    """Shows this number of fingers."""

    number: int

    def __str__(self) -> str:
        return str(self.number)


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    options: Options
    shown: tuple[int, ...]  # by seat, once both have chosen; empty before
    left: Seat | None


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    shown: tuple[int, ...]
    left: Seat | None
    seat: Seat | None
    awaiting: tuple[Seat, ...]
    outcome: Outcome | None


class OddsAndEvens(Game[State, Fingers, View, Options]):
    key = "odds"
    title = "Odds and Evens"
    seats = range(2, 3)
    options = Options
    presets = MappingProxyType({"standard": Options()})
    state = State
    hands_are_public = True

    def setup(self, options, seats, chance):
        return State(options=options, shown=(), left=None)

    def awaiting(self, state):
        over = state.shown or state.left is not None
        return frozenset() if over else frozenset({Seat(0), Seat(1)})

    def legal_moves(self, state, seat):
        numbers = range(1, state.options.most + 1)
        return [Fingers(n) for n in numbers] if seat in self.awaiting(state) else []

    def check(self, state, seat, move):
        if move not in self.legal_moves(state, seat):
            raise IllegalMoveError(f"Show 1 to {state.options.most} fingers.")

    def resolve(self, state, moves: Mapping[Seat, Fingers], chance):
        return replace(state, shown=tuple(moves[Seat(i)].number for i in range(2)))

    def observe(self, state, seat):
        return View(
            shown=state.shown,
            left=state.left,
            seat=seat,
            awaiting=tuple(sorted(self.awaiting(state))),
            outcome=self.outcome(state),
        )

    def outcome(self, state):
        if self.awaiting(state):
            return None
        winner = sum(state.shown) % 2 == 0 if state.left is None else not state.left
        return Outcome(
            ranks=(2, 1) if winner else (1, 2),
            scores=(0, 1) if winner else (1, 0),
            reason="the sum of the fingers" if state.left is None else "the other has left",
        )

    def concede(self, state, seat, chance):
        if not self.awaiting(state):
            raise IllegalMoveError("This match is over.")
        return replace(state, left=seat)

    def fallback(self, state, seat, chance):
        return chance.pick(self.legal_moves(state, seat))

    def imagine(self, view, seat, chance):
        return State(options=Options(), shown=view.shown, left=view.left)

    def parse(self, text):
        if not text.isdecimal():
            raise ValueError("Say how many fingers you show.")
        return Fingers(int(text))


ODDS = OddsAndEvens()
