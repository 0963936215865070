"""The texts of the puzzles of Spite and Malice."""

import re

from bot.puzzles.calendar import calendar
from cogs.spite import puzzles
from games.spite.moves import parse

PUZZLES = [shipped.puzzle for shipped in calendar() if shipped.game == "spite"]


def test_the_task_names_the_last_stock_card_and_how_many_plays_work():
    for puzzle in PUZZLES:
        task = puzzles.task(puzzle)
        assert f"Your last stock card is the {puzzle.state.sides[puzzle.seat].stock[-1]}." in task
        assert ("Two plays work" in task) == (len(puzzle.best) == 2)


def test_a_choice_says_where_a_card_is_and_how_high_its_foundation_is():
    labels = {
        (choice.move.partition(">")[0][:1] == "d", choice.move.endswith("new")): puzzles.choice(
            puzzle, choice.move
        )
        for puzzle in PUZZLES
        for choice in puzzle.choices
    }

    assert labels[True, True].endswith("onto a new foundation")
    assert " from d" in labels[True, False]
    assert "(up to " in labels[False, False]
    assert " from d" not in labels[False, True]


def test_a_foundation_is_named_as_in_the_picture_even_if_another_one_is_complete():
    puzzle = next(
        shipped
        for shipped in PUZZLES
        if shipped.best[0] == "d4>f1" and [len(p) for p in shipped.state.foundations] == [11, 10, 6]
    )

    told = puzzles.reason(puzzle)

    assert {choice.move: choice for choice in puzzle.choices}["d4>f1"].line == (
        "d4>f2",
        "d4>f2",
        "stock>f2",
    )
    assert "top of d4, top of d4 and the stock card onto f3." in told


def test_every_puzzle_of_the_year_has_its_texts():
    for puzzle in PUZZLES:
        told = puzzles.reason(puzzle)
        assert re.search(r"the stock card onto (f\d+|a new foundation)\. No other", told)
        assert len(told) <= 330
        assert told.endswith("No other first play does.")
        labels = [puzzles.choice(puzzle, choice.move) for choice in puzzle.choices]
        assert len(set(labels)) == len(labels)
        assert max(map(len, labels)) <= 80
        assert all(parse(choice.move) for choice in puzzle.choices)
