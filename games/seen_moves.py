"""The moves of a finished match as everybody may know them: without what was never shown.

An order that was written but not carried out stays its writer's secret after the match. What
`Game.redact` hides has had no effect on the match, so a file without it can still be verified.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from games import GAMES, AnyGame, Seat
from games.core import HIDDEN, Event
from games.history import Frame, History, frames

Steps = tuple[Mapping[Seat, str], ...]
"""The moves of each step, by seat and in the game's notation; `HIDDEN` replaces secret parts."""


@dataclass(slots=True)
class SeenMoves:
    """Collects the moves of a match, each seat's as far as they could be seen while it played.

    `Game.redact` sees a single position, so it can't tell how many orders of a player who left many
    turns ago had been carried out. That's why it is called right before a seat leaves, for the
    moves of that seat, and at the end for those of all others.
    """

    game: AnyGame
    state: Any  # of the game's own type; the current one
    _course: list[Event] = field(default_factory=list)
    _shown: list[dict[Seat, str]] = field(default_factory=list)
    _left: set[Seat] = field(default_factory=set)

    def play(self, moves: Mapping[Seat, str], state: Any) -> None:  # noqa: ANN401 - as above
        """Add a step and the state that it led to."""
        self._course.append(moves)
        self._shown.append(dict(moves))
        self.state = state

    def leave(self, seat: Seat, state: Any) -> None:  # noqa: ANN401 - as above
        """Add the departure of a seat and the state that it led to."""
        self._show({seat})
        self._left.add(seat)
        self._course.append(seat)
        self.state = state

    def steps(self, seats: int) -> Steps:
        """All moves of a match with this many seats; to be called in its final state."""
        self._show({Seat(i) for i in range(seats)} - self._left)
        return tuple(self._shown)

    def _show(self, whose: Collection[Seat]) -> None:
        view = self.game.observe(self.state, None)
        for shown, moves in zip(
            self._shown, steps_of(self.game.redact(view, self._course)), strict=True
        ):
            shown.update({seat: text for seat, text in moves.items() if seat in whose})


def steps_of(course: Iterable[Event]) -> Steps:
    """The steps among these events, without the departures."""
    return tuple(event for event in course if isinstance(event, Mapping))


def last_frame_and_moves(history: History, played: Iterable[Frame]) -> tuple[Frame, Steps]:
    """The last frame of a match, and its moves as everybody may know them.

    `played` must yield all frames of `history`.
    """
    course: SeenMoves | None = None
    for reached in played:
        if course is None:
            course = SeenMoves(GAMES[history.game], reached.state)
        elif reached.moves is None:
            course.leave(reached.left[-1], reached.state)
        else:
            course.play(reached.moves, reached.state)
        last = reached
    assert course is not None  # `frames` yields the deal at least, or raises InvalidHistoryError
    return last, course.steps(history.seats)


def seen_moves(history: History) -> Steps:
    """The moves of a match as everybody may know them; InvalidHistoryError if a move is illegal."""
    return last_frame_and_moves(history, frames(history))[1]


def count_hidden(steps: Iterable[Mapping[Seat, str]]) -> int:
    """The number of moves in which something is hidden."""
    return sum(HIDDEN in text for moves in steps for text in moves.values())
