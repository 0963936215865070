"""When a message that Discord didn't accept is retried."""

import pytest

from bot.messaging.failures import PASSING_FAILURES, Failure
from bot.scheduling.retries import Retries
from tests.support.clock import HOUR


@pytest.fixture
def retries(watch):
    return Retries(watch)


def pauses(retries, watch, *, tries, taking=0):
    """Return the seconds before each retry of one message; each try takes `taking` seconds."""
    found = []
    for _ in range(tries):
        begun = watch()
        watch.advance(taking)
        due_at = retries.after(7, begun, Failure.TROUBLE)
        found.append(due_at - int(watch()))
        watch.advance(found[-1])
    return found


@pytest.mark.parametrize(
    ("taking", "expected"),
    [(0, [20, 20, 300, 300]), (10, [20, 300, 300, 300]), (45, [300, 300, 300, 300])],
)
def test_what_may_have_arrived_is_tried_again_while_discord_certainly_knows_its_nonce(
    retries, watch, taking, expected
):
    assert pauses(retries, watch, tries=4, taking=taking) == expected


def test_after_the_clock_was_set_back_nobody_can_tell_whether_discord_knows_the_nonce(
    retries, watch
):
    pauses(retries, watch, tries=1)

    watch.advance(-HOUR)

    assert not retries.comes_once(7)
    assert pauses(retries, watch, tries=1) == [300]


def test_each_message_has_its_own_time(retries, watch):
    pauses(retries, watch, tries=3)

    assert retries.after(8, watch(), Failure.TROUBLE) == int(watch()) + 20


@pytest.mark.parametrize(
    "failure", sorted(PASSING_FAILURES - {Failure.TROUBLE}, key=lambda failure: failure.name)
)
def test_what_was_refused_for_a_while_has_not_arrived_and_can_wait(retries, watch, failure):
    assert retries.after(7, watch(), failure) == int(watch()) + 300
