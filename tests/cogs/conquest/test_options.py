"""The options of Divide & Conquer (board), and their names."""

import pytest

from bot.errors import ChallengeError
from cogs.conquest import options
from cogs.conquest.presentation import ConquestPresentation
from games.conquest import CONQUEST, Options
from games.conquest.options import Equal, Goal, Reinforce

SHOWN = ConquestPresentation()


# The command's options.


def test_the_defaults_are_the_printed_rules():
    assert options.options_from(4, equal=None, signal=None, turn_limit=None) == Options()


def test_every_option_of_the_command_reaches_the_options_of_the_game():
    chosen = {
        "equal": "choice",
        "reinforce": "together",
        "redeployment": True,
        "signal": True,
        "goal": "both",
        "turn_limit": 7,
    }

    assert options.options_from(2, **chosen) == Options(**chosen)


def test_an_impossible_option_is_refused_with_a_sentence():
    with pytest.raises(ChallengeError, match="The turn limit must be a whole number of turns"):
        options.options_from(2, turn_limit=0)


@pytest.mark.parametrize("seats", [3, 4])
def test_the_goal_of_both_battalions_needs_teams(seats):
    with pytest.raises(ChallengeError) as refused:
        options.options_from(seats, goal="both")

    assert str(refused.value) == (
        f"With {seats} players, everyone has only one battalion. Leave out the option `goal`, or "
        "choose two players."
    )
    assert options.options_from(seats, goal="either") == Options()


@pytest.mark.parametrize(
    ("names", "kinds"),
    [(options.EQUAL, Equal), (options.REINFORCE, Reinforce), (options.GOAL, Goal)],
    ids=["equal", "reinforce", "goal"],
)
def test_every_value_of_an_option_can_be_chosen(names, kinds):
    assert tuple(names) == kinds.__args__


def test_every_number_of_players_can_be_chosen():
    assert set(options.PLAYERS) == set(CONQUEST.seats)


@pytest.mark.parametrize(("players", "label"), options.PLAYERS.items())
def test_numbers_of_players_are_labeled_as_players_not_battalions(players, label):
    assert label.startswith(f"{players} players, ")


@pytest.mark.parametrize(
    ("players", "named", "seats"),
    [(None, 0, 2), (None, 1, 2), (None, 2, 3), (None, 3, 4), (4, 1, 4), (3, 0, 3)],
)
def test_the_number_of_seats_follows_from_the_named_opponents_and_the_wanted_players(
    players, named, seats
):
    assert options.seats_for(players, named) == seats


@pytest.mark.parametrize(("players", "opponents", "seats"), [(None, 0, 2), (None, 2, 4), (4, 1, 4)])
def test_a_computer_takes_a_seat(players, opponents, seats):
    assert options.seats_for(players, opponents, computer=True) == seats


@pytest.mark.parametrize(
    ("players", "opponents", "computer", "sentence"),
    [
        (
            3,
            3,
            False,
            "With you, that's 4 players, not 3. Name fewer opponents or choose more players.",
        ),
        (
            2,
            1,
            True,
            (
                "With you and the computer, that's 3 players, not 2. Name fewer opponents, "
                "choose more players or leave the computer out."
            ),
        ),
        *(
            (
                players,
                3,
                True,
                (
                    "With you and the computer, that's 5 players, and at most 4 can play. "
                    "Name fewer opponents or leave the computer out."
                ),
            )
            for players in (None, 3, 4)
        ),
    ],
)
def test_too_many_players_are_refused_with_a_remedy(players, opponents, computer, sentence):
    with pytest.raises(ChallengeError) as refused:
        options.seats_for(players, opponents, computer=computer)

    assert str(refused.value) == sentence


# What is completed while an order is typed.


# What the manual says.


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (Options(), "standard"),
        (Options(equal="choice", signal=True), "Commander's Choice, signals"),
        (
            Options(equal="bounce", reinforce="together", redeployment=True, goal="both"),
            "win with both battalions, equals bounce, redeployment, reinforcing together",
        ),
        (Options(turn_limit=1), "at most one turn"),
        (Options(turn_limit=30), "at most 30 turns"),
    ],
)
def test_a_variant_is_named_by_its_differences_from_the_printed_rules(options, words):
    assert SHOWN.variant(options) == words
