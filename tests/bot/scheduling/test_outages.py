"""Servers in an outage: how long it lasts, and what happens when another one follows."""

import pytest

from bot.scheduling.outages import Outages


@pytest.fixture
def outages(watch):
    return Outages(watch)


def test_a_server_rests_until_its_clock_is_resumed(outages):
    outages.begin(1)
    outages.begin(2)

    assert outages.end(1)
    assert (outages.servers, outages.over) == ({1, 2}, {1})
    outages.resume(outages.over)
    assert (outages.servers, outages.over) == ({2}, set())


def test_ending_an_outage_that_never_began_does_nothing(outages):
    assert not outages.end(1)
    assert outages.over == set()


def test_an_outage_reported_twice_began_the_first_time(outages, watch):
    outages.begin(1)
    watch.advance(20)
    outages.begin(1)
    outages.begin(2)
    watch.advance(10)

    assert outages.lasted(frozenset({1, 2})) == {60: {1}}


def test_a_new_outage_during_grace_keeps_the_server_resting(outages):
    outages.begin(1)
    outages.end(1)
    over = outages.over
    outages.begin(1)

    outages.resume(over)

    assert (outages.servers, outages.over) == ({1}, set())
