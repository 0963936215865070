"""The state of a match of Prize Dominoes."""

from dataclasses import dataclass
from typing import Literal

from games.core import Seat
from games.prize.tiles import NUMBERS, End, Ends, Line, Tile, numbers

Deed = Literal["open", "hand", "drawn", "kept", "asks", "prize", "pass"]
"""What happened in a step. A tile was placed: "open" for the opening, "hand" from the hand, "drawn"
from the stock (at once, or when its end was chosen), "prize" from the prize row. Or none was:
"kept" for a drawn tile that fits nothing, "asks" for one that fits both ends, "pass" for a pass."""

Victory = Literal["out", "pips", "first pass"]
"""How a hand was won: by going out, or after two passes by fewer pips or, with equal pips, by
having passed first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    pass_only_when_stock_is_empty: bool = False
    """Whether a draw that fits nothing doesn't count as a pass (R27)."""

    hand_limit: int = 50
    """The number of hands after which the match is decided (R28)."""

    def __post_init__(self) -> None:
        if not isinstance(self.pass_only_when_stock_is_empty, bool):
            raise ValueError(  # noqa: TRY004 - invalid options always raise ValueError
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
    """The open ends before the step; None before the opening."""

    tile: Tile | None
    """The tile that was placed, higher number first; None if none was. A kept tile is secret."""

    end: End | None
    """The end at which the tile was placed; None for the opening and if none was placed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandResult:
    """How a hand ended."""

    number: int
    winner: Seat
    by: Victory
    pips: tuple[int, ...]
    """The pips that each seat held when the hand ended."""

    taken: Tile | None
    """The prize; None until the winner has taken it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    options: Options
    number: int
    """The number of this hand, from 1."""

    leader: Seat
    """The seat that opens this hand."""

    turn: Seat
    """The seat to move. Once a hand is won, that's its winner, who takes a prize; once the match is
    over, the seat that moved last."""

    hands: tuple[tuple[Tile, ...], ...]
    # hidden from all but the owner until the hand ends, then public; its order is never public
    """The tiles that each seat holds: the dealt ones in ascending order, then those drawn and kept,
    oldest first. When the hand has ended, all are in ascending order."""

    stock: tuple[Tile, ...]  # hidden from everybody, always
    """The tiles left to draw; the first is drawn next."""

    asked: Tile | None  # hidden from all but the seat to move
    """The drawn tile that fits both ends, until its end is chosen. It is no longer part of the
    stock and not yet part of the hand."""

    line: Line
    prizes: tuple[tuple[Tile, ...], ...]
    """The prize row of each seat, in the order in which the prizes were taken."""

    passes: int
    """The number of passes since a tile was last placed (R27)."""

    events: tuple[Event, ...]
    """Everything that happened in this hand."""

    last: HandResult | None
    """The result of the hand that ended last: of this one once it's won, until then of the one
    before."""

    left: tuple[Seat, ...]
    """The seat that conceded, if one did."""


def opponent(seat: Seat) -> Seat:
    return Seat(1 - seat)


def ends_of(state: State) -> Ends:
    """The open ends of the line; it must have been opened."""
    return state.line[0][0], state.line[-1][1]


def hand_result(state: State) -> HandResult | None:
    """The result of the current hand; None while it's being played."""
    last = state.last
    return last if last is not None and last.number == state.number else None


def is_over(state: State) -> bool:
    """Whether the match is over: a seat left, or a prize was taken and no hand dealt after it."""
    won = hand_result(state)
    return bool(state.left) or (won is not None and won.taken is not None)


def missing(prizes: tuple[Tile, ...]) -> tuple[int, ...]:
    """The numbers from 0 to 6 that a prize row lacks."""
    have = numbers(prizes)
    return tuple(number for number in NUMBERS if number not in have)
