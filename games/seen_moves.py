"""The moves of a match that has ended as everybody may know them: without what was never shown.

An order that was written and not carried out stays its writer's secret after the end. What the
rules keep hidden (`Game.redact`) nothing else followed from, so a file without it can be checked.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from games import GAMES, AnyGame, Seat
from games.core import HIDDEN, Event
from games.history import Frame, History, frames

Steps = tuple[Mapping[Seat, str], ...]
"""The moves of each step, in the game's notation, with `HIDDEN` for what nobody may know."""


@dataclass(slots=True)
class SeenMoves:
    """Collects a match state by state and tells of each seat what could be seen while it sat there.

    `Game.redact` knows a position only, and so not how far the orders of somebody had come who left
    many turns ago; it is asked right before they leave, and at the end for all others.
    """

    game: AnyGame
    state: Any  # of the game's own type; the present one
    _course: list[Event] = field(default_factory=list)
    _told: list[dict[Seat, str]] = field(default_factory=list)
    _left: set[Seat] = field(default_factory=set)

    def play(self, moves: Mapping[Seat, str], state: Any) -> None:  # noqa: ANN401 - as above
        """A step has been played, which led to this state."""
        self._course.append(moves)
        self._told.append(dict(moves))
        self.state = state

    def leave(self, seat: Seat, state: Any) -> None:  # noqa: ANN401 - as above
        """A seat has left, which led to this state."""
        self._tell({seat})
        self._left.add(seat)
        self._course.append(seat)
        self.state = state

    def steps(self, seats: int) -> Steps:
        """All moves of a match of so many seats, which ends with the present state."""
        self._tell({Seat(i) for i in range(seats)} - self._left)
        return tuple(self._told)

    def _tell(self, whose: Collection[Seat]) -> None:
        view = self.game.observe(self.state, None)
        for told, moves in zip(
            self._told, steps_of(self.game.redact(view, self._course)), strict=True
        ):
            told.update({seat: text for seat, text in moves.items() if seat in whose})


def steps_of(course: Iterable[Event]) -> Steps:
    """The steps of a course, without the departures."""
    return tuple(event for event in course if isinstance(event, Mapping))


def seen(history: History, playing: Iterable[Frame]) -> tuple[Frame, Steps]:
    """The last of these frames, which are all of the match, and its moves as all may know them."""
    course: SeenMoves | None = None
    for reached in playing:
        if course is None:
            course = SeenMoves(GAMES[history.game], reached.state)
        elif reached.moves is None:
            course.leave(reached.left[-1], reached.state)
        else:
            course.play(reached.moves, reached.state)
        last = reached
    assert course is not None  # there is a deal, or WrongError
    return last, course.steps(history.seats)


def seen_moves(history: History) -> Steps:
    """The moves of a match as everybody may know them; WrongError if the rules have changed."""
    return seen(history, frames(history))[1]


def hidden(steps: Iterable[Mapping[Seat, str]]) -> int:
    """In how many moves something is hidden."""
    return sum(HIDDEN in text for moves in steps for text in moves.values())
