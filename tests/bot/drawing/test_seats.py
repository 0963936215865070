import pytest

from bot.drawing.seats import arrangement


@pytest.mark.parametrize(
    ("seat", "count", "order"),
    [
        (None, 2, (0, 1)),
        (0, 2, (1, 0)),
        (1, 2, (0, 1)),
        (None, 3, (0, 1, 2)),
        (0, 3, (1, 2, 0)),
        (1, 3, (2, 0, 1)),
        (2, 3, (0, 1, 2)),
    ],
)
def test_a_player_is_at_the_bottom_of_their_hand(seat, count, order):
    assert arrangement(seat, count) == order
