"""What the library is given of channels, whatever Discord sends of those the bot can't view."""

from types import SimpleNamespace

import pytest

from bot.messaging.hidden_channels import OBFUSCATED, is_hidden, with_readable_channels

CLOSED = {"id": "1", "type": 0, "allow": "0", "deny": "1024"}


def channel(**fields):
    told = {"id": "2", "type": 0, "guild_id": "1", "position": 3, "parent_id": None, "flags": 0}
    return told | {"name": "games", "permission_overwrites": []} | fields


def hidden(**fields):
    return channel(name="___hidden___", flags=OBFUSCATED, **fields)


def handed(name, data):
    """The data that the library's parser of this event is given."""
    found = []
    with_readable_channels(name, found.append)(data)
    return found[0]


@pytest.mark.parametrize("name", ["CHANNEL_CREATE", "CHANNEL_UPDATE"])
def test_a_channel_that_can_be_viewed_is_unchanged(name):
    assert handed(name, channel(topic="Cards")) == channel(topic="Cards")


@pytest.mark.parametrize("overwrites", [{}, {"permission_overwrites": None}])
def test_a_hidden_channel_denies_everybody_and_has_no_false_values(overwrites):
    sent = hidden(available_tags=None, topic=None, **overwrites)

    assert handed("CHANNEL_UPDATE", sent) == hidden(permission_overwrites=[CLOSED])


def test_a_hidden_voice_channel_has_the_fields_that_the_library_requires():
    told = handed("CHANNEL_CREATE", hidden(type=2))

    assert {"bitrate", "user_limit"} <= set(told)


def test_a_server_has_all_its_channels():
    sent = {"id": "1", "channels": [channel(), hidden(id="4", topic=None)]}

    first, second = handed("GUILD_CREATE", sent)["channels"]

    assert first == channel()
    assert second == hidden(id="4", permission_overwrites=[CLOSED])


def test_a_server_in_an_outage_has_no_channels():
    sent = {"id": "1", "unavailable": True}

    assert handed("GUILD_CREATE", sent) == sent


def test_a_channel_counts_as_hidden_if_the_bots_own_member_is_unknown():
    assert is_hidden(SimpleNamespace(guild=SimpleNamespace(me=None)))
