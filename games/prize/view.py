"""What a player or a spectator of Prize Dominoes may see."""

from dataclasses import dataclass

from games.core import Outcome, Seat
from games.prize.state import Event, HandResult, Options, State, hand_result, is_over, missing
from games.prize.tiles import Ends, Line, Tile, line_ends


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What one player may see; `seat` is the owner of the view, None for a spectator."""

    seat: Seat | None
    options: Options
    number: int
    """The number of this hand, from 1."""

    leader: Seat
    turn: Seat
    """The seat to move. Once a hand is won, that's its winner, who takes a prize; once the match is
    over, the seat that moved last."""

    hands: tuple[tuple[Tile, ...] | None, ...]
    """The hand of the view's owner and None for the other; both hands from the end of a hand until
    the next deal. While a hand is played, a tile that was just kept is the last one."""

    held: tuple[int, ...]
    """The number of tiles that each seat holds, not counting a drawn tile in `asked`."""

    stock: int
    """The number of tiles left to draw."""

    asks: bool
    """Whether the seat to move has drawn a tile that fits both ends and must choose one."""

    asked: Tile | None
    """That tile, if the view's owner drew it."""

    line: Line
    ends: Ends | None
    prizes: tuple[tuple[Tile, ...], ...]
    missing: tuple[tuple[int, ...], ...]
    """The numbers that the prizes of each seat lack."""

    passes: int
    """The number of passes since a tile was last placed (R27)."""

    events: tuple[Event, ...]
    """Everything that happened in this hand, latest last."""

    last: HandResult | None
    """The result of the hand that ended last: of this one once it's won, until then of the one
    before."""

    left: tuple[Seat, ...]
    awaiting: tuple[Seat, ...]
    outcome: Outcome | None


def visible(state: State, seat: Seat | None, outcome: Outcome | None) -> View:
    """The view of a seat, or of a spectator if `seat` is None; built by naming what is public."""
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
