"""Sessions of the gateway: how they end, and how they are resumed."""

from datetime import timedelta

import pytest

from sandbox.sessions import REPLAYABLE_DISPATCHES, SESSION_LIFETIME

GREETED = 2
"""The sequence number after the first dispatches of a connection: READY, GUILD_CREATE."""


async def begun(sandbox, wire):
    """A connection that has received READY and GUILD_CREATE, and the id of its session."""
    connection = await wire()
    await connection.identify(sandbox)
    session = (await connection.hear_until("READY"))["d"]["session_id"]
    await connection.hear_until("GUILD_CREATE")
    return connection, session


async def lost_connection(sandbox):
    await sandbox.drop_connections()
    await sandbox.until(lambda: not sandbox.gateway.is_ready())


async def missed(sandbox, wire):
    """The id of a session whose connection was lost before something happened."""
    _, session = await begun(sandbox, wire)
    await lost_connection(sandbox)
    sandbox.world.add_channel("missed")
    return session


async def resumed(sandbox, wire, session, sequence):
    """A connection that has sent RESUME for a session."""
    connection = await wire()
    await connection.hear()
    await connection.say(6, {"token": sandbox.token, "session_id": session, "seq": sequence})
    return connection


async def test_a_resumed_session_receives_what_it_missed(refusing, wire):
    session = await missed(refusing, wire)

    second = await resumed(refusing, wire, session, GREETED)

    told = await second.hear()
    assert (told["t"], told["d"]["name"]) == ("CHANNEL_CREATE", "missed")
    assert (await second.hear())["t"] == "RESUMED"


@pytest.mark.parametrize(
    ("away", "heard"),
    [
        (SESSION_LIFETIME - timedelta(seconds=1), ["CHANNEL_CREATE", "RESUMED"]),
        (SESSION_LIFETIME, [None]),
    ],
    ids=["in time", "too late"],
)
async def test_a_session_without_a_connection_is_kept_for_some_minutes(refusing, wire, away, heard):
    refusing.clock.freeze()
    _, session = await begun(refusing, wire)
    refusing.clock.advance(2 * SESSION_LIFETIME)  # doesn't matter while it is connected
    await lost_connection(refusing)
    refusing.world.add_channel("missed")
    refusing.clock.advance(away)

    second = await resumed(refusing, wire, session, GREETED)

    assert [(await second.hear()).get("t") for _ in heard] == heard


async def test_identifying_after_the_session_has_expired_sends_no_missed_events(refusing, wire):
    session = await missed(refusing, wire)
    refusing.clock.advance(SESSION_LIFETIME)
    second = await resumed(refusing, wire, session, GREETED)
    refused = await second.hear()

    refusing.limits.clock.advance(timedelta(seconds=5))
    await second.identify(refusing)
    ready, known = await second.hear(), await second.hear()
    await second.say(1, None)

    assert refused == {"op": 9, "d": False}
    assert (ready["t"], known["t"]) == ("READY", "GUILD_CREATE")
    assert ready["d"]["session_id"] != session
    assert "missed" in [channel["name"] for channel in known["d"]["channels"]]
    assert (await second.hear())["op"] == 11


@pytest.mark.parametrize(
    ("changes", "heard"),
    [
        ({"session_id": "x"}, {"op": 9, "d": False}),
        ({"seq": 999}, {"closed": 4007}),
        ({"token": "x"}, {"closed": 4004}),
    ],
    ids=["no such session", "from the future", "wrong token"],
)
async def test_a_bad_resume_is_refused(refusing, wire, changes, heard):
    first = await wire()
    await first.identify(refusing)
    ready = await first.hear_until("READY")
    second = await wire()
    await second.hear()
    data = {"token": refusing.token, "session_id": ready["d"]["session_id"], "seq": 1}

    await second.say(6, {**data, **changes})

    assert await second.hear() == heard


@pytest.mark.parametrize(("resumable", "heard"), [(True, "RESUMED"), (False, None)])
async def test_an_invalid_session_is_gone_unless_it_is_resumable(refusing, wire, resumable, heard):
    first, session = await begun(refusing, wire)
    await refusing.invalidate_sessions(resumable=resumable)
    assert await first.hear() == {"op": 9, "d": resumable}

    second = await resumed(refusing, wire, session, GREETED)

    assert (await second.hear()).get("t") == heard


@pytest.mark.parametrize(
    ("sequence", "heard"), [(GREETED, "MISSED"), (GREETED - 1, None)], ids=["all", "one too many"]
)
async def test_a_session_can_be_resumed_only_while_all_missed_events_are_kept(
    refusing, wire, sequence, heard
):
    _, session = await begun(refusing, wire)
    await lost_connection(refusing)
    for _ in range(REPLAYABLE_DISPATCHES):
        refusing.gateway.sessions[session].dispatch("MISSED", {})

    second = await resumed(refusing, wire, session, sequence)

    assert (await second.hear()).get("t") == heard


@pytest.mark.parametrize(("code", "heard"), [(1000, None), (1001, None), (4000, "RESUMED")])
async def test_closing_a_connection_with_1000_or_1001_ends_the_session(refusing, wire, code, heard):
    first, session = await begun(refusing, wire)

    await first._socket.close(code=code)
    await refusing.until(lambda: not refusing.gateway.is_ready())
    second = await resumed(refusing, wire, session, GREETED)

    assert (await second.hear()).get("t") == heard


async def test_resuming_a_session_closes_its_old_connection(refusing, wire):
    first, session = await begun(refusing, wire)

    second = await resumed(refusing, wire, session, GREETED)

    assert (await second.hear())["t"] == "RESUMED"
    assert await first.hear_until("never") == {"closed": 4005}


@pytest.mark.parametrize("shards", [1, 2])
async def test_a_shard_can_have_two_sessions_and_both_receive_events(refusing, connect, shards):
    """As when a new process takes over from an old one, even with another number of shards."""
    first = await connect()
    await first.hear_until("GUILD_CREATE")
    refusing.limits.clock.advance(timedelta(seconds=5))
    second = await connect(shard=[(refusing.world.guild.id >> 22) % shards, shards])
    await second.hear_until("GUILD_CREATE")

    refusing.world.add_channel("new")

    for connection in (first, second):
        assert (await connection.hear_until("CHANNEL_CREATE"))["d"]["name"] == "new"
