"""Applies legal moves to a state (R24-R28)."""

from dataclasses import replace
from typing import Literal, assert_never

from games.chance import Chance
from games.core import Seat
from games.prize.moves import Choose, Draw, Move, Open, Pass, Place, Prize, Take
from games.prize.state import (
    Deed,
    Event,
    HandResult,
    State,
    Victory,
    ends_of,
    hand_result,
    missing,
    opponent,
)
from games.prize.tiles import (
    DOMINOES,
    End,
    Tile,
    extended,
    line_ends,
    pips,
    places,
    without,
)

Tiles = tuple[Tile, ...]


def deal(prizes: tuple[Tiles, ...], chance: Chance) -> tuple[tuple[Tiles, ...], Tiles]:
    """Deal the hands and the stock of a new hand, from all tiles that aren't prizes (R24)."""
    held = {tile for row in prizes for tile in row}
    pool = chance.shuffled([tile for tile in DOMINOES if tile not in held])
    size = min(7, len(pool) // 2)
    hands = tuple(tuple(sorted(pool[i * size : (i + 1) * size])) for i in range(2))
    return hands, pool[2 * size :]


def can_deal(prizes: tuple[Tiles, ...]) -> bool:
    """Whether at least two tiles are left for another hand."""
    return len(DOMINOES) - sum(len(row) for row in prizes) >= 2


def apply_move(state: State, move: Move, chance: Chance) -> State:
    """The state after a legal move of the seat to move."""
    match move:
        case Open():
            return _place(state, "open", move.tile, None)
        case Place():
            return _place(state, "hand", move.tile, move.end)
        case Prize():
            return _place(state, "prize", move.tile, move.end)
        case Draw() | Choose():
            return _draw(state, move)
        case Pass():
            return _place_nothing(state, "pass")
        case Take():
            return _take(state, move.tile, chance)
        case _:
            assert_never(move)


def _draw(state: State, move: Draw | Choose) -> State:
    """Draw a tile, or place the one drawn before at the chosen end."""
    if isinstance(move, Choose):
        assert state.asked is not None  # `Choose` is legal only then
        return _place(state, "drawn", state.asked, move.end)
    tile = state.stock[0]
    fitting = places(tile, ends_of(state))
    if len(fitting) == 2:
        events = _with_event(state, "asks", None, None)
        return replace(state, stock=state.stock[1:], asked=tile, events=events)
    if fitting:
        return _place(state, "drawn", tile, fitting[0])
    return _place_nothing(state, "kept")


def _place(state: State, deed: Deed, tile: Tile, end: End | None) -> State:
    """Place a tile: that resets the passes and ends the turn."""
    seat, hands, prizes, stock = state.turn, state.hands, state.prizes, state.stock
    if deed == "prize":
        prizes = _put(prizes, seat, without(prizes[seat], tile))
    elif deed != "drawn":
        hands = _put(hands, seat, without(hands[seat], tile))
    elif state.asked is None:
        stock = stock[1:]
    placed = replace(
        state,
        turn=opponent(seat),
        hands=hands,
        stock=stock,
        asked=None,
        line=(tile,) if end is None else extended(state.line, tile, end),
        prizes=prizes,
        passes=0,
        events=_with_event(state, deed, tile, end),
    )
    return placed if hands[seat] else _end(placed, seat, "out")


def _place_nothing(state: State, deed: Literal["kept", "pass"]) -> State:
    """End a turn without placing a tile; the second pass in a row ends the hand (R27)."""
    seat, other = state.turn, opponent(state.turn)
    hands, stock, passes = state.hands, state.stock, state.passes + 1
    if deed == "kept":
        hands = _put(hands, seat, (*hands[seat], stock[0]))
        stock = stock[1:]
        if state.options.pass_only_when_stock_is_empty:
            passes = state.passes
    idle = replace(
        state,
        turn=other,
        hands=hands,
        stock=stock,
        passes=passes,
        events=_with_event(state, deed, None, None),
    )
    if passes < 2:
        return idle
    mine, theirs = pips(hands[seat]), pips(hands[other])
    if mine == theirs:
        return _end(idle, other, "first pass")
    return _end(idle, seat if mine < theirs else other, "pips")


def _with_event(state: State, deed: Deed, tile: Tile | None, end: End | None) -> tuple[Event, ...]:
    """The events of this hand, plus a new one."""
    event = Event(seat=state.turn, deed=deed, ends=line_ends(state.line), tile=tile, end=end)
    return (*state.events, event)


def _end(state: State, winner: Seat, by: Victory) -> State:
    """End the hand. Both hands become public, sorted so that their order doesn't show draws."""
    result = HandResult(
        number=state.number,
        winner=winner,
        by=by,
        pips=tuple(pips(hand) for hand in state.hands),
        taken=None,
    )
    hands = tuple(tuple(sorted(hand)) for hand in state.hands)
    return replace(state, hands=hands, turn=winner, last=result)


def _take(state: State, tile: Tile, chance: Chance) -> State:
    """Take a prize; unless the match is over, deal a hand that the loser leads (R24, R28)."""
    winner, loser = state.turn, opponent(state.turn)
    result = hand_result(state)
    assert result is not None  # `Take` is legal only then
    prizes = _put(state.prizes, winner, (*state.prizes[winner], tile))
    taken = replace(
        state,
        hands=_put(state.hands, loser, without(state.hands[loser], tile)),
        prizes=prizes,
        last=replace(result, taken=tile),
    )
    limit = state.number >= state.options.hand_limit
    if not missing(prizes[winner]) or limit or not can_deal(prizes):
        return taken
    hands, stock = deal(prizes, chance)
    return replace(
        taken,
        number=state.number + 1,
        leader=loser,
        turn=loser,
        hands=hands,
        stock=stock,
        line=(),
        passes=0,
        events=(),
    )


def _put(rows: tuple[Tiles, ...], seat: Seat, row: Tiles) -> tuple[Tiles, ...]:
    return (*rows[:seat], row, *rows[seat + 1 :])
