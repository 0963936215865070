"""When a message that Discord didn't accept is retried."""

import pytest

from bot.messaging.failures import PASSING_FAILURES, Failure
from bot.scheduling.retries import Retries
from tests.support.clock import HOUR

CERTAIN = sorted(PASSING_FAILURES - {Failure.TROUBLE}, key=lambda failure: failure.name)
"""How Discord refuses a message that has certainly not arrived."""


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
def test_a_message_that_may_have_arrived_is_retried_while_its_nonce_is_known(
    retries, watch, taking, expected
):
    assert pauses(retries, watch, tries=4, taking=taking) == expected


def test_after_the_clock_was_set_back_the_nonce_counts_as_unknown(retries, watch):
    pauses(retries, watch, tries=1)

    watch.advance(-HOUR)

    assert not retries.will_retry_soon(7)
    assert pauses(retries, watch, tries=1) == [300]


def test_each_message_has_its_own_retries(retries, watch):
    pauses(retries, watch, tries=3)

    assert retries.after(8, watch(), Failure.TROUBLE) == int(watch()) + 20


@pytest.mark.parametrize("failure", CERTAIN)
def test_a_message_that_was_certainly_refused_can_wait_longer(retries, watch, failure):
    assert retries.after(7, watch(), failure) == int(watch()) + 300
