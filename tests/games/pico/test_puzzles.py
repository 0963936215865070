"""Puzzles of Pico: which cards are right, what the others give up, and what refutes them."""

from dataclasses import replace
from itertools import cycle, islice

import pytest

from games.chance import Chance
from games.core import Seat
from games.pico import PICO, puzzles
from games.pico.computer.solution import advice
from games.pico.puzzles import AIM, PicoPuzzles

MAKER = PicoPuzzles()


STATE = replace(
    PICO.setup(PICO.presets["standard"], 2, Chance("a deal", 0)),
    spare=5,
    hands=((2, 8, 9, 12), (4, 6, 11)),
    won=((7, 13), (3, 10, 16)),
)
"""8 and 12 are equally good here, and 2 gives up .079."""

LAST = replace(
    STATE,
    round=2,
    hands=((6, 7, 9, 16), (8, 12)),
    won=((4, 13), (2, 3, 10, 11)),
    totals=((11, 9),),
)
"""16 dots to 17. Against 8 and 12, the 9 wins or loses the match, and the 16 draws it."""

FIRST = replace(STATE, spare=10, hands=((3, 9, 13), (5, 7)), won=((4, 6, 8), (2, 11, 12, 16)))
"""The 9 is worth .032 whatever they play; 5 alone, and 5 and 7 about equally often, hold it there.
Against the first of these, 3 and 13 are worth -.672; against the second, 3 is worth -.184."""

RIGHT = (
    replace(STATE, spare=12, hands=((5, 7, 13), (6, 9, 10)), won=((2, 11, 16), (3, 4, 8))),
    Seat(0),
)
"""Only the 13 is right."""

LOWER = (
    replace(STATE, spare=2, hands=((3, 5, 6), (10, 13, 16)), won=((4, 11, 12), (7, 8, 9))),
    Seat(1),
)
"""Only the 10 is right."""


def test_a_card_that_gives_up_little_makes_no_puzzle(monkeypatch):
    assert MAKER.assess(STATE, Seat(0), AIM) is None

    monkeypatch.setattr(puzzles, "MIN_MARGIN", 0.06)
    puzzle = MAKER.assess(STATE, Seat(0), AIM)
    worth = {choice.move: choice.worth for choice in puzzle.choices}
    assert puzzle.best == ("8", "12")
    assert 0.06 <= worth["8"] - worth["2"] < 0.08


def test_a_card_is_refuted_by_the_card_it_does_worst_against(monkeypatch):
    monkeypatch.setattr(puzzles, "MIN_MARGIN", 0.06)
    puzzle = MAKER.assess(STATE, Seat(0), AIM)

    payoffs = advice(PICO.observe(STATE, Seat(0)), Seat(0)).payoffs
    for choice, row in zip(puzzle.choices, payoffs, strict=True):
        (theirs,) = choice.line
        assert row[STATE.hands[1].index(int(theirs))] == row.min() < row.max()


def test_a_card_that_one_perfect_defense_beats_is_not_right():
    """Against 8 and 12 equally often, the 9 is worth a draw as well; but 12 alone beats it."""
    payoffs = advice(PICO.observe(LAST, Seat(0)), Seat(0)).payoffs
    assert payoffs.round(6).tolist() == [[-1, -1], [-1, -1], [1, -1], [0, 0]]

    assert MAKER.assess(LAST, Seat(0), AIM) is None


def test_a_card_that_gives_up_nothing_to_one_perfect_defense_makes_no_puzzle():
    assert MAKER.assess(FIRST, Seat(0), AIM) is None


def test_a_wrong_card_is_worth_what_it_gets_from_the_perfect_defense_kindest_to_it(monkeypatch):
    monkeypatch.setattr(puzzles, "MIN_MARGIN", 0)

    puzzle = MAKER.assess(FIRST, Seat(0), AIM)

    worth = {choice.move: choice.worth for choice in puzzle.choices}
    assert (puzzle.best, worth) == (("9",), {"3": -0.184, "9": 0.032, "13": 0.032})


@pytest.mark.parametrize(("probability", "expected"), [(1, RIGHT), (0, LOWER)])
def test_if_the_position_chosen_makes_no_puzzle_another_match_replaces_it(
    monkeypatch, probability, expected
):
    """So an attempt that used to make a puzzle still makes one, for the same day of the year.

    How often the highest card is right in these isn't left to the positions.
    """
    found = iter([(LAST, Seat(0))])
    matches = cycle([[], [(LAST, Seat(0))], [LOWER], [RIGHT]])
    monkeypatch.setattr(puzzles, "_HIGHEST_PROBABILITY", probability)
    monkeypatch.setattr(puzzles, "_PLAYS", 1)
    monkeypatch.setattr(
        puzzles, "_likely_puzzles", lambda deal, chance: [*islice(found, 1)] or next(matches)
    )

    puzzle = MAKER.attempt(Chance("any", 0))

    assert (puzzle.state, puzzle.seat) == expected


def test_an_attempt_whose_first_match_has_no_likely_position_makes_no_puzzle(monkeypatch):
    monkeypatch.setattr(puzzles, "_likely_puzzles", lambda deal, chance: [])

    assert MAKER.attempt(Chance("any", 0)) is None
