"""An exercise: a position, a question about it, and a few answers that are really played.

A lesson is a sequence of exercises. What an answer leads to is computed by the rules in `games/`,
and whether it's right is judged by that; nothing of it is stored.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from bot.errors import ButtonError
from bot.matches import SeatInfo, SeatSnapshot
from bot.storage import MatchId
from games import AnyGame, Seat
from games.chance import Chance

LEARNER: Final = Seat(0)
"""The learner's seat; the other players are made up."""

_SEED: Final = "0" * 64
"""The seed of what is dealt after an answer; what is drawn before that is in the position."""

Replies = tuple[Mapping[int, str], ...]
"""The moves played with an answer: for each step, by seat, in the game's notation. The first step
has those of all other awaited seats, later steps those of all awaited seats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A choice that an exercise offers."""

    move: str
    """In the game's notation; its button carries it."""

    says: str
    """What to learn from it, in one or two sentences; the game itself says what happened."""

    label: str = ""
    """The label of its button; "" for the one that a hand has for this move."""

    replies: Replies | None = None
    """What is played with this answer; None for the replies of the exercise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exercise:
    """One position of a lesson."""

    key: str
    """Stored in bookmarks, so never rename it, or use it for another exercise."""

    title: str
    text: str
    """What it's about, in a few sentences of Discord markdown."""

    question: str
    state: Any  # of the game's own type
    answers: tuple[Answer, ...]
    solves: Callable[[SeatSnapshot], bool]
    """Whether an answer was right, judged by what the learner sees after it."""

    replies: Replies = ()
    seats: int = 2

    def answer(self, move: str) -> Answer:
        """The answer with this move; ButtonError if the exercise doesn't have it (any longer)."""
        for answer in self.answers:
            if answer.move == move:
                return answer
        raise ButtonError(CHANGED)


CHANGED: Final = "This lesson has changed. Use `/learn` to pick up where you left off."


def state_after(game: AnyGame, exercise: Exercise, answer: Answer) -> Any:  # noqa: ANN401 - a state
    """The state after an answer and its replies; IllegalMoveError if the rules refuse any move."""
    replies = exercise.replies if answer.replies is None else answer.replies
    first, *later = replies or ({},)
    state = exercise.state
    for step, moves in enumerate([{**first, LEARNER: answer.move}, *later], 1):
        joint = {Seat(seat): game.parse(text) for seat, text in moves.items()}
        state = game.play(state, joint, Chance(_SEED, step))
    return state


def snapshot_in(game: AnyGame, exercise: Exercise, state: Any) -> SeatSnapshot:  # noqa: ANN401 - as above
    """What the learner sees of a state, as a snapshot like those of real matches."""
    awaiting, outcome = game.awaiting(state), game.outcome(state)
    return SeatSnapshot(
        match=MatchId(0),
        game=game.key,
        options=game.presets["standard"],
        status="running" if outcome is None else "over",
        guild=0,
        channel=0,
        wanted=exercise.seats,
        time_control="none",
        tap=False,
        step=0,
        turn=0,
        due_at=None,
        late=(),
        ending=None,
        seats=(SeatInfo(user=0, accepted=True, left=False),) * exercise.seats,
        view=game.observe(state, LEARNER),
        awaiting=awaiting,
        chosen=frozenset(),
        outcome=outcome,
        commitment=None,
        seed=None,
        seat=LEARNER,
        choice=None,
        legal=tuple(game.legal_moves(state, LEARNER)) if LEARNER in awaiting else (),
    )
