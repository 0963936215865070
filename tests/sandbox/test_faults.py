"""Rate limits, errors on order, double delivery."""

import asyncio
from datetime import timedelta
from io import BytesIO

import aiohttp
import discord as library
import pytest

from sandbox import Fault


async def send(rest, n=1, path=None):
    return [
        await rest("POST", f"{path or rest.games}/messages", {"content": "x"}) for _ in range(n)
    ]


async def test_every_answer_tells_its_bucket(rest):
    (reply,) = await send(rest)

    names = ("Limit", "Remaining", "Reset", "Reset-After", "Bucket")
    assert all(f"X-RateLimit-{name}" in reply.headers for name in names)
    assert int(reply.headers["X-RateLimit-Remaining"]) > 900


async def test_a_fault_answers_with_the_code_that_was_ordered(refusing, rest):
    refusing.faults.add(Fault(status=403, code=50007))

    (refused,) = await send(rest)

    assert (refused.status, refused.body["code"]) == (403, 50007)


async def test_an_exhausted_bucket_answers_429(refusing, rest):
    refusing.faults.rate_limits = True
    refusing.clock.freeze()

    *granted, last = await send(rest, 6)

    remaining = [int(reply.headers["X-RateLimit-Remaining"]) for reply in granted]
    assert remaining == [4, 3, 2, 1, 0]
    assert last.status == 429
    assert (last.body["global"], last.body["retry_after"]) == (False, 5.0)
    assert last.headers["X-RateLimit-Scope"] == "user"
    assert last.headers["Retry-After"] == "5"
    assert last.headers["Via"] == "1.1 google"


async def test_a_bucket_is_full_again_after_its_window_and_another_channel_has_its_own(
    refusing, rest
):
    refusing.faults.rate_limits = True
    refusing.clock.freeze()
    await send(rest, 5)

    lobby = f"/channels/{refusing.world.channel('lobby').id}"
    assert (await send(rest, 1, lobby))[0].status == 200
    refusing.clock.advance(timedelta(seconds=5))
    assert (await send(rest))[0].status == 200


async def test_more_than_50_requests_a_second_hit_the_global_limit(refusing, rest):
    refusing.faults.rate_limits = True
    refusing.clock.freeze()
    channels = [refusing.world.add_channel(f"room-{n}") for n in range(11)]
    replies = [r for c in channels for r in await send(rest, 5, f"/channels/{c.id}")]

    assert [reply.status for reply in replies] == [200] * 50 + [429] * 5
    assert replies[-1].body["global"] is True
    assert replies[-1].headers["X-RateLimit-Scope"] == "global"
    assert len(refusing.limits.invalid) == 5


async def test_answers_to_interactions_do_not_count_toward_the_50(discord, bot):
    await discord.person("Ann").slash("say", channel="games", text="x")
    await discord.person("Ann").slash("do", channel="games", act="think")
    await discord.until(lambda: len(discord.person("Ann").see("games")) == 3)

    counted = {request.counted for request in discord.requests if "/commands" in request.path}
    free = [e for e in discord.requests if e.path.startswith(("/interactions", "/webhooks"))]
    assert counted == {True}
    assert len(free) == 4
    assert not any(request.counted for request in free)


async def test_discord_py_waits_for_a_429_and_tries_again(discord, bot):
    discord.faults.add(Fault(status=429, method="POST", path=r"/messages$", retry_after=0.01))
    channel = bot.get_channel(discord.world.channel("games").id)

    await channel.send("at last")

    statuses = [e.status for e in discord.requests if e.path.endswith("/messages")]
    assert statuses == [429, 200]


async def test_a_fault_waits_for_the_request_that_says_something(refusing, rest):
    refusing.faults.add(Fault(status=403, saying='"content": "y"'))

    (first,) = await send(rest)
    second = await rest("POST", f"{rest.games}/messages", {"content": "y"})

    assert (first.status, second.status) == (200, 403)


async def test_a_fault_tells_fields_of_an_answer_otherwise(refusing, rest):
    refusing.faults.add(Fault(method="POST", body={"flags": 4, "content": None}))

    told, plain = await send(rest, 2)

    assert (told.status, told.body["flags"], told.body["content"]) == (200, 4, None)
    assert refusing.world.messages[int(told.body["id"])].content == "x"
    assert plain.body["content"] == "x"


async def test_a_fault_happens_as_often_as_ordered_and_where(refusing, rest):
    refusing.faults.add(Fault(status=503, method="POST", path=r"^/channels/\d+/messages$", times=2))

    replies = await send(rest, 3)
    other = await rest("GET", "/users/@me")

    assert [reply.status for reply in replies] == [503, 503, 200]
    assert other.status == 200
    assert len(refusing.person("Ann").see("games")) == 1


async def test_a_lost_answer_is_lost_after_the_deed(refusing, rest):
    refusing.faults.add(Fault(drop=True, after=True))
    with pytest.raises(aiohttp.ClientConnectionError):
        await send(rest)

    refusing.faults.add(Fault(status=500, after=True))
    (answered,) = await send(rest)

    assert answered.status == 500
    assert len(refusing.person("Ann").see("games")) == 2
    assert refusing.requests[0].status is None


async def test_a_lost_request_does_nothing(refusing, rest):
    refusing.faults.add(Fault(drop=True))

    with pytest.raises(aiohttp.ClientConnectionError):
        await send(rest)

    assert refusing.person("Ann").see("games") == []


async def test_a_request_that_breaks_off_in_the_middle_was_never_made(refusing, rest):
    """A bot that dies while it sends has sent nothing."""
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


@pytest.mark.parametrize("wrong", [{"status": 200}, {"method": "SEND"}])
def test_a_fault_must_make_sense(wrong):
    with pytest.raises(ValueError, match=r"error|method"):
        Fault(**wrong)


def callbacks_of(discord):
    return [request for request in discord.requests if request.path.endswith("/callback")]


async def test_an_interaction_that_comes_twice_is_answered_once(discord, bot):
    discord.faults.deliver_twice = True

    answer = await discord.person("Ann").slash("say", channel="games", text="x")
    await discord.until(lambda: 400 in {request.status for request in callbacks_of(discord)})

    callbacks = callbacks_of(discord)
    assert sorted(e.status for e in callbacks) == [200, 400]
    assert [e.response["code"] for e in callbacks if e.status == 400] == [40060]
    assert discord.person("Bo").see("games") == [answer.message]


async def test_the_record_holds_what_was_sent(discord, bot):
    channel = bot.get_channel(discord.world.channel("games").id)

    await channel.send("x", file=library.File(BytesIO(b"abc"), "a.txt"))

    request = discord.requests[-1]
    assert (request.method, request.path) == ("POST", f"/channels/{channel.id}/messages")
    assert request.json["content"] == "x"
    assert [name for name, _ in request.files] == ["a.txt"]
    assert request.multipart
    assert request.counted
    assert request.route == "POST /channels/{channel}/messages"
