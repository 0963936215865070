"""The options of a match (R29-R36)."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, get_args

from games.spite.cards import Jokers

Forced = Literal["none", "aces", "aces-and-twos"]
Scoring = Literal["game", "games", "points"]

USUAL_TARGETS: Final[Mapping[Scoring, int]] = MappingProxyType({"games": 3, "points": 25})
POINTS: Final = (25, 50, 100)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    stock: int = 26
    """The number of cards in each stock, from 1 to 26."""

    foundations: Literal[3, 4] | None = None
    """The most foundations that may be on the table; None for no limit."""

    forced: Forced = "none"
    """The cards that must be played before a discard (R34)."""

    jokers: Jokers = "none"
    strict_draw: bool = False
    """Whether the cards at the start of a turn are drawn by a separate move (R32)."""

    scoring: Scoring = "game"
    target: int | None = None
    """What a series is played to: a number of games won or of points. None is replaced by the usual
    target of the scoring, and stays None for a single game."""

    turn_limit: int = 500
    """The number of turns of a game, of both seats together, after which it's decided (R33)."""

    game_limit: int = 50
    """The number of games after which a series goes to the higher score (R33)."""

    def __post_init__(self) -> None:
        _require_number("stock", self.stock, most=26)
        _require_number("turn limit", self.turn_limit)
        _require_number("game limit", self.game_limit)
        if not _is_one_of(self.foundations, (None, 3, 4)):
            raise ValueError(
                f"Foundations can be limited to 3 or 4 or not at all, not to {self.foundations!r}."
            )
        _require_choice("forced", self.forced, get_args(Forced))
        _require_choice("jokers", self.jokers, get_args(Jokers))
        _require_choice("scoring", self.scoring, get_args(Scoring))
        if not _is_one_of(self.strict_draw, (False, True)):
            raise ValueError(f"Strict draw is either on or off, not {self.strict_draw!r}.")
        if self.target is None:  # so that the same options are equal values
            object.__setattr__(self, "target", USUAL_TARGETS.get(self.scoring))
        self._require_target()

    @property
    def highest_score(self) -> int:
        """The highest possible score: a game is worth at most the opponent's whole stock (R36)."""
        return self.game_limit * (1 if self.scoring == "games" else self.stock)

    def _require_target(self) -> None:
        if self.target is None:
            return
        _require_number("target", self.target)
        if self.scoring == "game":
            raise ValueError("A single game has no target. Choose a series, by games or by points.")
        if self.scoring == "points" and self.target not in POINTS:
            raise ValueError(f"Points are played to 25, 50 or 100, not to {self.target}.")


def _is_one_of(value: object, choices: tuple[object, ...]) -> bool:
    """Whether a value is among the choices, and of the same type: 3.0 isn't 3, True isn't 1."""
    return any(type(value) is type(choice) and value == choice for choice in choices)


def _require_number(name: str, value: int, *, most: int | None = None) -> None:
    if type(value) is not int or value < 1 or (most is not None and value > most):
        bounds = "at least 1" if most is None else f"from 1 to {most}"
        raise ValueError(f"The {name} is a whole number, {bounds}, not {value!r}.")


def _require_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    if not _is_one_of(value, choices):
        raise ValueError(f"The option {name} is one of {', '.join(choices)}.")
