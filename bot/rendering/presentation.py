"""What a game's cog gives to the table: words, buttons and pictures for a snapshot of a match."""

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
    """The move in the game's notation; of a draft, whatever the presentation makes of it. At most
    55 characters, none of them a colon."""

    draft: bool = False
    """Not a move yet: the hand is only drawn again with this as its draft. No draft is written
    down, so each says all that was put together so far."""

    act: str = "pick"
    """Who takes it: an act of the game's cog, where it is neither a move nor a draft."""

    note: str = ""
    """A second line, where the choice is one of a menu."""

    quiet: bool = False
    """Drawn less prominent: a way back, or what is seldom wanted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceMenu:
    """Choices in a select, where buttons would be too many: 1 to 25, all moves or all drafts."""

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

    What takes a `MatchSnapshot` is asked for the table and for hands; its view tells for whom.
    It may ask for something still to come only where the view awaits somebody.
    `names` may have `YOU` for the reader of a lesson, whom `does` of `bot/text.py` gives a verb.
    """

    @property
    def manual(self) -> Sequence[ManualPage]: ...

    @property
    def marks(self) -> Sequence[Mark]:
        """The signs of the seats, as in the pictures; at least as many as may play."""

    def variant(self, options: Any) -> str:  # noqa: ANN401 - of the game's own type
        """What differs from the standard game, in a few words each, the most important first.

        Commas part them, for a title has room for the first ones only.
        """

    def headline(self, snapshot: MatchSnapshot) -> str:
        """Where the match stands, for example which round it is."""

    def story(self, snapshot: MatchSnapshot, names: Sequence[str]) -> str:
        """What was revealed last, or how the match begins."""

    def score(self, snapshot: MatchSnapshot, names: Sequence[str]) -> str: ...

    def result(self, snapshot: MatchSnapshot, names: Sequence[str]) -> str:
        """Who won and what decided it, once the match is over."""

    def question(self, snapshot: SeatSnapshot, draft: str) -> str:
        """What the hand asks its player, who has put this draft together; it is "" at first."""

    def controls(self, snapshot: SeatSnapshot, draft: str) -> Sequence[Control]:
        """The rows of the hand's buttons and menus, in order; at most four, 15 buttons in all.

        A draft comes from a custom_id, so it may be nonsense: then it counts as none.
        """

    def picture(self, snapshot: MatchSnapshot, draft: str) -> Picture:
        """What the onlooker may see; its alt text says all of it, for it also stands alone."""


@runtime_checkable
class SpellsMoves(Protocol):
    """A presentation of a game whose notation nobody would say aloud."""

    def spelled(self, move: str) -> str:
        """A move in words; `move` is its notation, in which what is hidden may be left out."""


@runtime_checkable
class TellsChoices(Protocol):
    """A presentation of a game whose choices its players read otherwise than they are written."""

    def chosen(self, snapshot: SeatSnapshot) -> str:
        """What a seat that has chosen did choose, for its player."""


@runtime_checkable
class NamesMoments(Protocol):
    """A presentation of a game in which players count rounds, turns or hands, and no steps."""

    def moment(self, view: Any) -> str:  # noqa: ANN401 - of the game's own type
        """When in a match somebody saw this, as players count: `Turn 7`."""


@runtime_checkable
class OffersTaps(Protocol):
    """A presentation of a game whose hands are public, so that one tap at the table chooses."""

    def taps(self, snapshot: PublicSnapshot) -> Sequence[Sequence[Choice]]:
        """For each seat its choices, in order; none for a seat that has nothing to choose."""


@runtime_checkable
class NamesHands(Protocol):
    """A presentation of a game in which nobody holds a hand of cards or tiles."""

    @property
    def hand_label(self) -> str:
        """The button at the table that opens the hand."""


@runtime_checkable
class HasEmblems(Protocol):
    """A presentation of a game in which a seat can have more than one sign."""

    def emblem(self, view: Any, seat: int) -> str:  # noqa: ANN401 - of the game's own type
        """All signs of a seat as emoji, for text beside a picture."""


