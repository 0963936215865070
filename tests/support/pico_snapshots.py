"""Positions and snapshots of Pico for the tests of its texts and pictures."""

from dataclasses import replace
from hashlib import sha256

from hypothesis import strategies as st

from games.chance import Chance
from games.core import Seat
from games.pico import DECKS, PICO, Card, Options, Trick
from games.pico.rules import trick_winners
from tests.support.snapshots import snapshot

A, B, C = Seat(0), Seat(1), Seat(2)
TWO = ("<@1>", "<@2>")
THREE = ("<@1>", "<@2>", "<@3>")
CHANCE = Chance("words", 1)


def trick(*faces, round_=1):
    winners, verdict = trick_winners({Seat(i): face for i, face in enumerate(faces) if face})
    return Trick(round=round_, faces=faces, winners=winners, verdict=verdict)


def dealt(deck="standard", **changes):
    state = PICO.setup(Options(deck=deck), DECKS[deck].seats, Chance("words", 0))
    return replace(state, **changes)


def after(state, *faces):
    return PICO.play(state, {Seat(i): Card(face) for i, face in enumerate(faces) if face}, CHANCE)


def left(state, *seats):
    for seat in seats:
        state = PICO.concede(state, seat, CHANCE)
    return state


def seen(state, seat=None):
    return PICO.observe(state, seat)


@st.composite
def states(draw):
    """A position of any deck, reached by play in which seats may leave."""
    deck = draw(st.sampled_from(sorted(DECKS)))
    seed = str(draw(st.integers(0, 10**6)))
    state = PICO.setup(Options(deck=deck), DECKS[deck].seats, Chance(seed, 0))
    for step in range(1, draw(st.integers(0, 40)) + 1):
        awaited, chance = sorted(PICO.awaiting(state)), Chance(seed, step)
        if not awaited:
            break
        if draw(st.integers(0, 19)) == 0:
            state = PICO.concede(state, chance.pick(awaited), chance)
            continue
        moves = {seat: PICO.fallback(state, seat, chance) for seat in awaited}
        state = PICO.play(state, moves, chance)
    return state


def finished(state):
    """The last state of this match if nobody else leaves."""
    while awaited := PICO.awaiting(state):
        state = PICO.play(
            state, {seat: PICO.fallback(state, seat, CHANCE) for seat in awaited}, CHANCE
        )
    return state


# Each has won three cards, so the next win, the fourth, doesn't end the round.
MIDDLE = dealt(
    spare=5, hands=((4, 7, 11), (2, 9, 16)), won=((3, 8, 13), (6, 10, 12)), round=1, totals=()
)
# The next win ends the round.
LAST = dealt(spare=5, hands=((7, 11), (9, 16)), won=((3, 4, 8, 13), (2, 6, 10, 12)))
LAST_OF_ALL = replace(LAST, round=2, totals=((6, 9),))
THIRDS = dealt(
    "pico1-three",
    spare=9,
    hands=((5, 16), (3, 10), (4, 6, 16)),
    won=((4, 6, 7, 13), (7, 8, 8, 9), (5, 10, 13)),
)


def final(totals, *, deck="standard", left_=()):
    """A finished match with these dots for each round."""
    rounds = DECKS[deck].rounds
    return dealt(deck, round=rounds, totals=totals, left=left_, last=trick(13, 6, round_=rounds))


@st.composite
def snapshots(draw):
    """A snapshot of a seat or for everybody, in which seats may have chosen or left."""
    deck = draw(st.sampled_from(sorted(DECKS)))
    seed = sha256(str(draw(st.integers(0, 10**6))).encode()).hexdigest()
    state = PICO.setup(Options(deck=deck), DECKS[deck].seats, Chance(seed, 0))
    step = 0
    for step in range(1, draw(st.integers(0, 60)) + 1):
        awaited, chance = sorted(PICO.awaiting(state)), Chance(seed, step)
        if not awaited:
            break
        if draw(st.integers(0, 24)) == 0:
            state = PICO.concede(state, chance.pick(awaited), chance)
        else:
            moves = {seat: PICO.fallback(state, seat, chance) for seat in awaited}
            state = PICO.play(state, moves, chance)
    awaited = sorted(PICO.awaiting(state))
    chosen = draw(st.sets(st.sampled_from(awaited))) if awaited else set()
    onlookers = [None, *(Seat(i) for i in range(DECKS[deck].seats))]
    seat = draw(st.sampled_from(onlookers))
    seats = len(state.hands)
    return snapshot("pico", state, seat=seat, chosen=chosen, step=step, seats=seats)
