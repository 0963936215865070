"""People who click faster than anybody at play are refused, and accepted again after a wait."""

import pytest

from bot.errors import HurriedError
from bot.interactions.flood_control import WITHIN_SECONDS, FloodControl
from bot.rate_limit import RateLimit
from tests.support.clock import HOUR
from tests.support.matches import NOW
from tests.support.random_play import sentence

ANN, BO, CY = 1, 2, 3


@pytest.fixture
def allowance(watch):
    """Three acts in ten seconds."""
    return RateLimit(3, 10.0, now=watch, people=100)


def take(allowance, person, times):
    return [allowance.take(person) for _ in range(times)]


def test_as_many_acts_as_allowed_are_accepted_and_not_one_more(allowance):
    assert take(allowance, ANN, 5) == [0, 0, 0, 10, 10]


def test_each_person_has_an_allowance_of_their_own(allowance):
    take(allowance, ANN, 4)

    assert take(allowance, BO, 4) == [0, 0, 0, 10]


def test_the_wait_is_until_the_first_act_no_longer_counts(allowance, watch):
    take(allowance, ANN, 1)
    watch.advance(4)
    take(allowance, ANN, 2)
    watch.advance(2.5)

    assert take(allowance, ANN, 1) == [4]  # 3.5 seconds, rounded up


def test_somebody_who_waits_as_long_as_they_were_told_is_accepted(allowance, watch):
    take(allowance, ANN, 3)
    watch.advance(7.2)
    [wait] = take(allowance, ANN, 1)
    watch.advance(wait)

    assert take(allowance, ANN, 1) == [0]


def test_the_allowance_is_a_sliding_window(allowance, watch):
    take(allowance, ANN, 2)
    watch.advance(9)
    take(allowance, ANN, 1)
    watch.advance(1)

    assert take(allowance, ANN, 3) == [0, 0, 9]


def test_refused_acts_do_not_extend_the_wait(allowance, watch):
    take(allowance, ANN, 3)
    watch.advance(5)
    take(allowance, ANN, 50)

    assert take(allowance, ANN, 1) == [5]


def test_the_shortest_wait_is_a_second(allowance, watch):
    take(allowance, ANN, 3)
    watch.advance(9.999)

    assert take(allowance, ANN, 1) == [1]


def test_setting_the_clock_back_locks_nobody_out(allowance, watch):
    take(allowance, ANN, 3)
    watch.advance(-HOUR)

    assert take(allowance, ANN, 4) == [0, 0, 0, 10]


def test_the_record_of_a_person_does_not_grow_with_refused_acts(allowance):
    take(allowance, ANN, 1000)

    assert len(allowance._acts[ANN]) == 3


def test_people_who_were_quiet_for_long_enough_are_forgotten(allowance, watch):
    take(allowance, ANN, 1)
    take(allowance, BO, 1)
    watch.advance(10)
    take(allowance, CY, 1)

    assert list(allowance._acts) == [CY]


def test_if_there_are_too_many_people_the_quietest_are_forgotten(allowance):
    for person in range(100):
        allowance.take(person)
    allowance.take(0)  # no longer the quietest
    allowance.take(100)

    assert len(allowance._acts) == 100
    assert 0 in allowance._acts
    assert 1 not in allowance._acts


def test_an_act_that_was_given_back_does_not_count(allowance):
    take(allowance, ANN, 3)

    allowance.give_back(ANN)

    assert take(allowance, ANN, 2) == [0, 10]


def test_giving_back_nothing_does_not_create_a_record(allowance):
    take(allowance, ANN, 1)
    allowance.give_back(ANN)
    allowance.give_back(ANN)
    allowance.give_back(BO)

    assert list(allowance._acts) == []


def test_a_person_can_make_thirty_clicks_in_ten_seconds(watch):
    flood = FloodControl(30, watch)
    for _ in range(30):
        flood.admit(ANN)
    watch.advance(3)

    with pytest.raises(HurriedError) as refused:
        flood.admit(ANN)

    assert (WITHIN_SECONDS, watch.now) == (10.0, NOW + 3)
    assert sentence(refused.value) == (
        "Slow down, please: that was more than 30 clicks in 10 seconds. Try again in 7 seconds; "
        "your earlier choices are safe."
    )


def test_a_wait_of_one_second_is_written_in_the_singular(watch):
    flood = FloodControl(1, watch)
    flood.admit(ANN)
    watch.advance(9.5)

    with pytest.raises(HurriedError, match="Try again in 1 second; "):
        flood.admit(ANN)
