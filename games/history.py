"""Rebuilds a match from its seed and moves: each state, and what each seat saw of it.

Imports nothing of storage or Discord, so that worker processes can import it and start quickly.
"""

import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import translate
from glob import escape
from itertools import islice
from typing import Any, TypeVar

from games import GAMES, IllegalMoveError, Seat
from games.chance import Chance
from games.core import HIDDEN

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """Everything that determines the course of a match."""

    game: str
    options: Any  # of the game's own type
    seats: int
    seed: str
    steps: tuple[Mapping[Seat, str], ...]
    """For each step, the move of each awaited seat in the game's notation."""

    departures: tuple[tuple[int, Seat], ...]
    """(steps played before, seat) for each seat that left, in that order."""

    @property
    def frames(self) -> int:
        """The number of states: one after the deal, one after each departure and each step."""
        return 1 + len(self.steps) + len(self.departures)


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One state in the course of a match."""

    step: int
    """The number of steps played so far."""

    left: tuple[Seat, ...]
    """The seats that had left, in the order in which they left."""

    state: Any  # of the game's own type

    moves: Mapping[Seat, str] | None = None
    """The moves that led to this state; None after the deal and after a departure."""


class InvalidHistoryError(Exception):
    """Raised for a history that the rules don't allow; its arguments are step and sentence.

    The step is counted from 1.
    """


def frames(history: History) -> Iterator[Frame]:
    """Yield the states from the deal on; InvalidHistoryError at the first that can't follow."""
    game, seed, left = GAMES[history.game], history.seed, list[Seat]()
    state = game.setup(history.options, history.seats, Chance(seed, 0))
    yield Frame(step=0, left=(), state=state)
    departures = list(history.departures)
    for step in range(len(history.steps) + 1):
        while departures and departures[0][0] == step:
            seat = departures.pop(0)[1]
            # The same chance as in `leave` of `bot/matches/resolution.py`.
            chance = Chance(f"{seed}:{seat} leaves", step)
            state = _lawful(step, game.concede, state, seat, chance)
            left.append(seat)
            yield Frame(step=step, left=tuple(left), state=state)
        if step < len(history.steps):
            state, moves = _lawful(step, _play, history, state, step)
            yield Frame(step=step + 1, left=tuple(left), state=state, moves=moves)
    if departures:
        raise InvalidHistoryError(departures[0][0] + 1, "A departure does not fit into this match.")


def frame(history: History, number: int) -> Frame:
    """The frame with this index, counted from 0; the last frame if there are fewer."""
    return deque(islice(frames(history), number + 1), maxlen=1)[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnChoice:
    """A choice that a seat made, with the view it was made from."""

    step: int
    """The number of steps played before."""

    view: Any  # of the game's own type
    move: Any  # of the game's own type


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """A finished match, and the steps, counted from 0, at which somebody made a choice in it."""

    match: int
    history: History
    seat: Seat
    steps: tuple[int, ...]


def choices_of(history: History, seat: Seat, steps: frozenset[int]) -> tuple[OwnChoice, ...]:
    """The choices of a seat at these steps, counted from 0; InvalidHistoryError as in `frames`."""
    return tuple(_choices_of(history, seat, steps))


def _choices_of(history: History, seat: Seat, steps: frozenset[int]) -> Iterator[OwnChoice]:
    game, before = GAMES[history.game], None
    for frame in frames(history):
        # Departures make several frames of a step. The choice was made in the last of them.
        if before is not None and frame.step > before.step and before.step in steps:
            yield OwnChoice(
                step=before.step,
                view=game.observe(before.state, seat),
                move=game.parse(history.steps[before.step][seat]),
            )
        before = frame


def _play(history: History, state: Any, step: int) -> tuple[Any, Mapping[Seat, str]]:  # noqa: ANN401
    """The state after a step and its moves, with a matching legal move for each hidden one."""
    game, moves = GAMES[history.game], dict(history.steps[step])
    parsed = {}
    for seat, text in moves.items():
        if HIDDEN in text:
            parsed[seat] = _matching_move(text, game.legal_moves(state, seat))
            moves[seat] = str(parsed[seat])
        else:
            parsed[seat] = game.parse(text)
    return game.play(state, parsed, Chance(history.seed, step + 1)), moves


def _lawful(step: int, act: Callable[..., T], *args: Any) -> T:  # noqa: ANN401 - passed on
    """Call `act`; a ValueError that it raises becomes an InvalidHistoryError with the step."""
    try:
        return act(*args)
    except ValueError as error:  # IllegalMoveError is one
        raise InvalidHistoryError(step + 1, str(error)) from None


def _matching_move(text: str, legal: Sequence[Any]) -> Any:  # noqa: ANN401 - of the game's own type
    """The first legal move that differs from this text only in what the text hides.

    Raises IllegalMoveError if there is none. All of them lead to the same match, as long as a text
    hides only orders that were never carried out.
    """
    # Not `fnmatch.fnmatch`, which would cache each of thousands of patterns.
    like = re.compile(translate(escape(text).replace(HIDDEN, "*")))
    for move in legal:
        if like.match(str(move)):
            return move
    raise IllegalMoveError("What is hidden here can't have been a legal move.")
