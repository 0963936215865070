"""An exercise: a position, a question about it, and a few answers that are really played.

A lesson is a sequence of them. What an answer leads to, and whether it solves the exercise, is
decided by the rules in `games/`; nothing of it is kept.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from bot.errors import ButtonError
from bot.matches import Place, SeatSnapshot
from bot.storage import MatchId
from games import AnyGame, Seat
from games.chance import Chance

LEARNER: Final = Seat(0)
"""The seat of whoever learns; the others are made up."""

_SEED: Final = "0" * 64
"""Of what is dealt after the last answer; a position says itself what is drawn before."""

Replies = tuple[Mapping[int, str], ...]
"""What is played with an answer, step by step, by seat in the game's notation: in the first step by
all others who are awaited, in later ones by everybody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A choice that an exercise offers."""

    move: str
    """In the game's notation; it is also what the button carries."""

    says: str
    """What to learn from it, in one or two sentences. What happened is told by the game."""

    label: str = ""
    """The words of its button; empty for those that a hand has for this move."""

    replies: Replies | None = None
    """What is played with this answer; None for what the exercise says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exercise:
    """One position of a lesson."""

    key: str
    """Kept with everybody who goes on here, so never renamed or used for another one."""

    title: str
    text: str
    """What this is about, in a few sentences. Discord markdown."""

    question: str
    state: Any  # of the game's own type
    answers: tuple[Answer, ...]
    solves: Callable[[SeatSnapshot], bool]
    """Whether an answer was right, asked of what the learner sees after it."""

    replies: Replies = ()
    seats: int = 2

    def answer(self, move: str) -> Answer:
        """The answer with this move; ButtonError where there is none any more."""
        for answer in self.answers:
            if answer.move == move:
                return answer
        raise ButtonError(CHANGED)


CHANGED: Final = "This lesson has changed since then. Use `/learn` to pick it up where you are."


def played(game: AnyGame, exercise: Exercise, answer: Answer) -> Any:  # noqa: ANN401 - a state
    """The state that an answer leads to; IllegalMoveError where the rules refuse anything of it."""
    replies = exercise.replies if answer.replies is None else answer.replies
    first, *later = replies or ({},)
    state = exercise.state
    for step, moves in enumerate([{**first, LEARNER: answer.move}, *later], 1):
        joint = {Seat(seat): game.parse(text) for seat, text in moves.items()}
        state = game.play(state, joint, Chance(_SEED, step))
    return state


def seen(game: AnyGame, exercise: Exercise, state: Any) -> SeatSnapshot:  # noqa: ANN401 - as above
    """What the learner sees in a state of an exercise, as in a match that is played."""
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
        paused=False,
        late=(),
        ending=None,
        places=(Place(user=0, accepted=True, left=False),) * exercise.seats,
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
