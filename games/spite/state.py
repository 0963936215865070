"""The state of a match."""

from dataclasses import dataclass
from typing import Literal

from games.core import Seat
from games.spite.belief import Trail
from games.spite.cards import Face
from games.spite.events import Event
from games.spite.options import Options

Ending = Literal["stock", "stalemate", "turn limit"]
"""How a game ended: the last stock card was played, neither seat could move, or the turns ran
out."""

Drawing = Literal["open", "drawn", "closed", "forfeited"]
"""The status of the move `draw` in a turn (R32). "open": it can be made before the first play, if
the hand has room; "drawn": it has been made; "closed": it can't be made; "forfeited": a play gave
it up, and this turn's refill with it. Without strict draw, it's always "closed"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResult:
    """How one game ended."""

    game: int
    winner: Seat | None
    """None if the game was a draw."""

    points: int
    """The difference between the stocks."""

    stocks: tuple[int, int]
    """The number of cards left in each stock."""

    ending: Ending


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """The cards of one seat: its stock, hand and discard piles."""

    stock: tuple[Face, ...]  # all but the last, its top, hidden from everyone, the owner included
    turned: tuple[Face, ...]
    """The stock cards turned up in this game, including the current top."""

    hand: tuple[Face, ...]  # hidden from all but the owner
    """In ascending order."""

    discards: tuple[tuple[Face, ...], ...]
    """Four piles, each with its top last."""

    carried: tuple[Face, ...]  # hidden from spectators; both seats know it, see below
    """What the hand held when the source was last shuffled. Before that, all of the source had been
    drawn, so any card that a seat neither saw nor held was in the other hand."""

    trail: Trail
    """How the hand has changed since then, as far as everybody saw it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """What doesn't change while a game is played."""

    options: Options
    game: int
    """The number of the game, from 1."""

    dealer: Seat
    aside: tuple[Face, ...]  # hidden from everyone: the cards of the first pack left over
    scores: tuple[int, int]
    last: GameResult | None
    """The result of the game that ended last; None during the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    series: Series
    turn: int
    """The number of turns begun in this game, including those passed over."""

    on_turn: Seat
    draw: Drawing
    sides: tuple[Side, Side]
    source: tuple[Face, ...]  # hidden from everyone; the last card is drawn next
    foundations: tuple[tuple[Face, ...], ...]
    """Oldest first; the n-th card of each counts as the n-th rank."""

    removed: tuple[Face, ...]
    """The cards of complete foundations, until they are shuffled under the source."""

    events: tuple[Event, ...]
    """What happened in the previous and in the current turn."""

    turn_start: int
    """The number of events that belong to the previous turn."""

    left: Seat | None
    """The seat that conceded, if one did."""

    is_over: bool
    """Whether the last game of the match is over."""
