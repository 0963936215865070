"""The whole truth about a match."""

from dataclasses import dataclass
from typing import Literal

from games.core import Seat
from games.spite.belief import Trail
from games.spite.cards import Face
from games.spite.events import Event
from games.spite.options import Options

Ending = Literal["stock", "stalemate", "turn limit"]
"""How a game ended: the last stock card was played, neither could move, or it was too long."""

Drawing = Literal["open", "drawn", "closed", "forfeited"]
"""What has become of the move `draw` in a turn (R32): it may come before the first play, it has
been made, it cannot be made (any more), or it was given up by a play, and the turn's refill with
it. Without strict draw it is always closed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResult:
    """How one game ended."""

    game: int
    winner: Seat | None
    """None where the game was drawn."""

    points: int
    """The difference of the stocks."""

    stocks: tuple[int, int]
    """The cards left in each stock."""

    ending: Ending


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """What lies before one seat, and its hand."""

    stock: tuple[Face, ...]  # hidden below the top, the last one, from everyone, the owner too
    turned: tuple[Face, ...]
    """The stock cards turned up in this game, the present top among them."""

    hand: tuple[Face, ...]  # hidden from all but the owner
    """In ascending order."""

    discards: tuple[tuple[Face, ...], ...]
    """Four piles, each with its top last."""

    carried: tuple[Face, ...]  # hidden from onlookers; both seats know it, see below
    """What the hand held when the source was last shuffled. The source before that was drawn to its
    last card, so a card of it that a seat neither saw nor held is in the other hand."""

    trail: Trail
    """How the hand changed since then, as far as all saw it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """What stays as it is while a game is played."""

    options: Options
    game: int
    """The number of the game, from 1."""

    dealer: Seat
    aside: tuple[Face, ...]  # hidden from everyone: the cards of the first pack left over
    scores: tuple[int, int]
    last: GameResult | None
    """The game that ended last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    series: Series
    turn: int
    """The turns begun in this game, those passed over counted too."""

    on_turn: Seat
    draw: Drawing
    sides: tuple[Side, Side]
    source: tuple[Face, ...]  # hidden from everyone; the next card to be drawn is the last
    foundations: tuple[tuple[Face, ...], ...]
    """The oldest first; the n-th card of each counts as the n-th rank."""

    removed: tuple[Face, ...]
    """The cards of complete foundations, until they are shuffled under the source."""

    events: tuple[Event, ...]
    """What happened since the turn before the present one began."""

    turn_start: int
    """How many of the events came before the present turn."""

    left: Seat | None
    """The seat that conceded."""

    is_over: bool
    """Whether the last game of the match has been played to its end."""
