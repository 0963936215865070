"""`python -m bot puzzles`: the same seed makes the same puzzles, and their proofs are named."""

import time

import pytest

from bot import cli
from bot.operations.puzzles import SHIPPED_SEED, make_puzzles
from bot.puzzles import calendar
from bot.puzzles.calendar import date_of, day_of
from games.puzzles import PUZZLES


def run(monkeypatch, *arguments):
    monkeypatch.setattr("sys.argv", ["facedown", "puzzles", *map(str, arguments)])
    return cli.main()


@pytest.mark.slow
def test_the_command_makes_the_shipped_puzzles_and_says_how_they_are_proven(
    monkeypatch, tmp_path, capsys
):
    out = tmp_path / "puzzles.jsonl"

    assert run(monkeypatch, out, "--count", 1, "--seed", SHIPPED_SEED) == 0

    assert out.read_text("utf-8").splitlines() == list(calendar._lines()[:1])
    said = capsys.readouterr().out
    assert PUZZLES["pico"].proof in said
    assert "Pico 1: " in said
    assert said.endswith(f"Wrote 1 puzzle to {out}, no position twice; the seed was 2026.\n")


@pytest.mark.slow
def test_without_a_seed_other_puzzles_than_the_shipped_ones_are_made(monkeypatch, tmp_path, capsys):
    """Without a seed the date is used, because the shipped puzzles would only repeat."""
    out = tmp_path / "puzzles.jsonl"
    before = date_of(day_of(time.time()))

    assert run(monkeypatch, out, "--count", 1) == 0

    assert out.read_text("utf-8").splitlines() != list(calendar._lines()[:1])
    days = {before, date_of(day_of(time.time()))}  # in case midnight passes meanwhile
    said = capsys.readouterr().out
    assert any(said.endswith(f"; the seed was {day.isoformat()}.\n") for day in days)


@pytest.mark.slow
def test_games_take_turns_and_no_position_is_made_twice(monkeypatch):
    found = iter([None, "a", "a", "b", "c"])

    class Maker:
        proof = "By hand."

        def attempt(self, chance):
            name = next(found)
            return name and Found(name)

    class Found:
        effort, seat = 1, 0

        def __init__(self, state):
            self.state = state

    monkeypatch.setattr("bot.operations.puzzles.PUZZLES", {"pico": Maker(), "duel": Maker()})

    made = make_puzzles(3, SHIPPED_SEED)

    assert [(one.game, one.puzzle.state) for one in made] == [
        ("pico", "a"),
        ("duel", "c"),
        ("pico", "b"),
    ]


def test_making_no_puzzles_is_refused(monkeypatch, tmp_path, capsys):
    assert run(monkeypatch, tmp_path / "none", "--count", 0) == 2
    assert "at least 1" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "why"),
    [("missing/puzzles", "No such file or directory"), ("", "Is a directory")],
    ids=["no folder", "a folder"],
)
def test_an_unwritable_file_is_refused_before_anything_is_made(
    monkeypatch, tmp_path, capsys, name, why
):
    monkeypatch.setattr("bot.operations.puzzles.PUZZLES", None)  # making any would fail
    out = tmp_path / name

    assert run(monkeypatch, out) == 2

    assert capsys.readouterr().err == f"{out} can't be written: {why}. Name another file.\n"


def test_an_existing_file_is_kept_if_making_puzzles_fails(monkeypatch, tmp_path):
    class Broken:
        def attempt(self, chance):
            raise ArithmeticError

    monkeypatch.setattr("bot.operations.puzzles.PUZZLES", {"pico": Broken()})
    out = tmp_path / "puzzles"
    out.write_text("those of last year")

    with pytest.raises(ArithmeticError):
        run(monkeypatch, out)

    assert out.read_text() == "those of last year"
