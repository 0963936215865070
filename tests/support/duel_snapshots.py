"""Positions and snapshots of Divide and Conquer (tiles) for the tests of its texts and pictures."""

from hypothesis import strategies as st

from games.chance import Chance
from games.core import Seat
from games.duel import DUEL, Options, State, Tile
from tests.support.snapshots import one_of, snapshot

A, B = Seat(0), Seat(1)
TWO = ("<@1>", "<@2>")
CHANCE = Chance("words", 1)

HANDS = {
    10: ((3, 5, 8, 10, 12), (2, 4, 6, 7, 9)),
    14: ((2, 4, 6, 8, 10, 12, 14), (3, 5, 7, 9, 15, 16, 18)),
}
# The tiles of (A, B) in each round; in SECOND and UNEVEN, the hands are swapped.
FIRST = ((10, 2), (8, 9), (5, 6), (3, 4), (12, 7))  # 2 wins, 8, 5, 3 and 12: A has 4, B has 1
SECOND = ((2, 10), (9, 8), (6, 5), (4, 3), (7, 12))  # 2 wins, 8, 5, 3 and 12: A has 1, B has 4
UNEVEN = ((2, 10), (4, 8), (6, 12), (7, 5), (9, 3))  # 2 wins, 4, 6, 7 and 3: A has 4, B has 1


def dealt(tiles=10):
    hands = HANDS[tiles]
    return State(options=Options(tiles=tiles), round=1, dealt=hands, hands=hands, pairs=(), left=())


def after(*pairs, tiles=10):
    """The position after these pairs have been played, from `dealt(tiles)`."""
    state = dealt(tiles)
    for first, second in pairs:
        state = DUEL.play(state, {A: Tile(first), B: Tile(second)}, CHANCE)
    return state


def left(state, seat):
    return DUEL.concede(state, seat, CHANCE)


def seen(state, seat=None):
    return DUEL.observe(state, seat)


def match(tiles, seed="picture"):
    """Every state of a match of random moves."""
    states = [DUEL.setup(Options(tiles=tiles), 2, Chance(seed, 0))]
    while awaited := sorted(DUEL.awaiting(states[-1])):
        chance = Chance(seed, len(states))
        moves = {seat: DUEL.fallback(states[-1], seat, chance) for seat in awaited}
        states.append(DUEL.play(states[-1], moves, chance))
    return states


@st.composite
def positions(draw):
    """A position with either set of tiles, reached by play, in which somebody may have left."""
    seed = str(draw(st.integers(0, 10**6)))
    state = one_of(draw, match(draw(st.sampled_from((10, 14))), seed))
    if DUEL.awaiting(state) and draw(st.integers(0, 9)) == 0:
        state = left(state, draw(st.sampled_from((A, B))))
    return state


@st.composite
def snapshots(draw):
    """A snapshot of a seat or for everybody, in which some seats may have chosen."""
    state = draw(positions())
    awaited = sorted(DUEL.awaiting(state))
    chosen = draw(st.sets(st.sampled_from(awaited))) if awaited else set()
    step = len(state.pairs) + len(state.left)
    return snapshot(
        "duel", state, seat=draw(st.sampled_from((None, A, B))), chosen=chosen, step=step
    )
