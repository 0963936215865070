"""Positions of Prize Dominoes written as text, for its tests."""

import pytest

from games import IllegalMoveError, Seat
from games.chance import Chance
from games.prize import DOMINOES, PRIZE, HandResult, Options, State
from tests.support.matches import dealt, played

A, B = Seat(0), Seat(1)


def tiles(text):
    """The tiles in a text like "6-4 5-3", with their ends in the order written."""
    return tuple((int(word[0]), int(word[2])) for word in text.split())


def table(*, line="", a="", b="", stock="", prizes=("", ""), **fields):
    """A hand in progress with seat A to move; B has opened it, or A must if there is no line."""
    given = {
        "options": Options(),
        "number": 1,
        "leader": B if line else A,
        "turn": A,
        "asked": None,
        "passes": 0,
        "events": (),
        "last": None,
        "left": (),
    }
    return State(
        **(given | fields),
        hands=(tiles(a), tiles(b)),
        stock=tiles(stock),
        line=tiles(line),
        prizes=(tiles(prizes[0]), tiles(prizes[1])),
    )


def won(*, a="", b="", winner=A, number=1, by="out", **fields):
    """A hand that the winner has just won, before they take the prize."""
    last = HandResult(number=number, winner=winner, by=by, pips=(0, 0), taken=None)
    return table(line="6-6", a=a, b=b, turn=winner, number=number, last=last, **fields)


def play(state, *texts, seed="seed"):
    """The state after these moves, in notation, each by the seat to move."""
    for step, text in enumerate(texts, 1):
        (seat,) = PRIZE.awaiting(state)
        state = PRIZE.play(state, {seat: PRIZE.parse(text)}, Chance(seed, step))
    return state


def moves(state):
    (seat,) = PRIZE.awaiting(state)
    return [str(move) for move in PRIZE.legal_moves(state, seat)]


def refused(state, text):
    """The sentence that refuses a move of the seat to move."""
    (seat,) = PRIZE.awaiting(state)
    with pytest.raises(IllegalMoveError) as caught:
        PRIZE.check(state, seat, PRIZE.parse(text))
    return str(caught.value)


def row(count, *, of=DOMINOES):
    """A prize row of the first `count` tiles of `of`, as text."""
    return " ".join(f"{high}-{low}" for high, low in of[:count])


def forcing_opening():
    """The seat that opens a match with the tests' `SEED`, and a move that leaves only one reply."""
    deal = dealt(game=PRIZE)
    (seat,) = PRIZE.awaiting(deal)
    for move in PRIZE.legal_moves(deal, seat):
        opened = played(deal, 0, {seat: move}, game=PRIZE)
        if len(PRIZE.legal_moves(opened, opened.turn)) == 1:
            return seat, move
    raise AssertionError("every opening leaves a choice")
