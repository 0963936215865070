"""Rate limits of REST and of the gateway, which apply unless a test turns them off."""

from datetime import timedelta

import aiohttp
import pytest

from sandbox import Fault, Sandbox
from tests.support.bench import Bench
from tests.support.gateway_wire import Wire
from tests.support.rest_client import Rest


@pytest.fixture
async def limited():
    """A sandbox with Discord's real windows, and a stopped clock for its limits."""
    async with Sandbox() as sandbox:
        sandbox.limits.clock.freeze()
        yield sandbox


@pytest.fixture
async def hasty(limited):
    """A client that never waits for rate limits."""
    async with aiohttp.ClientSession() as session:
        yield Rest(limited, session, hurries=True)


async def send(rest, n=1, path=None):
    return [
        await rest("POST", f"{path or rest.games}/messages", {"content": "x"}) for _ in range(n)
    ]


async def test_every_answer_names_its_bucket(hasty):
    (reply,) = await send(hasty)

    names = ("Limit", "Remaining", "Reset", "Reset-After", "Bucket")
    assert all(f"X-RateLimit-{name}" in reply.headers for name in names)
    assert int(reply.headers["X-RateLimit-Remaining"]) == 4


async def test_an_exhausted_bucket_answers_429(hasty):
    *granted, last = await send(hasty, 6)

    remaining = [int(reply.headers["X-RateLimit-Remaining"]) for reply in granted]
    assert remaining == [4, 3, 2, 1, 0]
    assert last.status == 429
    assert (last.body["global"], last.body["retry_after"]) == (False, 5.0)
    assert last.headers["X-RateLimit-Scope"] == "user"
    assert last.headers["Retry-After"] == "5"
    assert last.headers["Via"] == "1.1 google"


async def test_a_bucket_refills_after_its_window_and_each_channel_has_its_own(limited, hasty):
    await send(hasty, 5)

    lobby = f"/channels/{limited.world.channel('lobby').id}"
    assert (await send(hasty, 1, lobby))[0].status == 200
    limited.limits.clock.advance(timedelta(seconds=5))
    assert (await send(hasty))[0].status == 200


async def test_more_than_50_requests_a_second_hit_the_global_limit(limited, hasty):
    channels = [limited.world.add_channel(f"room-{n}") for n in range(11)]
    replies = [r for c in channels for r in await send(hasty, 5, f"/channels/{c.id}")]

    assert [reply.status for reply in replies] == [200] * 50 + [429] * 5
    assert replies[-1].body["global"] is True
    assert replies[-1].headers["X-RateLimit-Scope"] == "global"
    assert len(limited.limits.invalid) == 5


async def test_answers_to_interactions_do_not_count_toward_the_50(discord, bot):
    await discord.person("Ann").slash("say", channel="games", text="x")
    await discord.person("Ann").slash("do", channel="games", act="think")
    await discord.until(lambda: len(discord.person("Ann").see("games")) == 3)

    counted = {request.counted for request in discord.requests if "/commands" in request.path}
    free = [e for e in discord.requests if e.path.startswith(("/interactions", "/webhooks"))]
    assert counted == {True}
    assert len(free) == 4
    assert not any(request.counted for request in free)


async def test_each_interaction_has_its_own_buckets_and_does_not_count_toward_the_50(
    limited, hasty
):
    limited.limits.recent.extend([limited.limits.clock.now()] * 50)
    bench, replies = Bench(limited, hasty), []
    for interaction in (bench.begin(), bench.begin()):
        await bench.answer(interaction, {"type": 4, "data": {"content": "x"}})
        more = {"content": "more"}
        replies += [await bench.webhook("POST", interaction, body=more) for _ in range(5)]

    assert (await hasty("GET", "/users/@me")).body["global"] is True
    assert [reply.status for reply in replies] == [200] * 10


async def starts(rest):
    """The `session_start_limit` of GET /gateway/bot."""
    return (await rest("GET", "/gateway/bot")).body["session_start_limit"]


