"""What all games have in common: who has won according to an outcome."""

import pytest

from games import IllegalMoveError, Seat
from games.chance import Chance
from games.core import Outcome, winners
from games.pico import PICO, Card


@pytest.mark.parametrize(
    ("ranks", "won"),
    [
        pytest.param((1, 2), (0,), id="one of two"),
        pytest.param((3, 1, 2), (1,), id="one of three"),
        pytest.param((1, 3, 1), (0, 2), id="two of three"),
        pytest.param((1, 1), (), id="both are equal"),
        pytest.param((1, 1, 1), (), id="all are equal"),
    ],
)
def test_seats_ranked_first_have_won_unless_all_are(ranks, won):
    assert winners(Outcome(ranks=ranks, scores=(0,) * len(ranks), reason="so it is")) == won


def test_nobody_has_won_while_a_match_goes_on():
    assert winners(None) == ()


@pytest.mark.parametrize(
    ("faces", "reason"),
    [
        pytest.param({1: 4, 4: 4, 3: 4}, "Seat 3 owes no move now.", id="not awaited"),
        pytest.param({2: 4}, "The move of seat 0 is still missing.", id="missing"),
        pytest.param({2: 97, 1: 98, 0: 99}, "You don't have the 99.", id="illegal"),
    ],
)
def test_if_the_moves_of_several_seats_are_wrong_the_first_seat_is_named(faces, reason):
    """So the same moves are refused with the same sentence, in whatever order they come."""
    state = PICO.setup(PICO.presets["pico1-three"], 3, Chance("first", 0))
    moves = {Seat(seat): Card(face) for seat, face in faces.items()}

    with pytest.raises(IllegalMoveError, match=f"^{reason}"):
        PICO.play(state, moves, Chance("first", 1))
