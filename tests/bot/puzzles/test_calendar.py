"""The shipped year of puzzles: all load, are legal and distinct, and are proven."""

from collections import Counter
from datetime import date

import pytest

from bot.errors import CorruptRecordError
from bot.puzzles import calendar
from games import GAMES
from games.puzzle import MAX_CHOICES
from games.puzzles import PUZZLES
from games.spite.computer.greedy import greedy
from games.spite.rules import SPITE

YEAR = 365
SAMPLE = 23
"""One puzzle in this many of a game is proven again; `make test-all` proves all."""

ALL = range(YEAR)
TOLERANCE = 0.002
"""The precision of stored worths, which have three digits."""

HABIT = 0.15
"""How much more often than chance a habit may be right, over the 91 days of a game."""


def of_game(game):
    return [puzzle for puzzle in calendar.calendar() if puzzle.game == game]


def prove(shipped):
    """Prove a puzzle from scratch, and compare that with what is shipped."""
    puzzle = shipped.puzzle
    proven = PUZZLES[shipped.game].assess(puzzle.state, puzzle.seat, puzzle.aim)

    assert proven is not None
    assert proven.best == puzzle.best
    assert proven.effort == puzzle.effort
    known = [(choice.move, choice.line) for choice in puzzle.choices]
    assert [(choice.move, choice.line) for choice in proven.choices] == known
    for again, choice in zip(proven.choices, puzzle.choices, strict=True):
        assert again.worth == pytest.approx(choice.worth, abs=TOLERANCE)


@pytest.mark.slow
def test_there_is_a_year_of_puzzles_with_games_taking_turns():
    games = [puzzle.game for puzzle in calendar.calendar()]

    assert len(games) == YEAR
    assert games == [list(PUZZLES)[day % len(PUZZLES)] for day in ALL]
    assert set(Counter(games).values()) == {91, 92}


@pytest.mark.slow
def test_no_position_occurs_twice():
    positions = [(p.game, p.puzzle.state, p.puzzle.seat) for p in calendar.calendar()]

    assert len(set(positions)) == YEAR


@pytest.mark.slow
@pytest.mark.parametrize("game", PUZZLES)
def test_every_position_is_legal_with_legal_choices_and_a_right_one(game):
    rules = GAMES[game]
    for puzzle in (shipped.puzzle for shipped in of_game(game)):
        assert puzzle.seat in rules.awaiting(puzzle.state)
        legal = {str(move) for move in rules.legal_moves(puzzle.state, puzzle.seat)}
        moves = {choice.move: choice.worth for choice in puzzle.choices}
        assert 2 <= len(moves) == len(puzzle.choices) <= MAX_CHOICES
        assert moves.keys() <= legal
        right = {move for move in moves if moves[move] >= max(moves.values()) - TOLERANCE}
        assert right == set(puzzle.best)
        assert len(right) < len(moves)


def luck(game):
    """Return how often a random choice is right, from 0 to 1."""
    shares = [len(p.puzzle.best) / len(p.puzzle.choices) for p in of_game(game)]
    return sum(shares) / len(shares)


@pytest.mark.slow
@pytest.mark.parametrize("place", [0, 1, 2, -3, -2, -1])
@pytest.mark.parametrize("game", PUZZLES)
def test_no_position_among_the_choices_is_right_much_more_often_than_chance(game, place):
    """Otherwise always tapping it would give a streak without thinking."""
    right = [p.puzzle.choices[place].move in p.puzzle.best for p in of_game(game)]

    assert sum(right) / len(right) <= luck(game) + HABIT


@pytest.mark.slow
def test_in_spite_a_card_that_fits_is_not_right_much_more_often_than_chance():
    right = []
    for puzzle in (shipped.puzzle for shipped in of_game("spite")):
        plays = [SPITE.parse(choice.move) for choice in puzzle.choices]
        right.append(str(greedy(SPITE.observe(puzzle.state, puzzle.seat), plays)) in puzzle.best)

    assert sum(right) / len(right) <= luck("spite") + HABIT


@pytest.mark.slow
@pytest.mark.parametrize("game", ["prize", "spite"])
def test_all_cheap_proofs_are_repeated(game):
    for shipped in of_game(game):
        prove(shipped)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["pico", "conquest"])
def test_a_sample_of_the_expensive_proofs_is_repeated(game):
    for shipped in of_game(game)[::SAMPLE]:
        prove(shipped)


@pytest.mark.long
@pytest.mark.parametrize("game", ["pico", "conquest"])
def test_all_expensive_proofs_are_repeated(game):
    for shipped in of_game(game):
        prove(shipped)


def test_after_the_last_puzzle_they_start_over():
    assert calendar.puzzle_of(20_000) == calendar.puzzle_of(20_000 + YEAR)
    assert calendar.puzzle_of(20_000) != calendar.puzzle_of(20_001)


def test_days_are_utc_days():
    assert calendar.day_of(0.0) == calendar.day_of(86_399.9) == 0
    assert calendar.day_of(86_400.0) == 1
    assert calendar.begins_at(1) == 86_400
    assert calendar.date_of(calendar.day_of(1_795_305_600)) == date(2026, 11, 22)


def test_a_written_puzzle_reads_back_unchanged():
    some = calendar.calendar()[:4]

    lines = calendar.to_jsonl(some).splitlines()

    assert tuple(map(calendar._read, lines)) == some
    assert tuple(lines) == calendar._lines()[:4]


@pytest.mark.parametrize("line", ["", "{}", '{"game":"chess"}', '{"game":"pico","state":{}}'])
def test_a_malformed_line_is_refused(line):
    with pytest.raises(CorruptRecordError):
        calendar._read(line)
