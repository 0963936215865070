"""Puzzles of Pico: how much the wrong cards must give up, and which card refutes them."""

from dataclasses import replace

from games.chance import Chance
from games.core import Seat
from games.pico import PICO, puzzles
from games.pico.computer.solution import advice
from games.pico.puzzles import AIM, PicoPuzzles

MAKER = PicoPuzzles()


STATE = replace(
    PICO.setup(PICO.presets["standard"], 2, Chance("a deal", 0)),
    spare=2,
    hands=((3, 7, 9, 13), (4, 6, 11, 12)),
    won=((8, 16), (5, 10)),
)
"""7 and 13 are equally good here, and 3 gives up .061."""


def test_a_card_that_gives_up_little_makes_no_puzzle(monkeypatch):
    assert MAKER.assess(STATE, Seat(0), AIM) is None

    monkeypatch.setattr(puzzles, "MIN_MARGIN", 0.06)
    puzzle = MAKER.assess(STATE, Seat(0), AIM)
    worth = {choice.move: choice.worth for choice in puzzle.choices}
    assert puzzle.best == ("7", "13")
    assert 0.06 <= worth["7"] - worth["3"] < 0.08


def test_a_card_is_refuted_by_the_card_it_does_worst_against(monkeypatch):
    monkeypatch.setattr(puzzles, "MIN_MARGIN", 0.06)
    puzzle = MAKER.assess(STATE, Seat(0), AIM)

    payoffs = advice(PICO.observe(STATE, Seat(0)), Seat(0)).payoffs
    for choice, row in zip(puzzle.choices, payoffs, strict=True):
        (theirs,) = choice.line
        assert row[STATE.hands[1].index(int(theirs))] == row.min() < row.max()
