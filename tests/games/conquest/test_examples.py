"""What is refused names what would be right, and that is."""

import pytest

from games.conquest import CONQUEST, Options
from games.core import IllegalMoveError
from tests.support.conquest_states import BLUE, CHANCE, RED, check, play, position

PASSES = ("pass / pass", "pass / pass")


@pytest.mark.parametrize(("seats", "wrong"), [(2, "none / none"), (2, "pass"), (3, "none")])
def test_what_a_refusal_gives_as_an_example_is_accepted(seats, wrong):
    """In the first turn, of every seat: each has its own headquarters and number of battalions."""
    state = CONQUEST.setup(Options(), seats, CHANCE)
    for seat in range(seats):
        check(state, seat, example(state, seat, wrong))


def test_what_is_given_as_an_example_of_reinforcing_is_accepted():
    state = play(position(2, {RED: "E5:4"}), *PASSES)

    check(state, 0, example(state, 0, "pass / pass"))


def test_a_match_without_redeployment_says_so_whoever_stands_where():
    state = play(position(2, {RED: "D4:4", BLUE: "E5:9"}), *PASSES)

    with pytest.raises(IllegalMoveError, match=r"no redeployment\. Write a square like \+E5"):
        check(state, 0, "D4>HQ / none")


def example(state, seat, wrong):
    """What somebody is told to write instead of this."""
    with pytest.raises(IllegalMoveError) as raised:
        check(state, seat, wrong)
    told = str(raised.value).partition(" like ")[2]
    return told.removesuffix(".").removesuffix(", or pass").removesuffix(", or none")
