"""The time control of a challenge in a server that has turned reserves off."""

import pytest

from bot.errors import NotAllowedHereError
from bot.matches.time_off import time_control_of
from bot.storage.guilds import GuildRecord
from tests.support.matches import GUILD


@pytest.mark.parametrize(
    ("named", "usual", "expected"),
    [
        (None, "slow_reserve", "slow"),
        (None, "today_reserve", "today"),
        (None, None, "slow"),
        ("live", "slow_reserve", "live"),
    ],
)
def test_without_reserves_the_same_time_control_without_a_reserve_is_used(named, usual, expected):
    barred = frozenset({"reserve"})
    settings = GuildRecord(guild=GUILD, time_control=usual, time_off_barred=barred)

    assert time_control_of(settings, named) == expected


def test_asking_for_a_reserve_is_refused_if_reserves_are_turned_off():
    settings = GuildRecord(guild=GUILD, time_off_barred=frozenset({"reserve"}))

    with pytest.raises(NotAllowedHereError, match="Reserve time is turned off in this server"):
        time_control_of(settings, "slow_reserve")


@pytest.mark.parametrize(
    ("named", "expected"),
    [(None, "today"), ("slow_reserve", "slow"), ("live", "live"), ("none", "none")],
)
def test_a_pace_that_may_differ_loses_its_reserve_instead_of_being_refused(named, expected):
    barred = frozenset({"reserve"})
    settings = GuildRecord(guild=GUILD, time_control="today_reserve", time_off_barred=barred)

    assert time_control_of(settings, named, may_differ=True) == expected
    assert time_control_of(GuildRecord(guild=GUILD), "slow_reserve", may_differ=True) == (
        "slow_reserve"
    )
