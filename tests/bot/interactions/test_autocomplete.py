"""Matches that are offered while the option of a command is typed."""

from bot.interactions.autocomplete import completions
from bot.interactions.choices import MAX_CHOICES
from bot.storage import MatchId
from bot.storage.match_list import Underway

HERE, THERE = 1, 2


def underway(count, *channels):
    return [
        Underway(MatchId(n), "pico", channels[n % len(channels)], paused=False)
        for n in range(1, count + 1)
    ]


def offered(matches, typed="", channels=(HERE, THERE)):
    """The offered match numbers, and the channels that `offers` was called with."""
    asked = []

    def offers(channel):
        asked.append(channel)
        return channel in channels

    found = completions(matches, None, typed, offers=offers)
    return [choice.value for choice in found], asked


def test_a_channel_is_checked_once_however_many_matches_it_has():
    """Permissions there are computed from all roles of the server, at each letter typed."""
    numbers, asked = offered(underway(1000, HERE, THERE), channels=[HERE])

    assert numbers == list(range(2, 2 * MAX_CHOICES + 1, 2))
    assert asked == [THERE, HERE]


def test_channels_whose_matches_would_not_be_offered_are_not_checked():
    many = underway(1000, *range(1000))

    assert offered(many, "match 9999") == ([], [])
    assert len(offered(many, channels=range(1000))[1]) == MAX_CHOICES
