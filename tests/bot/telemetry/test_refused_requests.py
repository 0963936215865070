"""Refused requests are counted, and the bot stops before Discord bans its IP address."""

import pytest
from structlog.testing import capture_logs

from bot.telemetry.metrics import REFUSED
from bot.telemetry.refused_requests import (
    CALM,
    MAX_REFUSED,
    MAX_REFUSED_ANSWERS,
    RefusedRequests,
    RequestsStoppedError,
)
from tests.support.clock import MINUTE, Watch


@pytest.fixture
def watch():
    return Watch(1000.0)


@pytest.fixture
def refused(watch):
    return RefusedRequests(clock=watch)


def refuse(refused, times, status=403, scope=None):
    for _ in range(times):
        refused.note(status, scope)


def is_allowed(refused, *, is_answer=False):
    try:
        refused.check(is_answer=is_answer)
    except RequestsStoppedError:
        return False
    return True


@pytest.mark.parametrize("status", [401, 403, 429])
def test_statuses_that_discord_counts_are_counted(refused, status):
    before = REFUSED.labels(status)._value.get()

    refused.note(status, "user")

    assert REFUSED.labels(status)._value.get() == before + 1


@pytest.mark.parametrize(
    ("status", "scope"), [(200, None), (400, None), (404, None), (500, None), (429, "shared")]
)
def test_statuses_that_discord_does_not_count_stop_nothing(refused, status, scope):
    refuse(refused, MAX_REFUSED, status, scope)

    assert is_allowed(refused)
    assert not refused.stopped


def test_requests_stop_at_the_limit_of_refusals_and_the_log_says_so_once(refused):
    refuse(refused, MAX_REFUSED - 1)
    assert is_allowed(refused)

    with capture_logs() as logs:
        refuse(refused, 2)

    assert not is_allowed(refused)
    assert refused.stopped
    assert [(line["event"], line["log_level"]) for line in logs] == [
        ("requests stopped", "warning")
    ]


def test_refusals_spread_over_more_than_ten_minutes_stop_nothing(refused, watch):
    refuse(refused, MAX_REFUSED - 1)
    watch.advance(10 * MINUTE)

    refuse(refused, MAX_REFUSED - 1)

    assert is_allowed(refused)


def test_answers_to_interactions_continue_until_shortly_before_the_ban(refused):
    refuse(refused, MAX_REFUSED_ANSWERS - 1)
    assert is_allowed(refused, is_answer=True)

    refuse(refused, 1)

    assert not is_allowed(refused, is_answer=True)


def test_requests_resume_only_after_enough_refusals_have_expired(refused, watch):
    refuse(refused, MAX_REFUSED - CALM - 1)
    watch.advance(MINUTE)
    refuse(refused, CALM + 1)
    watch.advance(9 * MINUTE)
    assert not is_allowed(refused)  # one refusal too many is still counted

    watch.advance(MINUTE)
    with capture_logs() as logs:
        assert is_allowed(refused)
        assert is_allowed(refused)

    assert [line["event"] for line in logs] == ["requests go on"]
    refuse(refused, 1)
    assert is_allowed(refused)
