"""The texts of the puzzles of Pico."""

from bot.puzzles.calendar import calendar
from cogs.pico import puzzles
from games.pico.rules import State
from games.puzzle import Assessed, Puzzle

PUZZLES = [shipped.puzzle for shipped in calendar() if shipped.game == "pico"]


def puzzle(worths, *best):
    """The first puzzle of the year, with these worths of its choices."""
    state: State = PUZZLES[0].state
    choices = tuple(Assessed(move, worth) for move, worth in worths.items())
    return Puzzle(state=state, seat=0, aim="match", choices=choices, best=best, effort=1)


def test_the_share_of_wins_counts_a_draw_as_half():
    told = puzzles.reason(puzzle({"4": 0.5, "9": -1.0, "13": 0.25}, "4"))

    assert told == (
        "**4** was right, winning 75% of matches against perfect play. "
        "Others win at most: 13 (62%), 9 (0%). A draw counts as half a win."
    )


def test_the_task_says_how_many_cards_are_right():
    assert "Only one of your 3 cards" in puzzles.task(puzzle({"4": 1, "9": 0, "13": 0}, "4"))
    assert "2 of your 4 cards hold up; either" in puzzles.task(
        puzzle({"4": 1, "9": 1, "13": 0, "16": 0}, "4", "9")
    )
    assert "3 of your 6 cards hold up; any" in puzzles.task(
        puzzle(dict.fromkeys(["2", "3", "4", "5", "6", "7"], 0), "2", "3", "4")
    )


def test_a_choice_is_described_as_a_card_with_its_dots():
    assert puzzles.choice(puzzle({"4": 1, "16": 0}, "4"), "16") == "16 ••••"


def test_every_puzzle_of_the_year_has_its_texts():
    for shipped in PUZZLES:
        assert puzzles.reason(shipped).count("%") == 1 + len(shipped.choices) - len(shipped.best)
        assert len(puzzles.task(shipped)) < 200
