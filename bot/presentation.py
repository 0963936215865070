"""What a game's cog gives to the table: words, buttons and pictures for a look at a match."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from bot.matches import Look
from bot.sheets import Picture


@dataclass(frozen=True, slots=True)
class Choice:
    """A move as a button of the desk."""

    label: str
    move: str
    """The move in the game's notation."""


@dataclass(frozen=True, slots=True)
class ManualPage:
    """A page of the rules, in our own words."""

    title: str
    text: str
    picture: Picture | None


class Presentation(Protocol):
    """A game as people see it. Pure: everything comes from the look, nothing is remembered."""

    @property
    def manual(self) -> Sequence[ManualPage]: ...

    def variant(self, options: Any) -> str:  # noqa: ANN401 - of the game's own type
        """The variant in a few words, for the title."""

    def badge(self, seat: int) -> str:
        """A sign for a seat, the same as in the pictures."""

    def headline(self, look: Look) -> str:
        """Where the match stands, for example which round it is."""

    def story(self, look: Look, names: Sequence[str]) -> str:
        """What was revealed last, or how the match begins."""

    def score(self, look: Look, names: Sequence[str]) -> str: ...

    def result(self, look: Look, names: Sequence[str]) -> str:
        """Who won and what decided it, once the match is over."""

    def question(self, look: Look) -> str:
        """What the desk asks its owner."""

    def choices(self, look: Look) -> Sequence[Choice]:
        """The buttons of the desk, in order."""

    def picture(self, look: Look) -> Picture: ...


class Presentations:
    """The games that can be played, by key: each cog adds its own when it is loaded."""

    def __init__(self) -> None:
        self._by_game: dict[str, Presentation] = {}

    def add(self, game: str, presentation: Presentation) -> None:
        self._by_game[game] = presentation

    def remove(self, game: str) -> None:
        self._by_game.pop(game, None)

    def __getitem__(self, game: str) -> Presentation:
        return self._by_game[game]

    def __iter__(self) -> Iterator[Presentation]:
        return iter(self._by_game.values())

    def __contains__(self, game: str) -> bool:
        return game in self._by_game
