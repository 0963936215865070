"""Positions of Spite and Malice and moves in its notation, for its tests.

Cards are written as in the notation, with spaces between: "A 10 K". A position made here need not
hold both whole packs; matches played from the deal do.
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
"""Options that change how a turn goes."""


def cards(text: str) -> tuple[Face, ...]:
    return tuple(FACE_NAMED[face] for face in text.split())


def side(*, stock: str = "9 9 9", hand: str = "", **piles: str) -> Side:
    """One side: the top of the stock and of the discard piles `d1` to `d4` is written last."""
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
    """A position with seat A on turn, before its first play.

    The next card drawn is the last of the source. The draw of the turn is open under strict draw.
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
    """The state after the seats on turn have made these moves, one after the other."""
    for text in texts:
        state = SPITE.play(state, {state.on_turn: SPITE.parse(text)}, CHANCE)
    return state


def legal(state: State) -> list[str]:
    """The legal moves of the seat on turn, as they are written."""
    return [str(move) for move in SPITE.legal_moves(state, state.on_turn)]


def plays(state: State) -> list[str]:
    """The legal moves that are no discards."""
    return [text for text in legal(state) if ">d" not in text]


def match(seed: int, *, steps: int, eager: int = 4, **options: Any) -> list[State]:
    """The states of a match from the deal, in which a play is preferred to a discard.

    Of `eager` decisions one is drawn from all legal moves, so that hands are also kept.
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
