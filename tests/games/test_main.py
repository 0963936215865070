"""`python -m games`: a random match as a transcript."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from games import GAMES, Seat
from games.__main__ import main, transcript
from games.chance import Chance
from tests.support.random_play import seed_of

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]

PRESETS = [(key, preset) for key, game in GAMES.items() for preset in game.presets]


@pytest.mark.parametrize(("key", "preset"), PRESETS)
def test_a_random_match_of_every_preset_is_printed_to_its_result(key, preset, capsys):
    assert main([key, "--seed", "5", "--variant", preset]) == 0

    header, *steps, result = capsys.readouterr().out.splitlines()
    assert header.startswith(f"{GAMES[key].title}, {preset}, ")
    assert header.endswith("seed 5")
    assert [int(line.split()[0]) for line in steps] == list(range(1, len(steps) + 1))
    assert result.startswith("Result: 1. seat ")


@pytest.mark.parametrize("key", GAMES)
def test_a_transcript_can_be_replayed_from_its_notation(key):
    game = GAMES[key]
    *lines, result = transcript(game, "standard", 2, 7)

    state = game.setup(game.presets["standard"], 2, Chance(seed_of(7), 0))
    for step, line in enumerate(lines, start=1):
        moves = {
            Seat(int(seat)): game.parse(text)
            for seat, text in re.findall(r"seat (\d): (.+?)(?=   seat|$)", line)
        }
        state = game.play(state, moves, Chance(seed_of(7), step))

    assert result.endswith(game.outcome(state).reason)


def test_the_same_seed_prints_the_same_match(capsys):
    main(["duel", "--seed", "3"])
    first = capsys.readouterr().out
    main(["duel", "--seed", "3"])

    assert capsys.readouterr().out == first


def test_without_a_seed_the_match_is_a_new_one_and_its_seed_is_printed(capsys):
    main(["duel"])
    first = capsys.readouterr().out
    seed = re.match(r".* seed (\d+)\n", first)[1]
    main(["duel", "--seed", seed])

    assert capsys.readouterr().out == first


def test_a_variant_for_three_has_three_seats(capsys):
    assert main(["pico", "--variant", "pico2-three", "--seats", "3", "--seed", "1"]) == 0

    assert "seat 2: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["chess"], "There is no game called 'chess'; choose one of pico, duel"),
        (
            ["pico", "--variant", "pico3"],
            "There is no variant of Pico called 'pico3'; choose one of standard, pico1",
        ),
        (["pico", "--seats", "3"], "This variant of Pico is for 2 players, not for 3."),
        (["duel", "--seats", "0"], "(tiles) is for 2 players, not for 0."),
    ],
)
def test_a_wrong_name_or_number_gets_a_sentence_and_exit_code_2(arguments, sentence, capsys):
    assert main(arguments) == 2

    said = capsys.readouterr()
    assert said.out == ""
    assert sentence in said.err
    assert said.err.endswith(".\n")


def test_a_seed_that_is_no_number_is_refused_with_exit_code_2(capsys):
    with pytest.raises(SystemExit) as end:
        main(["duel", "--seed", "lucky"])

    assert end.value.code == 2
    assert "invalid int value: 'lucky'" in capsys.readouterr().err


def test_the_command_prints_and_exits_with_its_code():
    """In a process of its own, as on the command line."""
    command = [sys.executable, "-m", "games"]
    good = subprocess.run(  # noqa: S603 - our own program
        [*command, "duel", "--seed", "3"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    bad = subprocess.run(  # noqa: S603 - our own program
        [*command, "chess"], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert len(good.stdout.splitlines()) == 12
    assert (good.stderr, bad.stdout, bad.returncode) == ("", "", 2)
