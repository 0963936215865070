"""Positions and snapshots of Divide & Conquer (board) for the tests of its texts and pictures."""

from dataclasses import replace
from functools import cache

from hypothesis import strategies as st

from games import Seat
from games.chance import Chance
from games.conquest import CONQUEST, Options
from tests.support.snapshots import one_of, snapshot

VARIANTS = (
    Options(),
    Options(equal="choice", redeployment=True, signal=True, goal="both", turn_limit=60),
    Options(equal="bounce", reinforce="together", redeployment=True, turn_limit=40),
)


@cache
def states(seats, variant, seed):
    """All states of a match of random moves (at most 260), in which players sometimes leave."""
    options = VARIANTS[variant]
    state = CONQUEST.setup(options, seats, Chance(f"{seed:064x}", 0))
    found = [state]
    for step in range(1, 260):
        chance, awaited = Chance(f"{seed:064x}", step), sorted(CONQUEST.awaiting(state))
        if not awaited:
            break
        if chance.below(60) == 0:
            state = CONQUEST.concede(state, chance.pick(awaited), chance)
        else:
            moves = {s: chance.pick(CONQUEST.legal_moves(state, s)) for s in awaited}
            state = CONQUEST.play(state, moves, chance)
        found.append(state)
    return tuple(found)


@st.composite
def positions(draw):
    """A position, and its number of seats."""
    seats = draw(st.sampled_from([2, 3, 4]))
    found = states(seats, draw(st.integers(0, 2)), draw(st.integers(0, 11)))
    return one_of(draw, found), seats


@st.composite
def snapshots(draw):
    """A snapshot of a seat or for everybody, in which some seats may have chosen."""
    state, seats = draw(positions())
    seat = draw(st.sampled_from([None, *(Seat(i) for i in range(seats))]))
    awaited = sorted(CONQUEST.awaiting(state))
    chosen = draw(st.sets(st.sampled_from(awaited))) if awaited else set()
    ahead = draw(st.lists(st.integers(0, seats - 1), min_size=seats, max_size=seats))
    pointing = state.options.signal and draw(st.booleans())
    return signalled(seen(state, seats, seat=seat, chosen=chosen), ahead if pointing else ())


def signalled(onlook, ahead):
    """The same snapshot with the signals of the seats: seat i says that `ahead[i]` is ahead."""
    pairs = zip(onlook.seats, ahead, strict=False)
    seats = tuple(replace(info, signal=Seat(seat)) for info, seat in pairs)
    return replace(onlook, seats=seats or onlook.seats)


def seen(state, seats=None, *, seat=None, chosen=()):
    return snapshot("conquest", state, seats=seats or state.seats, seat=seat, chosen=chosen)
