"""What the cog of each game provides: words, buttons and pictures for a snapshot of a match."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from bot.drawing.seats import Mark
from bot.lessons.exercise import Exercise
from bot.matches import MatchSnapshot, PublicSnapshot, SeatSnapshot
from bot.messaging.content import Picture
from games.puzzle import Puzzle


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Something to tap or select in a hand."""

    label: str
    move: str
    """The move in the game's notation, or a draft in the presentation's own. At most 55 characters,
    none of them a colon."""

    act: str = "pick"
    """The act that handles it: `pick` chooses the move; `draft` only draws the hand again with this
    as its draft; others are of the game's cog. Drafts aren't stored, so each contains everything
    put together so far."""

    note: str = ""
    """A second line, for a choice in a menu."""

    quiet: bool = False
    """Whether it's a gray button: a way back, or something seldom wanted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceMenu:
    """Choices in a menu, if there are too many for buttons: 1 to 25, all moves or all drafts."""

    placeholder: str
    choices: tuple[Choice, ...]


Control = tuple[Choice, ...] | ChoiceMenu
"""A row of a hand: one to five buttons, or a menu."""


@dataclass(frozen=True, slots=True)
class ManualPage:
    """A page of the rules, in our own words."""

    title: str
    text: str
    picture: Picture | None


class Presentation(ABC):
    """A game as people see it. Pure: everything comes from the snapshot, nothing is remembered.

    What has a value or a body here fits most games; the others override it.
    Methods that take a view or a `MatchSnapshot` are called for the table and for hands; the view
    says for which. They may ask for a choice only if the view awaits somebody.
    `names` can contain `YOU` for the reader of a lesson; `bot.text.with_verb` fits verbs to it.
    """

    manual: Sequence[ManualPage]

    marks: Sequence[Mark]
    """The mark of each seat, as in the pictures; at least as many as can play."""

    lesson: Sequence[Exercise] = ()
    """Four to eight exercises, from the first thing to learn on; empty if there is no lesson."""

    hand_label: str = "My hand"
    """The label of the button that opens the hand; begins with `My `."""

    @property
    def hand_name(self) -> str:
        """What a hand is called to its own player: `your hand`."""
        return self.hand_label.replace("My ", "your ", 1)

    @property
    def hands_name(self) -> str:
        """What the hands are called to others: `hands`."""
        return f"{self.hand_label.removeprefix('My ').removesuffix('s')}s"

    @abstractmethod
    def variant(self, options: Any) -> str:  # noqa: ANN401 - of the game's own type
        """What differs from the standard game, separated by `, `, the most important first.

        A title that is too short for all parts shows the first ones only.
        """

    @abstractmethod
    def headline(self, view: Any) -> str:  # noqa: ANN401 - of the game's own type
        """How far the match is, for example which round it's in."""

    def moment(self, view: Any) -> str:  # noqa: ANN401 - of the game's own type
        """The point in the match that a view is from, as players count: `Turn 7`.

        Empty if they count steps.
        """
        del view
        return ""

    @abstractmethod
    def story(self, view: Any, names: Sequence[str]) -> str:  # noqa: ANN401 - of the game's own type
        """What was revealed last, or how the match begins."""

    @abstractmethod
    def score(self, snapshot: MatchSnapshot, names: Sequence[str]) -> str: ...

    @abstractmethod
    def result(self, view: Any, names: Sequence[str]) -> str:  # noqa: ANN401 - of the game's own type
        """Who won and what decided it, once the match is over."""

    @abstractmethod
    def question(self, snapshot: SeatSnapshot, draft: str) -> str:
        """What the hand asks its player; `draft` is what they've put together, "" at first."""

    def chosen(self, snapshot: SeatSnapshot) -> str:
        """The choice of a seat that has chosen, as its player reads it: the notation, or words."""
        return str(snapshot.choice)

    def spelled(self, notation: str) -> str:
        """A move as players read it, in words if nobody would say its notation aloud.

        `notation` may leave out what is hidden.
        """
        return f"`{notation}`"

    def own_spelled(self, view: Any, notation: str) -> str:  # noqa: ANN401 - of the game's own type
        """A move that the viewer made or could have made: `spelled`, or with what is theirs."""
        del view
        return self.spelled(notation)

    def emblem(self, view: Any, seat: int) -> str:  # noqa: ANN401 - of the game's own type
        """The marks of a seat as emoji, to go before its name; only once the match has begun."""
        del view
        return self.marks[seat].emoji

    @abstractmethod
    def controls(self, snapshot: SeatSnapshot, draft: str) -> Sequence[Control]:
        """The rows of the hand's buttons and menus, in order; at most four, 15 buttons in all.

        A draft comes from a custom_id, so it can be forged: treat an invalid one as "".
        """

    def taps(self, snapshot: PublicSnapshot) -> Sequence[Sequence[Choice]]:
        """If hands are public: the choices of each seat, by seat, for one tap at the table.

        Empty for a seat that has nothing to choose.
        """
        del snapshot
        return ()

    @abstractmethod
    def picture(self, snapshot: MatchSnapshot, draft: str) -> Picture:
        """What the snapshot's viewer may see; the alt text must say all of it, also on its own."""


@runtime_checkable
class ShowsPuzzles(Protocol):
    """The presentation of a game that has puzzles."""

    def puzzle_task(self, puzzle: Puzzle[Any]) -> str:
        """The question, and what makes an answer right."""

    def puzzle_choice(self, puzzle: Puzzle[Any], move: str) -> str:
        """The label of a choice in a button or list: plain text of at most 80 characters."""

    def puzzle_reason(self, puzzle: Puzzle[Any]) -> str:
        """Which choices were right and why, from the proof of each choice."""


@runtime_checkable
class KeepsScore(Protocol):
    """The presentation of a game with a public score, whose course a shared result can show.

    Its methods are sent to worker processes, so it must not hold any state.
    """

    def counts(self, options: Any) -> str:  # noqa: ANN401 - of the game's own type
        """What the score counts, in a few words: `dots`."""

    def points(self, view: Any) -> Sequence[int]:  # noqa: ANN401 - of the game's own type
        """The score of each seat, in the public view."""


Presentations = dict[str, Presentation]
"""The presentations of the games that are loaded, by game; each game's cog adds its own."""
