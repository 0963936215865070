"""What somebody is told of a vacation."""

import pytest

from bot.matches.time_off import Vacation
from bot.rendering.vacations import begun


@pytest.mark.parametrize(
    ("matches", "said"),
    [
        ((1, 2), "Your clock is stopped in 2 matches here"),
        ((), "You're in no slow match here; if one begins meanwhile, your clock is stopped."),
    ],
)
def test_a_vacation_says_whose_clocks_it_stops(matches, said):
    assert said in begun(Vacation(until=2000, days_left=4, matches=matches))
