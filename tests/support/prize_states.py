"""Positions of Prize Dominoes written as text, for its tests."""

import pytest

from games import IllegalMoveError, Seat
from games.chance import Chance
from games.prize import DOMINOES, PRIZE, HandResult, Options, State
from tests.support.matches import dealt, played

A, B = Seat(0), Seat(1)


def tiles(text):
    """The tiles of a text such as "6-4 5-3", as written."""
    return tuple((int(word[0]), int(word[2])) for word in text.split())


def table(*, line="", a="", b="", stock="", prizes=("", ""), **fields):
    """A hand that runs, seat A to move; seat B has opened it, or without a line A is to."""
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
    """A hand that has been won, before the prize is taken."""
    last = HandResult(number=number, winner=winner, by=by, pips=(0, 0), taken=None)
    return table(line="6-6", a=a, b=b, turn=winner, number=number, last=last, **fields)


def play(state, *texts, seed="seed"):
    """The state after moves of the seats to move, written in the notation."""
    for step, text in enumerate(texts, 1):
        (seat,) = PRIZE.awaiting(state)
        state = PRIZE.play(state, {seat: PRIZE.parse(text)}, Chance(seed, step))
    return state


def moves(state):
    (seat,) = PRIZE.awaiting(state)
    return [str(move) for move in PRIZE.legal_moves(state, seat)]


def refused(state, text):
    """The sentence with which a move of the seat to move is refused."""
    (seat,) = PRIZE.awaiting(state)
    with pytest.raises(IllegalMoveError) as caught:
        PRIZE.check(state, seat, PRIZE.parse(text))
    return str(caught.value)


def row(count, *, of=DOMINOES):
    """A prize row of so many tiles, as text."""
    return " ".join(f"{high}-{low}" for high, low in of[:count])


def forcing_opening():
    """Who opens in matches of the tests, and a tile to which the other has one answer only."""
    deal = dealt(game=PRIZE)
    (seat,) = PRIZE.awaiting(deal)
    for move in PRIZE.legal_moves(deal, seat):
        opened = played(deal, 0, {seat: move}, game=PRIZE)
        if len(PRIZE.legal_moves(opened, opened.turn)) == 1:
            return seat, move
    raise AssertionError("every opening leaves a choice")
