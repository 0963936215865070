"""The options of a match (R16, R17, R21-R23)."""

from dataclasses import dataclass
from typing import Literal, get_args

Equal = Literal["annihilate", "choice", "bounce"]
"""What happens when as many troops arrive as there are on the target (R16)."""

Reinforce = Literal["in-order", "together"]
"""Whether seats reinforce one after another, or all at once in secret (R17)."""

Goal = Literal["either", "both"]
"""Which battalions of a team must hold their objectives (R21)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    equal: Equal = "annihilate"
    reinforce: Reinforce = "in-order"
    redeployment: bool = False
    signal: bool = False
    """Whether seats can publicly name who they think is ahead; that has no other effect (R22)."""

    goal: Goal = "either"
    turn_limit: int = 100

    def __post_init__(self) -> None:
        _expect_word("equal", self.equal, get_args(Equal))
        _expect_word("reinforce", self.reinforce, get_args(Reinforce))
        _expect_word("goal", self.goal, get_args(Goal))
        _expect_switch("redeployment", self.redeployment)
        _expect_switch("signal", self.signal)
        if type(self.turn_limit) is not int or self.turn_limit < 1:
            raise ValueError("The turn limit must be a whole number of turns, at least 1.")


def _expect_word(name: str, value: object, words: tuple[str, ...]) -> None:
    if value not in words:
        raise ValueError(f"The option {name} must be one of {', '.join(words)}.")


def _expect_switch(name: str, value: object) -> None:
    if not isinstance(value, bool):
        raise ValueError(f"The option {name} must be True or False.")  # noqa: TRY004 - invalid options always raise ValueError
