"""Time limits, with a clock that tests move."""

import asyncio
from datetime import timedelta

import pytest

PING = {"name": "ping", "description": "Ping"}
MINUTES_15 = timedelta(minutes=15)


@pytest.fixture
def started(refusing):
    """A command that Ann has used while no bot is running."""
    refusing.commands.overwrite(None, [PING])
    refusing.clock.freeze()
    ann = refusing.person("Ann")
    data = {"id": "1", "name": "ping", "type": 1, "options": []}
    return refusing.interactions.start(2, ann.user, refusing.world.channel("games"), data)


def callback(interaction):
    return f"/interactions/{interaction.id}/{interaction.token}/callback"


def webhook(sandbox, interaction, rest=""):
    return f"/webhooks/{sandbox.world.bot.id}/{interaction.token}{rest}"


HELLO = {"type": 4, "data": {"content": "hello"}}


async def test_without_an_answer_in_3_seconds_people_read_that_the_application_did_not_respond(
    refusing,
):
    refusing.commands.overwrite(None, [PING])
    refusing.clock.freeze()
    with refusing.world.events.queue() as events:
        task = asyncio.create_task(refusing.person("Ann").slash("ping", channel="games"))
        assert (await events.get()).kind == "interaction_started"

        refusing.clock.advance(timedelta(seconds=3))
        answer = await task

        assert answer.failed == "The application did not respond"
        assert (await events.get()).kind == "interaction_failed"


async def test_an_answer_in_the_third_second_is_in_time(refusing, rest, started):
    refusing.clock.advance(timedelta(seconds=3))

    assert (await rest("POST", callback(started), HELLO)).status == 204


async def test_a_late_answer_is_unknown(refusing, rest, started):
    refusing.clock.advance(timedelta(seconds=3.1))

    reply = await rest("POST", callback(started), HELLO)

    assert (reply.status, reply.code) == (404, 10062)


async def test_a_second_answer_is_refused(rest, started):
    await rest("POST", callback(started), HELLO)

    reply = await rest("POST", callback(started), HELLO)

    assert (reply.status, reply.code) == (400, 40060)


async def test_after_a_refused_answer_another_one_is_accepted(rest, started):
    refused = await rest("POST", callback(started), {"type": 4, "data": {"content": ""}})
    assert (refused.status, refused.code) == (400, 50006)

    assert (await rest("POST", callback(started), HELLO)).status == 204


async def test_a_token_is_valid_for_15_minutes(refusing, rest, started):
    await rest("POST", callback(started), HELLO)
    refusing.clock.advance(MINUTES_15)
    edited = await rest(
        "PATCH", webhook(refusing, started, "/messages/@original"), {"content": "b"}
    )
    assert edited.status == 200

    refusing.clock.advance(timedelta(seconds=1))
    for method, path in [
        ("PATCH", "/messages/@original"),
        ("GET", "/messages/@original"),
        ("DELETE", "/messages/@original"),
        ("POST", ""),
    ]:
        body = {"content": "c"} if method in ("PATCH", "POST") else None
        reply = await rest(method, webhook(refusing, started, path), body)
        assert (reply.status, reply.code) == (401, 50027)


@pytest.mark.parametrize("path", ["", "/messages/@original"])
async def test_before_the_answer_the_webhook_is_unknown(refusing, rest, started, path):
    method = "PATCH" if path else "POST"

    reply = await rest(method, webhook(refusing, started, path), {"content": "early"})

    assert (reply.status, reply.code) == (404, 10015)


async def test_sending_twice_with_the_same_nonce_returns_the_first_message(refusing, rest):
    body = {"content": "once", "nonce": "m1-s2-table", "enforce_nonce": True}
    first = await rest("POST", f"{rest.games}/messages", body)
    again = await rest("POST", f"{rest.games}/messages", {**body, "content": "twice"})

    assert again.body["id"] == first.body["id"]
    assert again.body["content"] == "once"
    assert len(refusing.person("Ann").see("games")) == 1


async def test_a_nonce_applies_to_all_channels_of_its_author(refusing, rest):
    body = {"content": "once", "nonce": 7, "enforce_nonce": True}
    first = await rest("POST", f"{rest.games}/messages", body)
    lobby = refusing.world.channel("lobby").id

    elsewhere = await rest("POST", f"/channels/{lobby}/messages", body)

    assert elsewhere.body["id"] == first.body["id"]
    assert refusing.world.history[lobby] == []


async def test_a_nonce_is_forgotten_after_some_minutes(refusing, rest):
    body = {"content": "once", "nonce": 7, "enforce_nonce": True}
    first = await rest("POST", f"{rest.games}/messages", body)

    refusing.clock.advance(timedelta(minutes=6))

    later = await rest("POST", f"{rest.games}/messages", body)
    assert later.body["id"] != first.body["id"]


async def test_the_nonce_of_a_deleted_message_is_refused_as_unknown_for_some_minutes(
    refusing, rest
):
    body = {"content": "once", "nonce": 7, "enforce_nonce": True}
    first = await rest("POST", f"{rest.games}/messages", body)
    await rest("DELETE", f"{rest.games}/messages/{first.body['id']}")

    again = await rest("POST", f"{rest.games}/messages", body)
    refusing.clock.advance(timedelta(minutes=6))
    later = await rest("POST", f"{rest.games}/messages", body)

    assert (again.status, again.code, later.status) == (404, 10008, 200)


async def test_a_nonce_that_is_not_enforced_has_no_effect(rest):
    body = {"content": "once", "nonce": "n"}
    first = await rest("POST", f"{rest.games}/messages", body)

    assert (await rest("POST", f"{rest.games}/messages", body)).body["id"] != first.body["id"]


async def test_edits_of_messages_older_than_an_hour_have_their_own_limit(refusing, rest):
    sent = await rest("POST", f"{rest.games}/messages", {"content": "a"})
    path = f"{rest.games}/messages/{sent.body['id']}"
    refusing.clock.freeze()
    for n in range(10):
        assert (await rest("PATCH", path, {"content": f"young {n}"})).status == 200

    refusing.clock.advance(timedelta(hours=1, seconds=1))
    refusing.limits.clock.freeze()
    refusing.limits.clock.advance(timedelta(seconds=5))  # the bucket of all edits is full again
    statuses = [(await rest("PATCH", path, {"content": f"{n}"})).status for n in range(4)]
    last = await rest("PATCH", path, {"content": "x"})

    assert statuses == [200, 200, 200, 429]
    assert (last.status, last.code) == (429, 30046)
    assert 0 < last.body["retry_after"] <= 20
    refusing.limits.clock.advance(timedelta(seconds=21))
    assert (await rest("PATCH", path, {"content": "y"})).status == 200


async def test_a_thawed_clock_continues_from_the_time_at_which_it_stopped(refusing):
    clock = refusing.clock
    clock.freeze()
    clock.advance(timedelta(days=1))
    stood = clock.now()
    assert clock.now() == stood

    clock.thaw()

    assert timedelta() <= clock.now() - stood < timedelta(minutes=1)
    with pytest.raises(ValueError, match="only moves forward"):
        clock.advance(timedelta(seconds=-1))
