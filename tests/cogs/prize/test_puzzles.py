"""Puzzles of prize in words."""

from dataclasses import replace

from bot.puzzles.calendar import calendar
from cogs.prize import puzzles
from games.prize.moves import read_move
from games.puzzle import Assessed

PUZZLES = [shipped.puzzle for shipped in calendar() if shipped.game == "prize"]


def test_the_task_says_what_the_opponent_holds():
    puzzle = PUZZLES[0]
    theirs = puzzle.state.hands[1 - puzzle.seat]

    assert all(f"{high}-{low}" in puzzles.task(puzzle) for high, low in theirs)


def test_how_it_goes_on_and_what_beats_the_others_is_told():
    choices = (
        Assessed("6-4 left", 1.0, ("4-0 right", "pass", "pass")),
        Assessed("prize 6-1 right", -1.0, ("1-1 right",)),
        Assessed("pass", -1.0),
    )
    puzzle = replace(PUZZLES[0], choices=choices, best=("6-4 left",))

    assert puzzles.reason(puzzle) == (
        "**6-4 left** wins the hand whatever they play. For example, they play 4-0 right, you "
        "pass, they pass. Prize 6-1 right loses to 1-1 right and Pass loses at once."
    )


def test_what_beats_a_move_is_named_as_in_a_sentence():
    choices = (
        Assessed("6-4 left", 1.0),
        Assessed("6-4 right", -1.0, ("pass",)),
        Assessed("4-0 left", -1.0, ("prize 6-1 right", "pass")),
    )
    puzzle = replace(PUZZLES[0], choices=choices, best=("6-4 left",))

    assert puzzles.reason(puzzle).endswith(
        " 6-4 right loses to a pass and 4-0 left loses to the prize 6-1 right."
    )


def test_a_move_of_another_kind_is_told_as_it_is():
    assert puzzles.choice(PUZZLES[0], "draw") == "draw"


def test_every_puzzle_of_the_year_can_be_told():
    for puzzle in PUZZLES:
        assert puzzles.reason(puzzle).startswith(f"**{puzzles.choice(puzzle, puzzle.best[0])}**")
        labels = [puzzles.choice(puzzle, choice.move) for choice in puzzle.choices]
        assert len(set(labels)) == len(labels)
        assert all(read_move(choice.move) for choice in puzzle.choices)
