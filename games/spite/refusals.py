"""Why a move is refused, in sentences to the player."""

from games.core import IllegalMoveError
from games.spite.cards import FACE_NAMED, RANKS, WILDNESS, Face
from games.spite.legality import forced_plays, may_draw, may_start
from games.spite.moves import NEW, PILES, STOCK, Discard, Play
from games.spite.state import Side, State
from games.spite.table import HAND_SIZE


def check_play(state: State, move: Play) -> None:
    face = face_at(state.sides[state.on_turn], move.source)
    is_wild = face in WILDNESS[state.series.options.jokers].wild
    if move.target == NEW:
        if not (is_wild or face == "A"):
            raise IllegalMoveError(
                f"A new foundation starts with an ace or a wild card, not with {_a(face)}."
            )
        if not may_start(state.series.options, state.foundations):
            limit = state.series.options.foundations
            instead = "Play onto one of them." if is_wild else "Keep the ace until one is complete."
            raise IllegalMoveError(f"There can only be {limit} foundations at a time. {instead}")
        return
    rank = wanted(state, move.target)
    if not (is_wild or face == rank):
        raise IllegalMoveError(
            f"The foundation {move.target} needs {_a(rank)} or a wild card, not {_a(face)}."
        )


def face_at(side: Side, source: str) -> Face:
    """The card at a source; IllegalMoveError if there is none."""
    if source == STOCK:
        return side.stock[-1]
    if source in PILES:
        pile = side.discards[PILES[source]]
        if not pile:
            raise IllegalMoveError(f"Your discard pile {source} is empty.")
        return pile[-1]
    face = FACE_NAMED.get(source)
    if face is None:
        raise IllegalMoveError(
            "Play from stock, from a discard pile (d1 to d4), or a card from your hand by its rank."
        )
    if face not in side.hand:
        raise IllegalMoveError(f"You don't have {_a(face)}; {_hand(side)}.")
    return face


def place_of(target: str) -> int:
    """The index, from 0, of the foundation that a target names; -1 if it isn't `f1`, `f2` ..."""
    number = target[1:]
    if target[:1] == "f" and number.isascii() and number.isdecimal() and number[0] != "0":
        return int(number) - 1 if len(number) < 3 else -1
    return -1


def wanted(state: State, target: str) -> Face:
    """The rank that a foundation needs next; IllegalMoveError if there is no such foundation."""
    i = place_of(target)
    if not 0 <= i < len(state.foundations):
        number = len(state.foundations)
        there = "there are no foundations" if not number else f"only f1 to f{number} are"
        if number == 1:
            there = "only f1 is"
        raise IllegalMoveError(f"You can't play there: {there} on the table.")
    return RANKS[len(state.foundations[i])]


def check_discard(state: State, move: Discard) -> None:
    side = state.sides[state.on_turn]
    if move.pile not in PILES or move.count < 1:
        raise IllegalMoveError("Discard one or more cards of the same rank onto d1, d2, d3 or d4.")
    held = side.hand.count(move.face)
    if held == 0:
        raise IllegalMoveError(f"You don't have {_a(move.face)}; {_hand(side)}.")
    if held < move.count:
        raise IllegalMoveError(f"You only have {held} of the rank {move.face}, not {move.count}.")
    forced = forced_plays(state)
    if forced:
        raise IllegalMoveError(
            f"You can't discard while you can play {_forced_name(state)}: {forced[0]}."
        )


def check_draw(state: State) -> None:
    if may_draw(state):
        return
    if not state.series.options.strict_draw:
        raise IllegalMoveError("You draw automatically in this match. Make another move.")
    instead = "Play or discard." if state.sides[state.on_turn].hand else "Play a card."
    if state.draw == "drawn":
        raise IllegalMoveError(f"You've already drawn this turn. {instead}")
    if state.draw != "open":
        raise IllegalMoveError("You can only draw before your first play of the turn.")
    if not (state.source or state.removed):
        raise IllegalMoveError(f"There's nothing left to draw. {instead}")
    raise IllegalMoveError(f"Your hand is full: you have {HAND_SIZE} cards.")


def _forced_name(state: State) -> str:
    return "an ace" if state.series.options.forced == "aces" else "an ace or a two"


def _a(face: Face) -> str:
    names = {"A": "an ace", "8": "an 8", "J": "a jack", "Q": "a queen", "K": "a king"}
    return names.get(face, "a joker" if face == "*" else f"a {face}")


def _hand(side: Side) -> str:
    return f"your hand is {', '.join(side.hand)}" if side.hand else "your hand is empty"