@runtime_checkable
class Teaches(Protocol):
    """A presentation of a game that has a lesson."""

    @property
    def lesson(self) -> Sequence[Exercise]:
        """Four to eight exercises, the first thing to know first."""


@runtime_checkable
class ShowsPuzzles(Protocol):
    """A presentation of a game that has puzzles."""

    def puzzle_task(self, puzzle: Puzzle[Any]) -> str:
        """What is asked, and what makes an answer right."""

    def puzzle_choice(self, puzzle: Puzzle[Any], move: str) -> str:
        """A choice on a button or in a list: plain text of at most 80 characters."""

    def puzzle_reason(self, puzzle: Puzzle[Any]) -> str:
        """What was right and why, from what is known of each choice."""


@runtime_checkable
class KeepsScore(Protocol):
    """A presentation of a game whose score everybody can follow, so that its course can be shown.

    A process is handed its methods, so it remembers nothing.
    """

    def counts(self, options: Any) -> str:  # noqa: ANN401 - of the game's own type
        """What the score counts, in a few words: `dots`."""

    def points(self, view: Any) -> Sequence[int]:  # noqa: ANN401 - of the game's own type
        """How much of that each seat has, in a view of everybody's."""


MY_HAND: Final = "My hand"


def emblem(snapshot: MatchSnapshot, presentation: Presentation, seat: int) -> str:
    """The signs of a seat as emoji, which stand before its name, once the match has begun."""
    if isinstance(presentation, HasEmblems):
        return presentation.emblem(snapshot.view, seat)
    return presentation.marks[seat].emoji


def hand_label(presentation: Presentation) -> str:
    """The button at the table that opens the hand."""
    return presentation.hand_label if isinstance(presentation, NamesHands) else MY_HAND


def lesson_of(presentation: Presentation) -> Sequence[Exercise]:
    """The exercises of a game; none where it has no lesson."""
    return presentation.lesson if isinstance(presentation, Teaches) else ()


def hand_name(presentation: Presentation) -> str:
    """What a hand is called that its player reads: `your hand`."""
    return hand_label(presentation).replace("My ", "your ", 1)


def hands_name(presentation: Presentation) -> str:
    """What the hands of others are called: `hands`."""
    if isinstance(presentation, NamesHands):
        return presentation.hand_label.removeprefix("My ")
    return "hands"


def move_text(presentation: Presentation, move: str) -> str:
    """A move as players read it: in words where its game has them, else in its notation."""
    return speller(presentation)(move)


def choice_text(presentation: Presentation, snapshot: SeatSnapshot) -> str:
    """What a seat that has chosen did choose, as its player reads it."""
    if isinstance(presentation, TellsChoices):
        return presentation.chosen(snapshot)
    return str(snapshot.choice)


def speller(presentation: Presentation) -> Callable[[str], str]:
    """The same for many moves: what a presentation can do takes longer to ask than to do."""
    return presentation.spelled if isinstance(presentation, SpellsMoves) else "`{}`".format


class Presentations:
    """The games that can be played, by key: each cog adds its own when it is loaded."""

    def __init__(self) -> None:
        self._by_game: dict[str, Presentation] = {}

    def add(self, game: str, presentation: Presentation) -> None:
        self._by_game[game] = presentation

    def remove(self, game: str) -> None:
        self._by_game.pop(game, None)

    def moment(self, game: str, view: Any) -> str:  # noqa: ANN401 - of the game's own type
        """When in a match of this game somebody saw this; "" where its players count steps."""
        shown = self[game]
        return shown.moment(view) if isinstance(shown, NamesMoments) else ""

    def __getitem__(self, game: str) -> Presentation:
        return self._by_game[game]

    def __iter__(self) -> Iterator[Presentation]:
        return iter(self._by_game.values())

    def __contains__(self, game: str) -> bool:
        return game in self._by_game
