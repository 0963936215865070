"""Discord's events don't always follow its documentation; that costs one event and ends nothing."""

import asyncio
import copy

import pytest
from structlog.testing import capture_logs

from sandbox.interactions import InteractionType


def without(key):
    return lambda payload: payload.pop(key)


def with_(**fields):
    return lambda payload: payload.update(fields)


STRANGE = {
    "no limit of files": without("attachment_size_limit"),
    "no version": without("version"),
    "no data": without("data"),
    "no kind": without("type"),
    "strange owners": with_(authorizing_integration_owners={"server": "1"}),
    "a strange entitlement": with_(entitlements=[{"id": "1"}]),
    "a modal without fields": with_(type=5, data={"custom_id": "f1:1:0:pick:7"}),
    "a click without a custom_id": with_(data={"component_type": 2}),
    "a click on nothing known": with_(data={"custom_id": "f1:1:0:pick:7"}),
}


def sent(table, person, channel, data, kind=InteractionType.COMPONENT, **more):
    """An interaction that was started but not delivered, and the payload that the bot would get."""
    interactions, held = table.discord.interactions, []
    deliver, interactions.deliver = interactions.deliver, lambda _, payload: held.append(payload)
    begun = interactions.start(kind, person.user, channel, data, **more)
    interactions.deliver = deliver
    return begun, copy.deepcopy(held[0])


def dispatch(table, name, data):
    (session,) = table.discord.gateway.sessions.values()
    session.dispatch(name, data)


async def still_there(table):
    """Wait until a command has been answered, and check that the session is still the same."""
    async with asyncio.timeout(10):  # a client that has stopped never answers
        answer = await table.person("Ann").slash("games", channel="games")
    assert answer.message is not None
    assert table.discord.gateway.identified == 1


@pytest.mark.parametrize("change", STRANGE.values(), ids=STRANGE)
async def test_an_unreadable_interaction_ends_no_session(table, change):
    public = await table.challenge()
    ann, data = table.person("Ann"), {"custom_id": "f1:1:0:rules:", "component_type": 2}
    channel = table.discord.world.channel("games")
    _, payload = sent(table, ann, channel, data, source=public)
    change(payload)

    with capture_logs() as logs:
        dispatch(table, "INTERACTION_CREATE", payload)
        await still_there(table)

    (line,) = [line for line in logs if line["log_level"] == "error"]
    assert line["event"] == "event not understood"
    assert line["event_name"] == "INTERACTION_CREATE"
    assert "exc_info" not in line


EVENTS = [
    ("A_KIND_OF_EVENT_TO_COME", {"field": 1}),
    ("GUILD_CREATE", {"id": "5", "unavailable": False, "channels": [{"id": "6"}]}),
    ("GUILD_UPDATE", {"name": "a server"}),
    ("GUILD_DELETE", {}),
    ("CHANNEL_CREATE", {"type": 0}),
    ("CHANNEL_UPDATE", {}),
    ("CHANNEL_DELETE", {"id": "6"}),
    ("THREAD_CREATE", {}),
    ("THREAD_UPDATE", {"id": "6"}),
    ("THREAD_DELETE", {"id": "6"}),
    ("THREAD_LIST_SYNC", {}),
    ("THREAD_MEMBERS_UPDATE", {}),
    ("GUILD_ROLE_UPDATE", {}),
    ("GUILD_MEMBER_UPDATE", {}),
    ("GUILD_MEMBERS_CHUNK", {"members": []}),
    ("ENTITLEMENT_CREATE", {}),
    ("RATE_LIMITED", {"opcode": 8, "retry_after": 5.0, "meta": {}}),
]


@pytest.mark.parametrize(("name", "data"), EVENTS, ids=[name for name, _ in EVENTS])
async def test_an_unreadable_event_ends_no_session(table, name, data):
    with capture_logs() as logs:
        dispatch(table, name, data)
        await still_there(table)

    assert all("exc_info" not in line for line in logs)


async def test_a_session_that_cannot_begin_is_ended(table):
    """Otherwise the shard would look connected but have no servers, and do nothing."""
    parsers = table.bot._connection.parsers

    with pytest.raises(KeyError):
        parsers["READY"]({})


UNREAD = {
    "a kind of command to come": with_(type=9),
    "no name": without("name"),
    "an option without a name": with_(options=[{"type": 3, "value": "x"}]),
    "an option without a value": with_(options=[{"type": 3, "name": "game"}]),
    "no list of options": with_(options=None),
}


@pytest.mark.parametrize("change", UNREAD.values(), ids=UNREAD)
async def test_an_unreadable_command_gets_a_sentence(table, change):
    ann, channel = table.person("Ann"), table.discord.world.channel("games")
    data = {"id": "1", "name": "games", "type": 1, "options": []}
    change(data)

    with capture_logs() as logs:
        async with asyncio.timeout(10):
            answer = await ann._do(InteractionType.COMMAND, channel, data)

    assert answer.text == "This command has changed. Reload Discord and try it again."
    assert answer.message.ephemeral_to == ann.id
    assert [line["event"] for line in logs if line["log_level"] == "error"] == [
        "command not understood"
    ]


async def test_autocompletion_of_an_unreadable_command_gets_no_list(table):
    channel = table.discord.world.channel("games")
    data = {"id": "1", "name": "games", "type": 1, "options": [{"type": 3, "focused": True}]}
    begun, payload = sent(
        table, table.person("Ann"), channel, data, kind=InteractionType.AUTOCOMPLETE
    )

    with capture_logs() as logs:
        dispatch(table, "INTERACTION_CREATE", payload)
        await still_there(table)

    assert begun.callback is None
    assert "command not understood" in [line["event"] for line in logs]


@pytest.mark.parametrize("resolved", [{}, {"users": {}}])
async def test_a_person_without_resolved_data_is_not_found(table, resolved):
    ann, channel = table.person("Ann"), table.discord.world.channel("games")
    option = {"type": 6, "name": "opponent", "value": str(table.person("Bo").id)}
    play = {"type": 1, "name": "play", "options": [option]}
    data = {"id": "1", "name": "pico", "type": 1, "options": [play], "resolved": resolved}

    answer = await ann._do(InteractionType.COMMAND, channel, data)

    assert answer.text == "I can't find that person. Pick someone in this server."


@pytest.mark.parametrize("nothing", [{"custom_id": None}, {"values": None}])
async def test_a_click_without_a_custom_id_or_values_gets_a_sentence(table, nothing):
    public, ann = await table.challenge(), table.person("Ann")
    channel = table.discord.world.channel("games")
    data = {"custom_id": "f1:1:0:rules:", "component_type": 2, **nothing}

    answer = await ann._do(InteractionType.COMPONENT, channel, data, public)

    assert answer.text == "This button is out of date. Use a newer message."
