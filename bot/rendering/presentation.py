"""What the cog of each game provides: words, buttons and pictures for a snapshot of a match."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, runtime_checkable

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

    draft: bool = False
    """Not a move yet: the hand is only drawn again with this as its draft. Drafts aren't stored, so
    each contains everything put together so far."""

    act: str = "pick"
    """The act that handles it: one of the game's cog if it's neither a move nor a draft."""

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


class Presentation(Protocol):
    """A game as people see it. Pure: everything comes from the snapshot, nothing is remembered.

    Methods that take a `MatchSnapshot` are called for the table and for hands; the view says for
    which. They may ask for a choice only if the view awaits somebody.
    `names` can contain `YOU` for the reader of a lesson; `bot.text.with_verb` fits verbs to it.
    """

    @property
    def manual(self) -> Sequence[ManualPage]: ...

    @property
    def marks(self) -> Sequence[Mark]:
        """The mark of each seat, as in the pictures; at least as many as can play."""

    def variant(self, options: Any) -> str:  # noqa: ANN401 - of the game's own type
        """What differs from the standard game, separated by `, `, the most important first.

        A title that is too short for all parts shows the first ones only.
        """

    def headline(self, snapshot: MatchSnapshot) -> str:
        """How far the match is, for example which round it's in."""

    def story(self, snapshot: MatchSnapshot, names: Sequence[str]) -> str:
        """What was revealed last, or how the match begins."""

    def score(self, snapshot: MatchSnapshot, names: Sequence[str]) -> str: ...

    def result(self, snapshot: MatchSnapshot, names: Sequence[str]) -> str:
        """Who won and what decided it, once the match is over."""

    def question(self, snapshot: SeatSnapshot, draft: str) -> str:
        """What the hand asks its player; `draft` is what they've put together, "" at first."""

    def controls(self, snapshot: SeatSnapshot, draft: str) -> Sequence[Control]:
        """The rows of the hand's buttons and menus, in order; at most four, 15 buttons in all.

        A draft comes from a custom_id, so it can be forged: treat an invalid one as "".
        """

    def picture(self, snapshot: MatchSnapshot, draft: str) -> Picture:
        """What the snapshot's viewer may see; the alt text must say all of it, also on its own."""


@runtime_checkable
class SpellsMoves(Protocol):
    """The presentation of a game whose notation nobody would say aloud."""

    def spelled(self, move: str) -> str:
        """A move in words; `move` is its notation, which may leave out what is hidden."""


@runtime_checkable
class TellsChoices(Protocol):
    """The presentation of a game whose players read their choice in words, not in notation."""

    def chosen(self, snapshot: SeatSnapshot) -> str:
        """The choice of a seat that has chosen, in words for its player."""


@runtime_checkable
class NamesMoments(Protocol):
    """The presentation of a game whose players count rounds, turns or hands instead of steps."""

    def moment(self, view: Any) -> str:  # noqa: ANN401 - of the game's own type
        """The point in the match that a view is from, as players count: `Turn 7`."""


@runtime_checkable
class OffersTaps(Protocol):
    """The presentation of a game with public hands, where one tap at the table can choose."""

    def taps(self, snapshot: PublicSnapshot) -> Sequence[Sequence[Choice]]:
        """The choices of each seat, by seat; empty for a seat that has nothing to choose."""


@runtime_checkable
class NamesHands(Protocol):
    """The presentation of a game in which nobody holds a hand of cards or tiles."""

    @property
    def hand_label(self) -> str:
        """The label of the button that opens the hand; begins with `My `."""


@runtime_checkable
class HasEmblems(Protocol):
    """The presentation of a game in which a seat can have more than one mark."""

    def emblem(self, view: Any, seat: int) -> str:  # noqa: ANN401 - of the game's own type
        """All marks of a seat as emoji, for text beside a picture."""


@runtime_checkable
class Teaches(Protocol):
    """The presentation of a game that has a lesson."""

    @property
    def lesson(self) -> Sequence[Exercise]:
        """Four to eight exercises, from the first thing to learn on."""


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


MY_HAND: Final = "My hand"


def emblem(snapshot: MatchSnapshot, presentation: Presentation, seat: int) -> str:
    """The marks of a seat as emoji, to go before its name; only once the match has begun."""
    if isinstance(presentation, HasEmblems):
        return presentation.emblem(snapshot.view, seat)
    return presentation.marks[seat].emoji


def hand_label(presentation: Presentation) -> str:
    """The label of the button that opens the hand: `My hand`, unless the game has its own."""
    return presentation.hand_label if isinstance(presentation, NamesHands) else MY_HAND


def lesson_of(presentation: Presentation) -> Sequence[Exercise]:
    """The exercises of a game; empty if it has no lesson."""
    return presentation.lesson if isinstance(presentation, Teaches) else ()


def hand_name(presentation: Presentation) -> str:
    """What a hand is called to its own player: `your hand`."""
    return hand_label(presentation).replace("My ", "your ", 1)


def hands_name(presentation: Presentation) -> str:
    """What hands are called to others: `hands`."""
    if isinstance(presentation, NamesHands):
        return presentation.hand_label.removeprefix("My ")
    return "hands"


def move_text(presentation: Presentation, move: str) -> str:
    """A move as players read it: in words if its game has them, else its notation in backticks."""
    return speller(presentation)(move)


def choice_text(presentation: Presentation, snapshot: SeatSnapshot) -> str:
    """The choice of a seat that has chosen, as its player reads it."""
    if isinstance(presentation, TellsChoices):
        return presentation.chosen(snapshot)
    return str(snapshot.choice)


def speller(presentation: Presentation) -> Callable[[str], str]:
    """`move_text` for many moves: the `isinstance` check takes longer than spelling one move."""
    return presentation.spelled if isinstance(presentation, SpellsMoves) else "`{}`".format


class Presentations:
    """The presentations of the games that are loaded, by game; each game's cog adds its own."""

    def __init__(self) -> None:
        self._by_game: dict[str, Presentation] = {}

    def add(self, game: str, presentation: Presentation) -> None:
        self._by_game[game] = presentation

    def remove(self, game: str) -> None:
        self._by_game.pop(game, None)

    def moment(self, game: str, view: Any) -> str:  # noqa: ANN401 - of the game's own type
        """The point in a match that a view is from: `Turn 7`; "" if its players count steps."""
        shown = self[game]
        return shown.moment(view) if isinstance(shown, NamesMoments) else ""

    def __getitem__(self, game: str) -> Presentation:
        return self._by_game[game]

    def __iter__(self) -> Iterator[Presentation]:
        return iter(self._by_game.values())

    def __contains__(self, game: str) -> bool:
        return game in self._by_game
