"""What all games have in common: who has won by an outcome."""

import pytest

from games.core import Outcome, winners


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
def test_who_ranks_first_has_won_unless_all_do(ranks, won):
    assert winners(Outcome(ranks=ranks, scores=(0,) * len(ranks), reason="so it is")) == won


def test_nobody_has_won_while_a_match_goes_on():
    assert winners(None) == ()
