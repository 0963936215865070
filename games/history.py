"""A match rebuilt from its seed and its moves: state by state, and what each seat saw then.

Nothing here knows of storage or Discord: processes beside the event loop import it, and start
quickly.
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
    """All that a match follows from."""

    game: str
    options: Any  # of the game's own type
    seats: int
    seed: str
    steps: tuple[Mapping[Seat, str], ...]
    """The move of each awaited seat, in the game's notation."""

    departures: tuple[tuple[int, Seat], ...]
    """Before the play of which step which seat left, in the order they did."""

    @property
    def frames(self) -> int:
        """How many states there are: after the deal, each departure and each play."""
        return 1 + len(self.steps) + len(self.departures)


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One state of the match, as it was."""

    step: int
    """How many steps had been played."""

    left: tuple[Seat, ...]
    """The seats that had left, in the order they did."""

    state: Any  # of the game's own type

    moves: Mapping[Seat, str] | None = None
    """What was played to get here; None after the deal and after a departure."""


class WrongError(Exception):
    """A history that the rules do not allow; its arguments are a step from 1 and a sentence."""


def frames(history: History) -> Iterator[Frame]:
    """The states from the deal on; WrongError at the first that does not follow."""
    game, seed, left = GAMES[history.game], history.seed, list[Seat]()
    state = game.setup(history.options, history.seats, Chance(seed, 0))
    yield Frame(step=0, left=(), state=state)
    departures = list(history.departures)
    for step in range(len(history.steps) + 1):
        while departures and departures[0][0] == step:
            seat = departures.pop(0)[1]
            # The same chance as when it left, see `leave` in `bot/matches/resolution.py`.
            chance = Chance(f"{seed}:{seat} leaves", step)
            state = _lawful(step, game.concede, state, seat, chance)
            left.append(seat)
            yield Frame(step=step, left=tuple(left), state=state)
        if step < len(history.steps):
            state, moves = _lawful(step, _play, history, state, step)
            yield Frame(step=step + 1, left=tuple(left), state=state, moves=moves)
    if departures:
        raise WrongError(departures[0][0] + 1, "A departure does not fit into this match.")


def frame(history: History, number: int) -> Frame:
    """The frame of this number, from 0; the last one beyond the end."""
    return deque(islice(frames(history), number + 1), maxlen=1)[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnChoice:
    """A choice that a seat made, with what it saw."""

    step: int
    """From 0: how many steps had been played."""

    view: Any  # of the game's own type
    move: Any  # of the game's own type


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """A finished match, and what somebody chose in it: the steps, from 0."""

    match: int
    history: History
    seat: Seat
    steps: tuple[int, ...]


def choices_of(history: History, seat: Seat, steps: frozenset[int]) -> tuple[OwnChoice, ...]:
    """The choices that a seat made at these steps; WrongError where the rules do not allow them."""
    return tuple(_choices_of(history, seat, steps))


def _choices_of(history: History, seat: Seat, steps: frozenset[int]) -> Iterator[OwnChoice]:
    game, before = GAMES[history.game], None
    for frame in frames(history):
        # Of several frames at a step, the last is the one that was chosen in: others have left.
        if before is not None and frame.step > before.step and before.step in steps:
            yield OwnChoice(
                step=before.step,
                view=game.observe(before.state, seat),
                move=game.parse(history.steps[before.step][seat]),
            )
        before = frame


def _play(history: History, state: Any, step: int) -> tuple[Any, Mapping[Seat, str]]:  # noqa: ANN401
    """The state after a step, and its moves; where one is hidden, one that it can have been."""
    game, moves = GAMES[history.game], dict(history.steps[step])
    parsed = {}
    for seat, text in moves.items():
        if HIDDEN in text:
            parsed[seat] = _legal_like(text, game.legal_moves(state, seat))
            moves[seat] = str(parsed[seat])
        else:
            parsed[seat] = game.parse(text)
    return game.play(state, parsed, Chance(history.seed, step + 1)), moves


def _lawful(step: int, act: Callable[..., T], *args: Any) -> T:  # noqa: ANN401 - passed on
    """What the act returns, told at which step if the rules do not allow it."""
    try:
        return act(*args)
    except ValueError as error:  # IllegalMoveError is one
        raise WrongError(step + 1, str(error)) from None


def _legal_like(text: str, legal: Sequence[Any]) -> Any:  # noqa: ANN401 - of the game's own type
    """A legal move that differs from this text only where the text is hidden; else ValueError.

    Whichever it is, the match goes on in the same way if the text hides nothing else than what was
    never carried out.
    """
    # Compiled here, not by `fnmatch`, which would remember each of thousands of patterns.
    like = re.compile(translate(escape(text).replace(HIDDEN, "*")))
    for move in legal:
        if like.match(str(move)):
            return move
    raise IllegalMoveError("What is hidden here can't have been a legal move.")
