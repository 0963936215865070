"""Recorded matches of random moves, played by the contract alone, for the tests of every game."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from games import GAMES, AnyGame, IllegalMoveError, Seat
from games.chance import Chance
from tests.support.contract_plans import PLANS, Plan

DEFAULT_PLAN = Plan(bound=100_000, seeds=1)
MAX_SAMPLED_POSITIONS = 25
"""The most positions that are tested of one match."""

PLAY_ON_STEPS = 20
"""How many steps to play on from a position that a test made; the whole match takes too long."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """A game with a set of options and a number of seats."""

    key: str
    variant: str
    seats: int

    @property
    def game(self) -> AnyGame:
        return GAMES[self.key]

    @property
    def options(self) -> Any:
        return variants(self.key)[self.variant]

    @property
    def plan(self) -> Plan:
        return PLANS.get(self.key, DEFAULT_PLAN)

    def __str__(self) -> str:
        return f"{self.key}-{self.variant}-{self.seats}"


@dataclass(frozen=True, kw_only=True)
class Match:
    """A whole match of random moves: `moves[i]` leads from `states[i]` to `states[i + 1]`."""

    case: Case
    seed: str
    states: tuple[Any, ...]
    moves: tuple[Mapping[Seat, Any], ...]

    def sample(self) -> tuple[tuple[int, Any], ...]:
        """Positions with their steps, always including the first and the last.

        All positions of a short match; of a long one, evenly spaced ones, because most tests take
        milliseconds for each position.
        """
        return self.spread(MAX_SAMPLED_POSITIONS)

    def spread(self, number: int) -> tuple[tuple[int, Any], ...]:
        last = len(self.states) - 1
        steps = sorted({i * last // (number - 1) for i in range(number)})
        return tuple((step, self.states[step]) for step in steps)


@cache
def variants(key: str) -> Mapping[str, Any]:
    """The presets of a game, and the extra options of its plan, by name."""
    game = GAMES[key]
    extra = PLANS.get(key, DEFAULT_PLAN).extra
    return {**game.presets, **{name: game.options(**values) for name, values in extra.items()}}


def cases() -> list[Case]:
    """Every game with every variant and every number of seats that fits it."""
    return [
        Case(key=key, variant=name, seats=seats)
        for key, game in GAMES.items()
        for name, options in variants(key).items()
        for seats in game.seats
        if game.fits(options, seats)
    ]


def seats_of(case: Case) -> list[Seat]:
    return [Seat(i) for i in range(case.seats)]


def seed_of(number: int) -> str:
    """A seed of 64 hexadecimal digits, as real matches have."""
    return hashlib.sha256(str(number).encode()).hexdigest()


def chosen(game: AnyGame, state: Any, seed: str, step: int) -> dict[Seat, Any]:
    """A random legal move for each awaited seat, drawn independently of the match's own chance."""
    chance = Chance(f"{seed}:players", step)
    return {
        seat: chance.pick(game.legal_moves(state, seat)) for seat in sorted(game.awaiting(state))
    }


def steps(
    game: AnyGame, state: Any, seed: str, *, after: int, bound: int
) -> Iterator[tuple[Mapping[Seat, Any], Any]]:
    """The moves and the state of each step of random play, at most `bound` of them."""
    for step in range(after + 1, after + 1 + bound):
        if not game.awaiting(state):
            return
        moves = chosen(game, state, seed, step)
        state = game.play(state, moves, Chance(seed, step))
        yield moves, state


@cache
def match_of(case: Case, number: int) -> Match:
    """The recorded match of a case with this seed, cut off after the bound of its plan."""
    seed = seed_of(number)
    first = case.game.setup(case.options, case.seats, Chance(seed, 0))
    played = list(steps(case.game, first, seed, after=0, bound=case.plan.bound))
    return Match(
        case=case,
        seed=seed,
        states=(first, *(state for _, state in played)),
        moves=tuple(moves for moves, _ in played),
    )


def sentence(error: BaseException) -> str:
    """The message of a refusal; asserts that it can be shown to a player."""
    text = str(error)
    assert text.endswith("."), text
    assert text[0] == text[0].upper(), text
    assert len(text.split()) >= 3, text
    assert len(text) <= 300, text
    for code in ("_", "<", "{", "object at", "Error", "invalid literal", "Traceback"):
        assert code not in text, text
    return text


def refusal(game: AnyGame, state: Any, seat: Seat, move: Any) -> str:
    """The sentence that refuses a move; empty if it is legal."""
    try:
        game.check(state, seat, move)
    except IllegalMoveError as error:
        return sentence(error)
    return ""


def assert_outcome(outcome: Any, seats: int) -> None:
    assert len(outcome.ranks) == len(outcome.scores) == seats
    assert outcome.ranks == tuple(
        1 + sum(other < rank for other in outcome.ranks) for rank in outcome.ranks
    )
    assert all(type(score) is int for score in outcome.scores)
    assert outcome.reason
    assert not outcome.reason.endswith(".")


CASES = cases()

each_game = pytest.mark.parametrize("key", GAMES)
each_match = pytest.mark.parametrize(
    "match",
    [
        pytest.param((case, number), id=f"{case}-seed{number}")
        for case in CASES
        for number in range(case.plan.seeds)
    ],
    indirect=True,
)
each_first_match = pytest.mark.parametrize(
    "match", [pytest.param((case, 0), id=str(case)) for case in CASES], indirect=True
)
