"""Puzzles of Prize Dominoes: which hands are searched, and which are skipped."""

from games.chance import Chance
from games.prize import puzzles
from games.prize.puzzles import PrizePuzzles

MAKER = PrizePuzzles()
FOUND = 23
"""The number of an attempt that finds a small puzzle."""

OVER_EARLY = 4
"""The number of an attempt whose match ends before the maximum number of moves."""


def test_a_hand_that_takes_too_long_to_search_is_skipped(monkeypatch):
    puzzle = MAKER.attempt(Chance("tests", FOUND))

    monkeypatch.setattr(puzzles, "_MAX_POSITIONS", puzzle.effort)
    assert MAKER.assess(puzzle.state, puzzle.seat, puzzle.aim) == puzzle

    monkeypatch.setattr(puzzles, "_MAX_POSITIONS", puzzle.effort // 2)
    assert MAKER.assess(puzzle.state, puzzle.seat, puzzle.aim) is None


def test_a_wrong_move_too_long_to_follow_is_explained_by_the_reply_only(monkeypatch):
    puzzle = MAKER.attempt(Chance("tests", FOUND))
    monkeypatch.setattr(puzzles, "_MAX_ENDS", 0)

    again = MAKER.assess(puzzle.state, puzzle.seat, puzzle.aim)

    lines = [(choice.worth, len(choice.line)) for choice in again.choices]
    assert [worth for worth, _ in lines] == [choice.worth for choice in puzzle.choices]
    assert {length for worth, length in lines if worth < 0} == {1}
    assert any(len(choice.line) > 1 for choice in puzzle.choices if choice.worth < 0)


def test_a_match_that_ends_without_a_question_makes_no_puzzle():
    assert MAKER.attempt(Chance("tests", OVER_EARLY)) is None
