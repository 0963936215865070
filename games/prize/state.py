"""What is true in a match of Prize Dominoes."""

from dataclasses import dataclass
from typing import Literal

from games.core import Seat
from games.prize.tiles import NUMBERS, End, Ends, Line, Tile, numbers

Deed = Literal["open", "hand", "drawn", "kept", "asks", "prize", "pass"]
"""What a turn came to: a tile placed to open, from the hand, from the stock (at once or as the seat
answered) or from the prize row; a drawn tile kept; a drawn tile that fits both ends, so that the
seat is asked; a pass."""

Victory = Literal["out", "pips", "first pass"]
"""How a hand was won: by going out, or after two passes by fewer pips or by having passed first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    pass_only_when_stock_is_empty: bool = False
    """Whether a draw that fits nothing is no pass (R27)."""

    hand_limit: int = 50
    """The number of the hand after which a match is judged (R28)."""

    def __post_init__(self) -> None:
        if not isinstance(self.pass_only_when_stock_is_empty, bool):
            raise ValueError(  # noqa: TRY004 - options refuse nonsense with one kind of error
                "Whether one passes only when the stock is empty is either True or False, "
                f"not {self.pass_only_when_stock_is_empty!r}."
            )
        if type(self.hand_limit) is not int or self.hand_limit < 1:
            raise ValueError(
                f"The hand limit is a whole number of hands, at least 1, not {self.hand_limit!r}."
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What happened in one step of a hand, as everybody saw it."""

    seat: Seat
    deed: Deed
    ends: Ends | None
    """The open ends before it; None before the opening."""

    tile: Tile | None
    """The tile placed, the higher number first; None where none was: a tile kept stays secret."""

    end: End | None
    """The end it was placed at; None for the opening and where no tile was placed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandResult:
    """How a hand ended."""

    number: int
    winner: Seat
    by: Victory
    pips: tuple[int, ...]
    """The pips each seat held when the hand ended."""

    taken: Tile | None
    """The prize; None until the winner has taken it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    options: Options
    number: int
    """The number of this hand, from 1."""

    leader: Seat
    """The seat that opened this hand or will."""

    turn: Seat
    """The seat to move: once a hand is won its winner, who takes; at the end the last to move."""

    hands: tuple[tuple[Tile, ...], ...]
    # hidden from all but its seat until the hand ends, then public; its order is its seat's alone
    """The tiles each seat holds: those dealt in ascending order, then those drawn and kept in the
    order they came; when the hand has ended, all in ascending order."""

    stock: tuple[Tile, ...]  # hidden from everybody, always
    """The tiles not dealt; the first is drawn next."""

    asked: Tile | None  # hidden from all but the seat to move
    """The drawn tile that fits both ends and waits for an answer; no longer part of the stock and
    not yet of the hand."""

    line: Line
    prizes: tuple[tuple[Tile, ...], ...]
    """The prize row of each seat in the order taken."""

    passes: int
    """How many turns in a row up to now placed no tile."""

    events: tuple[Event, ...]
    """Everything that happened in this hand."""

    last: HandResult | None
    """The hand that ended last: this one once it is won, before that the one before it."""

    left: tuple[Seat, ...]
    """The seat that conceded, if one did."""


def opponent(seat: Seat) -> Seat:
    return Seat(1 - seat)


def ends_of(state: State) -> Ends:
    """The open ends of a line that has been begun."""
    return state.line[0][0], state.line[-1][1]


def hand_result(state: State) -> HandResult | None:
    """How this hand was won; None while it runs."""
    last = state.last
    return last if last is not None and last.number == state.number else None


def is_over(state: State) -> bool:
    """Whether the match is: somebody left, or a prize was taken and no hand dealt after it."""
    won = hand_result(state)
    return bool(state.left) or (won is not None and won.taken is not None)


def missing(prizes: tuple[Tile, ...]) -> tuple[int, ...]:
    """The numbers from 0 to 6 that a prize row still lacks."""
    have = numbers(prizes)
    return tuple(number for number in NUMBERS if number not in have)
