"""What a player of Prize Dominoes or a spectator may see."""

from dataclasses import dataclass

from games.core import Outcome, Seat
from games.prize.state import Event, HandResult, Options, State, hand_result, is_over, missing
from games.prize.tiles import Ends, Line, Tile, line_ends


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What one onlooker may see; `seat` says whose view it is, None for a spectator."""

    seat: Seat | None
    options: Options
    number: int
    """The number of this hand, from 1."""

    leader: Seat
    turn: Seat
    """The seat to move: once a hand is won its winner, who takes; at the end the last to move."""

    hands: tuple[tuple[Tile, ...] | None, ...]
    """The onlooker's own hand and None for the other; both from the end of a hand to the next deal.
    While a hand runs, a tile just kept stands last."""

    held: tuple[int, ...]
    """How many tiles each seat holds, without one that is asked about."""

    stock: int
    """How many tiles can be drawn."""

    asks: bool
    """Whether the seat to move has drawn a tile that fits both ends and must say where it goes."""

    asked: Tile | None
    """That tile, for the seat that drew it."""

    line: Line
    ends: Ends | None
    prizes: tuple[tuple[Tile, ...], ...]
    missing: tuple[tuple[int, ...], ...]
    """The numbers that the prizes of each seat still lack."""

    passes: int
    """How many turns in a row up to now placed no tile."""

    events: tuple[Event, ...]
    """Everything that happened in this hand, the latest last."""

    last: HandResult | None
    """The hand that ended last: this one once it is won, before that the one before it."""

    left: tuple[Seat, ...]
    awaiting: tuple[Seat, ...]
    outcome: Outcome | None


def visible(state: State, seat: Seat | None, outcome: Outcome | None) -> View:
    """The view of a seat, or of a spectator for None, built by naming what is public."""
    open_hands = hand_result(state) is not None
    return View(
        seat=seat,
        options=state.options,
        number=state.number,
        leader=state.leader,
        turn=state.turn,
        hands=tuple(
            hand if open_hands or i == seat else None for i, hand in enumerate(state.hands)
        ),
        held=tuple(len(hand) for hand in state.hands),
        stock=len(state.stock),
        asks=state.asked is not None,
        asked=state.asked if seat == state.turn else None,
        line=state.line,
        ends=line_ends(state.line),
        prizes=state.prizes,
        missing=tuple(missing(row) for row in state.prizes),
        passes=state.passes,
        events=state.events,
        last=state.last,
        left=state.left,
        awaiting=() if is_over(state) else (state.turn,),
        outcome=outcome,
    )
