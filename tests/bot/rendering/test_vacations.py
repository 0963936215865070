"""What somebody is told about a vacation."""

import pytest

from bot.matches.time_off import Vacation
from bot.rendering.vacations import days_left, vacation_ended, vacation_started


@pytest.mark.parametrize(
    ("matches", "said"),
    [
        ((1, 2), "Your clock is stopped in 2 matches here"),
        ((), "You're in no slow match here; if one begins before then, your clock is stopped."),
    ],
)
def test_a_vacation_says_whose_clocks_it_stops(matches, said):
    assert said in vacation_started(Vacation(until=2000, days_left=4, matches=matches))


def test_a_vacation_that_ends_early_mentions_clocks_only_if_some_had_stopped():
    said = "You have 9 vacation days left in this server this year."

    assert vacation_ended(Vacation(until=None, days_left=9)) == f"Welcome back! {said}"
    assert vacation_ended(Vacation(until=None, days_left=9, matches=(1,))) == (
        f"Welcome back! Your clocks are running again. {said}"
    )


def test_without_days_left_it_says_when_there_are_new_ones_and_offers_none():
    assert days_left(Vacation(until=None, days_left=0)) == (
        "You've used all 14 vacation days in this server for this year. You get new ones next year."
    )
    assert "`/vacation start`" in days_left(Vacation(until=None, days_left=1))


def test_the_commands_for_vacations_are_named():
    assert "`/vacation start` stops" in days_left(Vacation(until=None, days_left=1))
    assert "`/vacation end` ends it early" in vacation_started(Vacation(until=9, days_left=1))
