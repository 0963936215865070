"""The database is away for longer than the leases: people who click are told so."""

import asyncio
from datetime import timedelta

import pytest

from bot.cluster import leases
from bot.errors import StorageUnavailableError
from bot.interactions import handover
from bot.interactions.error_handler import MAYBE_SAVED, UNSAVED
from tests.support.sandboxes import quick_sandbox
from tests.support.together import Together
from tests.support.typed_commands import typed
from tests.support.waiting import until

pytestmark = [pytest.mark.postgresql, pytest.mark.slow]

SHARDS = 4

PATIENCE = timedelta(seconds=60)
"""How long Discord accepts an answer, however slow this machine is."""


@pytest.fixture
async def together(server_database, pointed, monkeypatch):
    monkeypatch.setattr(leases, "RENEW_SECONDS", 0.2)
    monkeypatch.setattr(handover, "ANSWERABLE_SECONDS", PATIENCE.total_seconds())
    server_database.empty()
    async with quick_sandbox(shards=SHARDS, guilds=SHARDS, answer_within=PATIENCE) as discord:
        discord.limits.max_concurrency = SHARDS
        together = Together(discord, server_database.address)
        try:
            yield together
        finally:
            await together.close()


async def ask(together):
    """What Ann is told in answer to a command that reads one row."""
    answer = await together.discord.person("Ann").slash("vacation left", channel="games")
    return answer.text


async def lapse(together):
    """Let all leases expire now."""
    for member in together.members:
        member.leases._until = 0.0
        await member.leases._lapse()


@pytest.mark.parametrize(("endpoint", "sentence"), [(False, MAYBE_SAVED), (True, UNSAVED)])
async def test_while_no_process_reaches_the_database_each_click_is_told_so(
    together, cluster, server_database, monkeypatch, endpoint, sentence
):
    """Nor does its return take new connections to Discord, whose number is limited.

    Clicks that come over a shard may be handled by another process, as far as a process that is cut
    off knows.
    """
    for _ in range(2):
        await together.join()
    if endpoint:
        await together.by_endpoint()
    ann, bo = (together.discord.person(name) for name in ("Ann", "Bo"))
    table = (await ann.slash("pico play", channel="games", pace="live")).message
    identified = together.discord.gateway.identified

    with monkeypatch.context() as away:
        away.setattr(handover, "ANSWER_SECONDS", 0.2)
        await asyncio.to_thread(cluster.stop)
        try:
            await lapse(together)
            held = [member.held for member in together.members]
            told = await ask(together)
            refused = await bo.click(table, "Join")
        finally:
            await asyncio.to_thread(cluster.start)
    await together.settled()
    accepted = await bo.click(table, "Join")

    assert held == [set(), set()]
    assert (typed(told), typed(refused.text)) == (sentence, sentence)
    assert not accepted.failed
    assert server_database.ask("SELECT status FROM matches") == [("running",)]
    assert "vacation" in await ask(together)
    assert together.discord.gateway.identified == identified


async def test_a_process_that_alone_is_cut_off_leaves_everything_to_the_new_holder_of_its_shards(
    together, monkeypatch
):
    """Discord sends a click to both, and accepts the first answer."""
    one, two = await together.join(), await together.join()
    refusing, refused = one.bot.shared_work.handover._refuse, asyncio.Event()

    async def refuse(*about):
        await refusing(*about)
        refused.set()

    async def unreachable():
        raise StorageUnavailableError("the database server can't be reached")

    monkeypatch.setattr(one.bot.shared_work.handover, "_refuse", refuse)
    monkeypatch.setattr(handover, "ANSWER_SECONDS", 2.0)
    look = one.leases._look
    for guild in together.discord.world.guilds.values():
        place = next(iter(guild.text_channels())).id
        await together.discord.person("Ann").slash("pico play", channel=place)
    with monkeypatch.context() as away:
        away.setattr(one.leases, "_look", unreachable)
        together.members.remove(one)
        await together.settled()
        told = await ask(together)
        await refused.wait()
        cut_off = (one.held, one.owned, one.bot.is_connected())
    await look()

    assert "vacation" in told
    assert cut_off == (set(), set(), False)
    assert two.held == set(range(SHARDS)) - one.held
    await until(lambda: len(together.connected) == SHARDS)
    together.members.append(one)
    await together.settled()
    assert together.connected == [*range(SHARDS)]
