"""What a seat or a spectator may see (R29)."""

from dataclasses import dataclass

from games.core import Outcome, Seat
from games.spite.belief import Trail
from games.spite.cards import Face
from games.spite.events import Event
from games.spite.options import Options
from games.spite.state import Drawing, GameResult, Side, State


@dataclass(frozen=True, slots=True, kw_only=True)
class SideView:
    """What everybody may see of the cards of one seat."""

    stock: int
    """The number of cards in the stock, including the one turned up."""

    top: Face | None
    """The stock card that is turned up; None once the stock is empty."""

    turned: tuple[Face, ...]
    """The stock cards turned up in this game, including the current top."""

    hand: int
    """The number of cards in hand."""

    discards: tuple[tuple[Face, ...], ...]
    trail: Trail
    """How the hand has changed since the source was last shuffled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What one player may see; `seat` is the owner of the view, None for a spectator."""

    seat: Seat | None
    options: Options
    game: int
    dealer: Seat
    turn: int
    on_turn: Seat
    draw: Drawing
    sides: tuple[SideView, SideView]
    hand: tuple[Face, ...] | None
    """The hand of the view's owner; None for a spectator."""

    carried: tuple[tuple[Face, ...], tuple[Face, ...]] | None
    """What each hand held when the source was last shuffled. Both seats can tell, since all of the
    source had been drawn before. None for a spectator, who saw neither hand."""

    source: int
    aside: int
    foundations: tuple[tuple[Face, ...], ...]
    removed: tuple[Face, ...]
    events: tuple[Event, ...]
    """What happened in the previous and in the current turn."""

    turn_start: int
    """The number of events that belong to the previous turn."""

    scores: tuple[int, int]
    last: GameResult | None
    left: Seat | None
    is_over: bool
    awaiting: tuple[Seat, ...]
    outcome: Outcome | None


def view_of(state: State, seat: Seat | None, outcome: Outcome | None) -> View:
    first, second = state.sides
    return View(
        seat=seat,
        options=state.series.options,
        game=state.series.game,
        dealer=state.series.dealer,
        turn=state.turn,
        on_turn=state.on_turn,
        draw=state.draw,
        sides=(_seen(first), _seen(second)),
        hand=None if seat is None else state.sides[seat].hand,
        carried=None if seat is None else (first.carried, second.carried),
        source=len(state.source),
        aside=len(state.series.aside),
        foundations=state.foundations,
        removed=state.removed,
        events=state.events,
        turn_start=state.turn_start,
        scores=state.series.scores,
        last=state.series.last,
        left=state.left,
        is_over=state.is_over,
        awaiting=(state.on_turn,) if outcome is None else (),
        outcome=outcome,
    )


def _seen(side: Side) -> SideView:
    return SideView(
        stock=len(side.stock),
        top=side.stock[-1] if side.stock else None,
        turned=side.turned,
        hand=len(side.hand),
        discards=side.discards,
        trail=side.trail,
    )
