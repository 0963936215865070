"""Why a move is refused, in a sentence to the player whose turn it is."""

from typing import assert_never

from games.prize.moves import Choose, Draw, Move, Open, Pass, Place, Prize, Take
from games.prize.state import State, ends_of, hand_result, opponent
from games.prize.tiles import End, Ends, Tile, places, spell, spell_all


def refusal(state: State, move: Move) -> str:
    """The sentence that says why a move of the seat to move is illegal, and what would be right."""
    if hand_result(state) is not None:
        return _instead_of_taking(state, move)
    if state.asked is not None:
        return f"The {spell(state.asked)} you drew fits both ends. Choose left or right."
    if not state.line:
        return _instead_of_opening(state, move)
    return _instead_of_turn(state, move)


def _instead_of_turn(state: State, move: Move) -> str:
    match move:
        case Take():
            return "You can't take a prize yet: this hand isn't over."
        case Choose():
            return "Name the tile as well as the end. Left or right alone only works after a draw."
        case Open():
            return _not_in(state.hands[state.turn], move, "your hand") or _endless(state, move)
        case Place():
            return _not_in(state.hands[state.turn], move, "your hand") or _misfit(state, move)
        case Draw() | Pass() | Prize():
            return _with_nothing_to_play(state, move)
        case _:
            assert_never(move)


def _instead_of_taking(state: State, move: Move) -> str:
    offered = spell_all(state.hands[opponent(state.turn)])
    if isinstance(move, Take):
        return f"{spell(move.tile)} isn't in your opponent's hand. Take one of {offered}."
    return f"You won the hand. Write take and one of your opponent's tiles: {offered}."


def _instead_of_opening(state: State, move: Move) -> str:
    held = spell_all(state.hands[state.turn])
    if isinstance(move, Open):
        return f"You don't have the {spell(move.tile)}. Open with one of {held}."
    return f"You open the line: name one of your tiles and no end. You have {held}."


def _with_nothing_to_play(state: State, move: Draw | Pass | Prize) -> str:
    ends = ends_of(state)
    for tile in state.hands[state.turn]:
        for end in places(tile, ends):
            return (
                f"You have a tile that fits, so you must play one, for example {spell(tile)} {end}."
            )
    match move:
        case Draw():
            return "The stock is empty. Pass, or play one of your prizes that fits."
        case Pass():
            return "The stock isn't empty. Draw from it, or play one of your prizes that fits."
        case Prize():
            return _not_in(state.prizes[state.turn], move, "your prize row") or _misfit(state, move)
        case _:
            assert_never(move)


def _not_in(tiles: tuple[Tile, ...], move: Open | Place | Prize, name: str) -> str | None:
    if move.tile in tiles:
        return None
    held = spell_all(tiles) or "nothing"
    return f"The {spell(move.tile)} isn't in {name}, which has {held}."


def _endless(state: State, move: Open) -> str:
    ends = ends_of(state)
    fitting = places(move.tile, ends)
    if not fitting:
        return _fits_neither(move.tile, ends)
    return f"Name the end too: {' or '.join(f'{move} {end}' for end in fitting)}."


def _misfit(state: State, move: Place | Prize) -> str:
    ends = ends_of(state)
    name = spell(move.tile)
    fitting = places(move.tile, ends)
    if not fitting:
        return _fits_neither(move.tile, ends)
    if ends[0] == ends[1]:
        return f"Both ends show {ends[0]}, so play right."
    return f"The {name} doesn't fit the end that shows {_shown(ends, move.end)}. Play {fitting[0]}."


def _fits_neither(tile: Tile, ends: Ends) -> str:
    return f"The {spell(tile)} fits neither end: the line ends in {ends[0]} and {ends[1]}."


def _shown(ends: Ends, end: End) -> int:
    return ends[0] if end == "left" else ends[1]
