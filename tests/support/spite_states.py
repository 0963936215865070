"""Positions of Spite and Malice, and moves in its notation, for its tests.

Cards are written as in the notation, separated by spaces: "A 10 K". A position made here may lack
cards of the two packs; matches played from the deal have all of them.
"""

from typing import Any, Final

from games.chance import Chance
from games.core import Seat
from games.spite import SPITE, Face, Move, Options, Side, State
from games.spite.cards import FACE_NAMED, arranged
from games.spite.state import Series

A, B = Seat(0), Seat(1)
CHANCE: Final = Chance("0" * 64, 1)
VARIANTS: Final[dict[str, dict[str, Any]]] = {
    "standard": {},
    "limited": {"foundations": 3, "forced": "aces-and-twos", "jokers": "with-kings"},
    "strict": {"strict_draw": True, "jokers": "instead", "forced": "aces"},
    "series": {"scoring": "games", "target": 2, "game_limit": 2},
}
"""Options that change the rules of a turn, by a name for the variant."""


def cards(text: str) -> tuple[Face, ...]:
    return tuple(FACE_NAMED[face] for face in text.split())


def side(*, stock: str = "9 9 9", hand: str = "", **piles: str) -> Side:
    """One player's side; the top card of the stock and of the discards `d1` to `d4` comes last."""
    return Side(
        stock=cards(stock),
        turned=cards(stock)[-1:],
        hand=arranged(cards(hand)),
        discards=tuple(cards(piles.get(f"d{n}", "")) for n in range(1, 5)),
        carried=arranged(cards(hand)),
        trail=(),
    )


def position(
    mine: Side,
    theirs: Side | None = None,
    *,
    piles: tuple[str, ...] = (),
    source: str = "7 7 7 7 7 7 7 7 7 7",
    removed: str = "",
    turn: int = 10,
    **options: Any,
) -> State:
    """A position in which it is seat A's turn and A has not played yet.

    The next card drawn is the last of `source`. With `strict_draw`, this turn's draw is still open.
    """
    chosen = Options(**options)
    return State(
        series=Series(options=chosen, game=1, dealer=B, aside=(), scores=(0, 0), last=None),
        turn=turn,
        on_turn=A,
        draw="open" if chosen.strict_draw else "closed",
        sides=(mine, side(hand="5 5 6 6 8") if theirs is None else theirs),
        source=cards(source),
        foundations=tuple(cards(pile) for pile in piles),
        removed=cards(removed),
        events=(),
        turn_start=0,
        left=None,
        is_over=False,
    )


def play(state: State, *texts: str) -> State:
    """The state after these moves, each by the seat whose turn it is."""
    for text in texts:
        state = SPITE.play(state, {state.on_turn: SPITE.parse(text)}, CHANCE)
    return state


def legal(state: State) -> list[str]:
    """The legal moves of the seat whose turn it is, in notation."""
    return [str(move) for move in SPITE.legal_moves(state, state.on_turn)]


def plays(state: State) -> list[str]:
    """The legal moves that aren't discards."""
    return [text for text in legal(state) if ">d" not in text]


def match(seed: int, *, steps: int, eager: int = 4, **options: Any) -> list[State]:
    """The states of a match from the deal, in which players prefer plays to discards.

    One in `eager` decisions is drawn from all legal moves, so that some cards stay in hand.
    """
    seed_text = f"{seed:064x}"
    state = SPITE.setup(Options(**options), 2, Chance(seed_text, 0))
    states = [state]
    for step in range(1, steps + 1):
        if not SPITE.awaiting(state):
            break
        move = choice(state, Chance(f"{seed_text}:players", step), eager)
        state = SPITE.play(state, {state.on_turn: move}, Chance(seed_text, step))
        states.append(state)
    return states


def choice(state: State, chance: Chance, eager: int) -> Move:
    moves = SPITE.legal_moves(state, state.on_turn)
    preferred = [move for move in moves if move.kind != "discard"]
    return chance.pick(preferred if preferred and chance.below(eager) else moves)
