"""A game for tests: all players point at another one at once; the most fingers win.

It has what Pico lacks: hidden numbers, chance in every step, choices that become illegal when a
seat leaves, and any ranking that a test wants.
"""

from dataclasses import dataclass, replace
from types import MappingProxyType

from games import Game, IllegalMoveError, Outcome, Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    rounds: int = 1


@dataclass(frozen=True, slots=True)
class Finger:
    """Points at a seat."""

    at: Seat

    def __str__(self) -> str:
        return f"at {self.at}"


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    options: Options
    numbers: tuple[int, ...]  # by seat; hidden from all other seats
    left: tuple[Seat, ...]
    pointed: tuple[int, ...]
    rounds: int
    drawn: int


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    number: int | None
    left: tuple[Seat, ...]
    pointed: tuple[int, ...]
    drawn: int
    seat: Seat | None
    awaiting: tuple[Seat, ...]
    outcome: Outcome | None


class Pointing(Game[State, Finger, View, Options]):
    key = "pointing"
    title = "Pointing"
    seats = range(2, 5)
    options = Options
    presets = MappingProxyType({"standard": Options(), "long": Options(rounds=3)})
    state = State

    def setup(self, options, seats, chance):
        return State(
            options=options,
            numbers=tuple(100_000_000 + chance.below(900_000_000) for _ in range(seats)),
            left=(),
            pointed=(0,) * seats,
            rounds=0,
            drawn=chance.below(1000),
        )

    def awaiting(self, state):
        playing = frozenset(Seat(i) for i in range(len(state.numbers))) - set(state.left)
        return playing if len(playing) > 1 and state.rounds < state.options.rounds else frozenset()

    def legal_moves(self, state, seat):
        awaiting = self.awaiting(state)
        return [Finger(at) for at in sorted(awaiting - {seat})] if seat in awaiting else []

    def check(self, state, seat, move):
        if move not in self.legal_moves(state, seat):
            raise IllegalMoveError("You can only point at another player who is still here.")

    def resolve(self, state, moves, chance):
        pointed = list(state.pointed)
        for move in moves.values():
            pointed[move.at] += 1
        return replace(
            state, pointed=tuple(pointed), rounds=state.rounds + 1, drawn=chance.below(1000)
        )

    def observe(self, state, seat):
        return View(
            number=None if seat is None else state.numbers[seat],
            left=state.left,
            pointed=state.pointed,
            drawn=state.drawn,
            seat=seat,
            awaiting=tuple(sorted(self.awaiting(state))),
            outcome=self.outcome(state),
        )

    def outcome(self, state):
        if self.awaiting(state):
            return None
        points = [-1 if i in state.left else n for i, n in enumerate(state.pointed)]
        return Outcome(
            ranks=tuple(1 + sum(other > own for other in points) for own in points),
            scores=state.pointed,
            reason="more fingers",
        )

    def concede(self, state, seat, chance):
        if seat in state.left:
            raise IllegalMoveError("You have already left this match.")
        return replace(state, left=(*state.left, seat), drawn=chance.below(1000))

    def fallback(self, state, seat, chance):
        return chance.pick(self.legal_moves(state, seat))

    def imagine(self, view, seat, chance):
        raise NotImplementedError

    def parse(self, text):
        word, _, at = text.partition(" ")
        if word != "at" or at not in {"0", "1", "2", "3"}:
            raise ValueError("Nobody sits there; point at a seat from 0 to 3.")
        return Finger(Seat(int(at)))


POINTING = Pointing()