async def test_identifies_are_limited_per_day(limited, hasty):
    limited.limits.max_identifies = 3
    wire = await connect(limited, hasty)
    before = await starts(hasty)

    await wire.identify(limited)
    await wire.hear_until("READY")
    told = [await starts(hasty)]
    for hours in (23, 1):
        limited.limits.clock.advance(timedelta(hours=hours))
        told.append(await starts(hasty))

    day = 24 * 60 * 60 * 1000
    assert (before["total"], before["remaining"]) == (3, 3)
    assert [limit["remaining"] for limit in told] == [2, 2, 3]
    assert [limit["reset_after"] for limit in told] == [day, day // 24, day]


async def test_one_identify_too_many_ends_all_sessions_and_resets_the_token(limited, hasty):
    """Identifies that come too soon count too."""
    limited.limits.max_identifies = 2
    first, second, third = [await connect(limited, hasty) for _ in range(3)]
    old = limited.token
    await first.identify(limited, shard=[0, 2])
    await first.hear_until("READY")
    await second.identify(limited, shard=[1, 2])
    assert await second.hear() == {"op": 9, "d": False}
    limited.limits.clock.advance(timedelta(seconds=5))

    await third.identify(limited, shard=[1, 2])

    assert [await wire.hear_until("READY") for wire in (first, second, third)] == [
        {"closed": 4004}
    ] * 3
    assert limited.gateway.sessions == {}
    assert (await hasty("GET", "/users/@me", token=old)).status == 401
    assert (await hasty("GET", "/users/@me", token=limited.token)).status == 200


async def test_without_limits_a_bot_can_identify_as_often_as_it_likes(limited, hasty):
    limited.limits.max_identifies = 0
    limited.faults.rate_limits = False
    wire = await connect(limited, hasty)

    await wire.identify(limited)

    assert (await wire.hear())["t"] == "READY"


async def test_without_limits_a_bucket_is_never_empty(limited, hasty):
    limited.faults.rate_limits = False

    replies = await send(hasty, 10)

    assert [reply.status for reply in replies] == [200] * 10
    assert int(replies[-1].headers["X-RateLimit-Remaining"]) > 900


async def test_clearing_faults_leaves_the_limits_on(limited, hasty):
    limited.faults.rate_limits = False

    limited.faults.clear()

    assert [reply.status for reply in await send(hasty, 6)][-1] == 429


async def test_discord_py_obeys_the_buckets(discord, bot):
    """One request after another: a window may be over when a late answer about it is read."""
    channel = bot.get_channel(discord.world.channel("games").id)
    discord.limits.windows = 0.2  # seconds; long enough to exhaust a bucket

    for _ in range(12):
        await channel.send("x")

    statuses = [r.status for r in discord.requests if r.path.endswith("/messages")]
    assert statuses == [200] * 12


async def test_an_address_with_too_many_invalid_requests_is_banned_for_a_while(limited, hasty):
    """Then Cloudflare answers every request, in another format than Discord."""
    limited.limits.max_invalid = 3
    for _ in range(3):
        assert (await hasty("GET", "/users/@me", token="MTIz.wrong.token")).status == 401

    url, headers = f"{limited.url}/api/v10/gateway", {"Authorization": f"Bot {limited.token}"}
    async with hasty._session.get(url, headers=headers) as banned:
        text = await banned.text()
    limited.limits.clock.advance(timedelta(minutes=10, seconds=1))

    assert (banned.status, banned.content_type, text) == (429, "text/plain", "error code: 1015")
    assert "Via" not in banned.headers
    assert 0 < int(banned.headers["Retry-After"]) <= 600
    assert limited.requests[-1].status == 429
    assert (await hasty("GET", "/users/@me")).status == 200


async def test_a_ban_ends_once_few_enough_of_the_invalid_requests_are_recent(limited, hasty):
    """Without limits nobody is banned, so there can be more of them than a ban needs."""
    limited.limits.max_invalid = 2
    limited.faults.rate_limits = False
    for minutes in (5, 0, 0):
        await hasty("GET", "/users/@me", token="MTIz.wrong.token")
        limited.limits.clock.advance(timedelta(minutes=minutes))

    limited.faults.rate_limits = True

    assert (await hasty("GET", "/users/@me")).headers["Retry-After"] == "600"


@pytest.mark.parametrize(
    ("status", "counts"), [(401, True), (403, True), (404, False), (500, False)]
)
async def test_only_certain_statuses_count_as_invalid_requests(limited, hasty, status, counts):
    limited.faults.add(Fault(status=status, times=3))
    for _ in range(3):
        assert (await hasty("GET", "/users/@me")).status == status

    assert len(limited.limits.invalid) == (3 if counts else 0)


async def test_a_429_with_shared_scope_is_not_an_invalid_request(limited, hasty):
    (sent,) = await send(hasty)
    limited.clock.advance(timedelta(hours=2))
    path = f"{hasty.games}/messages/{sent.body['id']}"
    limited.faults.add(Fault(status=429, method="GET"))

    replies = [await hasty("PATCH", path, {"content": "x"}) for _ in range(4)]
    replies.append(await hasty("GET", "/users/@me"))

    assert [reply.status for reply in replies] == [200, 200, 200, 429, 429]
    assert [r.headers["X-RateLimit-Scope"] for r in replies[3:]] == ["shared"] * 2
    assert not limited.limits.invalid


# The gateway.


async def connect(sandbox, rest):
    socket = await rest._session.ws_connect(f"{sandbox.gateway.url}?v=10&encoding=json")
    wire = Wire(socket)
    assert (await wire.hear())["op"] == 10
    return wire


async def test_a_connection_that_sends_more_than_120_payloads_a_minute_is_closed(limited, hasty):
    wire = await connect(limited, hasty)
    await wire.identify(limited)
    for _ in range(119):
        await wire.say(3, {})
    await wire.hear_until("READY")
    limited.limits.clock.advance(timedelta(seconds=60))
    for _ in range(120):
        await wire.say(3, {})

    await wire.say(3, {})

    assert await wire.hear_until("none") == {"closed": 4008}


async def test_shards_identify_one_by_one(limited, hasty):
    first, second = await connect(limited, hasty), await connect(limited, hasty)
    await first.identify(limited, shard=[0, 2])
    await first.hear_until("READY")

    await second.identify(limited, shard=[1, 2])
    refused = await second.hear()
    limited.limits.clock.advance(timedelta(seconds=5))
    await second.identify(limited, shard=[1, 2])

    assert refused == {"op": 9, "d": False}
    assert (await second.hear_until("READY"))["t"] == "READY"
    assert limited.gateway.identified == 2


async def test_as_many_shards_can_identify_together_as_the_gateway_says():
    async with Sandbox(shards=3) as sandbox, aiohttp.ClientSession() as session:
        sandbox.limits.clock.freeze()
        sandbox.limits.max_concurrency = 2
        rest = Rest(sandbox, session)
        told = (await rest("GET", "/gateway/bot")).body["session_start_limit"]
        heard = []
        for shard in range(3):
            wire = await connect(sandbox, rest)
            await wire.identify(sandbox, shard=[shard, 3])
            heard.append((await wire.hear()).get("t"))

    assert told["max_concurrency"] == 2
    assert heard == ["READY", "READY", None]
