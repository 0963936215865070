"""Faults that a test or a user orders, and double delivery."""

import asyncio
from dataclasses import fields
from io import BytesIO

import aiohttp
import discord as library
import pytest

from sandbox import Fault
from sandbox.faults import Faults


async def send(rest, n=1, path=None):
    return [
        await rest("POST", f"{path or rest.games}/messages", {"content": "x"}) for _ in range(n)
    ]


async def test_a_fault_answers_with_the_code_that_was_ordered(refusing, rest):
    refusing.faults.add(Fault(status=403, code=50007))

    (refused,) = await send(rest)

    assert (refused.status, refused.body["code"]) == (403, 50007)


async def test_an_error_without_a_code_is_a_page_as_from_a_proxy(refusing, rest):
    refusing.faults.add(Fault(status=502))
    refusing.faults.add(Fault(status=500, code=131000))

    page, told = await send(rest, 2)

    assert page.headers["Content-Type"].startswith("text/html")
    assert isinstance(page.body, str)
    assert told.body["code"] == 131000


async def test_the_retry_after_header_of_a_429_is_rounded_up_to_whole_seconds(refusing, rest):
    refusing.faults.add(Fault(status=429, retry_after=65.2))

    (refused,) = await send(rest)

    assert (refused.body["retry_after"], refused.headers["Retry-After"]) == (65.2, "66")


async def test_discord_py_waits_after_a_429_and_tries_again(discord, bot):
    discord.faults.add(Fault(status=429, method="POST", path=r"/messages$", retry_after=0.01))
    channel = bot.get_channel(discord.world.channel("games").id)

    await channel.send("at last")

    statuses = [e.status for e in discord.requests if e.path.endswith("/messages")]
    assert statuses == [429, 200]


async def test_a_fault_can_wait_for_a_request_with_a_certain_text(refusing, rest):
    refusing.faults.add(Fault(status=403, saying='"content": "y"'))

    (first,) = await send(rest)
    second = await rest("POST", f"{rest.games}/messages", {"content": "y"})

    assert (first.status, second.status) == (200, 403)


async def test_a_fault_can_replace_fields_of_an_answer(refusing, rest):
    refusing.faults.add(Fault(method="POST", body={"flags": 4, "content": None}))

    told, plain = await send(rest, 2)

    assert (told.status, told.body["flags"], told.body["content"]) == (200, 4, None)
    assert refusing.world.messages[int(told.body["id"])].content == "x"
    assert plain.body["content"] == "x"


async def test_a_fault_happens_as_often_and_where_it_was_ordered(refusing, rest):
    refusing.faults.add(Fault(status=503, method="POST", path=r"^/channels/\d+/messages$", times=2))

    replies = await send(rest, 3)
    other = await rest("GET", "/users/@me")

    assert [reply.status for reply in replies] == [503, 503, 200]
    assert other.status == 200
    assert len(refusing.person("Ann").see("games")) == 1


async def test_a_request_whose_answer_is_lost_is_carried_out(refusing, rest):
    refusing.faults.add(Fault(drop=True, after=True))
    with pytest.raises(aiohttp.ClientConnectionError):
        await send(rest)

    refusing.faults.add(Fault(status=500, after=True))
    (answered,) = await send(rest)

    assert answered.status == 500
    assert len(refusing.person("Ann").see("games")) == 2
    assert refusing.requests[0].status is None


async def test_a_lost_request_is_not_carried_out(refusing, rest):
    refusing.faults.add(Fault(drop=True))

    with pytest.raises(aiohttp.ClientConnectionError):
        await send(rest)

    assert refusing.person("Ann").see("games") == []


async def test_a_request_that_is_cut_off_is_not_carried_out(refusing, rest):
    """A bot that dies while it is sending has sent nothing."""
    port = int(refusing.url.rpartition(":")[2])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = f"POST /api/v10{rest.games}/messages HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    writer.write(f"{head}Expect: 100-continue\r\nContent-Length: 100\r\n\r\n{{".encode())
    await reader.readuntil(b"\r\n\r\n")
    begun = list(refusing.requests)

    with refusing.world.events.queue() as events:
        writer.close()
        await events.get()

    assert len(begun) == 1
    assert refusing.requests == []


async def test_a_slow_answer_comes_in_the_end(refusing, rest):
    refusing.faults.add(Fault(delay=0.05))
    loop = asyncio.get_running_loop()
    before = loop.time()

    (reply,) = await send(rest)

    assert reply.status == 200
    assert loop.time() - before >= 0.05


async def test_faults_end_when_they_are_cleared(refusing, rest):
    refusing.faults.add(Fault(status=500, times=None))
    assert [reply.status for reply in await send(rest, 2)] == [500, 500]

    refusing.faults.clear()

    assert (await send(rest))[0].status == 200


def test_clearing_resets_every_switch():
    faults = Faults()
    faults.add(Fault(status=500))
    for switch in fields(faults):
        if switch.name != "ordered":
            setattr(faults, switch.name, "turned")

    faults.clear()

    assert faults == Faults()


@pytest.mark.parametrize("wrong", [{"status": 200}, {"method": "SEND"}])
def test_an_impossible_fault_is_refused(wrong):
    with pytest.raises(ValueError, match=r"error|method"):
        Fault(**wrong)


def callbacks_of(discord):
    return [request for request in discord.requests if request.path.endswith("/callback")]


async def test_an_interaction_that_is_delivered_twice_is_answered_once(discord, bot):
    discord.faults.deliver_twice = True

    answer = await discord.person("Ann").slash("say", channel="games", text="x")
    await discord.until(lambda: 400 in {request.status for request in callbacks_of(discord)})

    callbacks = callbacks_of(discord)
    assert sorted(e.status for e in callbacks) == [200, 400]
    assert [e.response["code"] for e in callbacks if e.status == 400] == [40060]
    assert discord.person("Bo").see("games") == [answer.message]


async def test_requests_are_logged_as_they_were_sent(discord, bot):
    channel = bot.get_channel(discord.world.channel("games").id)

    await channel.send("x", file=library.File(BytesIO(b"abc"), "a.txt"))

    request = discord.requests[-1]
    assert (request.method, request.path) == ("POST", f"/channels/{channel.id}/messages")
    assert request.json["content"] == "x"
    assert [name for name, _ in request.files] == ["a.txt"]
    assert request.multipart
    assert request.counted
    assert request.route == "POST /channels/{channel}/messages"
