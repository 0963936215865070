"""Several processes of one bot on one database: who does what, and what they hand over."""

import asyncio
import threading
from datetime import UTC, datetime, timedelta

import aiohttp
import pytest
from discord.gateway import DiscordWebSocket, KeepAliveHandler
from structlog.testing import capture_logs

from bot.cluster import leases
from bot.cluster.share import shard_of
from bot.interactions import handover, shared_work
from bot.scheduling import every_minute
from tests.support.health import health_of
from tests.support.together import (
    PEOPLE,
    SHARDS,
    Member,
    begun,
    cards,
    hand_of,
    pick,
    settled_on,
    step,
    trick,
)
from tests.support.waiting import until

pytestmark = pytest.mark.postgresql


@pytest.mark.long
async def test_another_process_gets_its_part_of_the_shards_and_gives_it_back(together):
    one = await together.join()
    alone = one.held
    two = await together.join()
    three = await together.join()
    shared = [len(one.held), len(two.held), len(three.held)]

    together.members.remove(one)
    await one.stop()
    await together.settled()

    assert alone == set(range(SHARDS))
    assert sorted(shared) == [1, 1, 2]
    assert len(two.held) == len(three.held) == 2
    assert together.discord.gateway.is_ready()


async def test_other_processes_know_whether_the_holder_of_the_first_shard_is_connected(together):
    """Otherwise their clocks would run while nobody can choose in direct messages."""
    one, two = await together.join(), await together.join()

    await two.learned(0, connected=True)
    await one.bot.let_go({0})
    await two.learned(0, connected=False)
    assert 0 in one.held
    one.bot.hold({0})
    await two.learned(0, connected=True)


async def test_a_connection_that_is_cut_off_during_identify_sends_no_heartbeats(
    together, monkeypatch
):
    one = await together.join()
    await one.bot.let_go(one.held)
    begun = asyncio.Event()

    async def identify(_):
        begun.set()
        await asyncio.Event().wait()

    with monkeypatch.context() as patch:
        patch.setattr(DiscordWebSocket, "identify", identify)
        one.bot.hold({0})
        await begun.wait()
        beating = heartbeats_of(one.bot)
        await one.bot.let_go({0})

    assert len(beating) == 1
    for thread in beating:
        await asyncio.to_thread(thread.join, 10)
        assert not thread.is_alive()


def heartbeats_of(bot):
    return [
        thread
        for thread in threading.enumerate()
        if isinstance(thread, KeepAliveHandler) and thread.ws._dispatch == bot.dispatch
        if not thread._stop_ev.is_set()
    ]


@pytest.mark.parametrize("endpoint", [pytest.param(False, marks=pytest.mark.long), True])
async def test_a_match_can_be_played_whichever_process_gets_its_clicks(
    together, endpoint, monkeypatch
):
    # The owner of the match takes its clicks, however slow this machine is.
    for limit in ("PATIENCE", "FRESH", "ANSWER"):
        monkeypatch.setattr(handover, f"{limit}_SECONDS", 20.0)
    for _ in range(3):
        await together.join()
    if endpoint:
        await together.by_endpoint()

    public = await begun(together)
    answers = [answer for _ in range(3) for answer in await trick(together)]

    assert "Round 1" in public.text
    assert [answer for answer in answers if answer.failed] == []
    for name in PEOPLE:
        assert len(together.discord.person(name).direct_messages) == 1
    await together.left_to_holder(public.guild_id)


async def test_a_click_delivered_to_two_processes_is_handled_once(together):
    for _ in range(3):
        await together.join()
    await together.by_endpoint()
    await begun(together)
    together.discord.faults.deliver_twice = True
    since = len(together.discord.requests)

    await trick(together)

    asked = [r.path for r in together.discord.requests[since:] if r.path.endswith("/callback")]
    assert len(asked) == len(set(asked)) == 2


@pytest.mark.long
async def test_a_click_that_the_owner_does_not_take_is_done_by_the_process_that_has_it(together):
    """The owner hangs: clicks are answered anyway, and shown in other messages afterwards."""
    one, two = await together.join(), await together.join()
    public = await begun(together)
    owner = together.holder(public.guild_id)
    other = one if owner is two else two
    together.discord.endpoint.urls = (other.url,)
    heard = owner.bot.shared_work.heard
    owner.bot.shared_work.heard = lambda *_: None

    with capture_logs() as logs:
        answers = [await pick(together, name) for name in PEOPLE]
    owner.bot.shared_work.heard = heard

    await together.discord.until(lambda: step(hand_of(together, "Ann")) == 1)
    assert [answer for answer in answers if answer.failed] == []
    assert [line["event"] for line in logs].count("taken back") == 2


@pytest.mark.long
async def test_a_change_without_a_hint_is_found(together, monkeypatch):
    monkeypatch.setattr(shared_work, "LOOK_SECONDS", 3600.0)
    member = await together.join()
    await begun(together)
    live = member.bot.services.live
    with monkeypatch.context() as deaf:
        deaf.setattr(live._comparing, "schedule", lambda match, delay=0.0: None)
        for name in PEOPLE:
            await pick(together, name)
        await member.bot.services.router.handled()
    for _ in range(2):
        await member.bot.services.repairs.look(member.bot.shared_work._owned)

    await together.discord.until(lambda: step(hand_of(together, "Ann")) == 1)


async def test_a_late_edit_by_a_process_that_lost_its_lease_is_corrected(together, monkeypatch):
    for _ in range(2):
        await together.join()
    public = await begun(together)
    owner = together.holder(public.guild_id)
    (match,) = owner.owned
    table = await owner.bot.services.live.slots.table(match)
    edit, sending, let_through = table.edit, asyncio.Event(), asyncio.Event()

    async def held(*content):
        sending.set()
        await let_through.wait()
        return await edit(*content)

    monkeypatch.setattr(table, "edit", held)
    table.mark_shown("")
    owner.bot.services.live.note_changed(match)
    await sending.wait()
    await together.cut_off(owner)
    before = public.text
    await trick(together)
    newest = await together.discord.until(lambda: settled_on(public, before))
    edits = public.edits
    let_through.set()

    await together.discord.until(lambda: public.edits > edits + 1 and public.text == newest)
    together.members.append(owner)


async def test_a_late_answer_by_a_process_that_lost_its_lease_is_corrected(together, monkeypatch):
    """Even if the match is over by then, and its messages are no longer compared."""
    for _ in range(2):
        await together.join()
    await together.by_endpoint()
    public = await begun(together)
    owner, other = together.holder_and_other(public.guild_id)
    hand = hand_of(together, "Ann")
    await pick(together, "Ann")
    delivery = owner.bot.services.live.slots.services.delivery
    answer, answering, let_through = delivery.answer_in_place, asyncio.Event(), asyncio.Event()

    async def held(*content):
        answering.set()
        await let_through.wait()
        return await answer(*content)

    monkeypatch.setattr(delivery, "answer_in_place", held)
    together.discord.endpoint.urls = (owner.url,)
    clicking = asyncio.create_task(together.discord.person("Ann").click(hand, cards(hand)[1]))
    await answering.wait()
    await together.cut_off(owner)
    together.discord.endpoint.urls = (other.url,)
    menu = await together.discord.person("Bo").click(hand_of(together, "Bo"), "Menu")
    asked = await together.discord.person("Bo").click(menu.message, "Resign")
    await together.discord.person("Bo").click(asked.message, "Resign")
    await together.discord.until(lambda: not cards(hand))
    await other.bot.services.live.slots.flush()
    await together.left_to_holder(public.guild_id)
    let_through.set()
    await together.discord.until(lambda: cards(hand))

    # The hand may be a new one by then, sent because the match is over.
    await together.discord.until(lambda: hand_of(together, "Ann") is None)
    await clicking
    together.members.append(owner)


@pytest.mark.long
async def test_no_click_goes_unanswered_while_all_processes_are_restarted_behind_the_endpoint(
    together,
):
    for _ in range(3):
        await together.join()
    await together.by_endpoint()
    public = await begun(together)
    answers, over = [], asyncio.Event()

    async def click():
        while not over.is_set():
            answers.append(await together.discord.person("Ann").click(public, "Menu"))

    clicking = [asyncio.create_task(click()) for _ in range(3)]
    for _ in range(3):
        first = together.members.pop(0)
        counted = len(answers)
        await first.stop()
        await together.join()
        together.discord.endpoint.urls = tuple(member.url for member in together.members)
        await together.discord.until(lambda counted=counted: len(answers) > counted + 5)
    over.set()
    await asyncio.gather(*clicking)

    assert [answer for answer in answers if answer.failed or not answer.text] == []


@pytest.mark.long
async def test_servers_of_other_processes_are_not_mistaken_for_ones_that_removed_the_bot(
    together, server
):
    await together.join()
    guilds = list(together.discord.world.guilds.values())
    for guild, name in zip(guilds, ("Ann", "Bo", "Cleo", "Dan"), strict=True):
        channel = next(iter(guild.text_channels()))
        await together.discord.person(name).slash("pico play", channel=channel.id)

    await together.join()
    await together.join()

    assert server.ask("SELECT count(*) FROM matches") == [(SHARDS,)]
    assert server.ask("SELECT count(*) FROM servers WHERE left_at IS NOT NULL") == [(0,)]


async def test_a_server_that_added_the_bot_again_is_kept_while_its_shard_waits_to_connect(
    together, server, monkeypatch
):
    """It did so while no process ran, and the clock's upkeep runs before the shard is connected."""
    one = await together.join()
    last = list(together.discord.world.guilds.values())[-1]
    shard = shard_of(last.id, SHARDS)
    channel = next(iter(last.text_channels()))
    await together.discord.person("Ann").slash("pico play", channel=channel.id)
    now = datetime.now(UTC)
    last.members[together.discord.world.bot.id].joined_at = now - timedelta(days=20)
    async with one.bot.services.storage.transaction() as writing:
        await writing.guilds.note_left(last.id, int((now - timedelta(days=40)).timestamp()))
    together.members.remove(one)
    await one.stop()
    identify_in, may_connect = leases.Leases.identify_in, asyncio.Event()

    async def in_turn(self, bucket):
        if bucket == shard:
            await may_connect.wait()
        return await identify_in(self, bucket)

    monkeypatch.setattr(leases.Leases, "identify_in", in_turn)
    joining = asyncio.create_task(together.join())
    await until(lambda: together.members and together.members[0].bot.is_ready())
    (two,) = together.members
    monkeypatch.setattr(every_minute, "PAUSE_SECONDS", 0.0)
    for work in two.bot.services.deadlines._upkeep:
        await work()
    kept = server.ask("SELECT guild FROM matches")
    may_connect.set()
    await joining
    await until(lambda: server.ask("SELECT left_at FROM servers") == [(None,)])

    assert kept == server.ask("SELECT guild FROM matches") == [(last.id,)]


async def test_a_process_counts_as_connected_only_once_it_has_its_part_of_the_shards(
    together, monkeypatch
):
    """Restarting processes one by one waits for that: the next one would leave all the rest."""
    one = await together.join()
    look, may_look = one.leases._look, asyncio.Event()

    async def late_look():
        await may_look.wait()
        await look()

    monkeypatch.setattr(one.leases, "_look", late_look)  # it doesn't hear of the other one
    two = Member(together.discord, together._address)
    await two.start()
    together.members.append(two)
    await until(lambda: two.leases.is_current)
    before = (two.held, one.bot.is_connected(), two.bot.is_connected())
    may_look.set()
    await together.settled()

    assert before == (set(), True, False)


@pytest.mark.long
async def test_a_changed_preference_is_known_to_all_processes_at_once(together):
    one, two = await together.join(), await together.join()
    ann = together.discord.person("Ann").id
    before = [(await m.bot.services.preferences.of(ann)).pictures for m in (one, two)]

    await one.bot.services.preferences.change(ann, "pictures off")

    async with asyncio.timeout(10):
        while (await two.bot.services.preferences.of(ann)).pictures:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert before == [True, True]


@pytest.mark.long
async def test_health_says_which_shards_a_process_holds(together):
    one, two = await together.join(), await together.join()
    found = []
    for member in (one, two):
        async with (
            health_of(member.bot) as probes,
            aiohttp.ClientSession() as session,
            session.get(f"{probes}/health") as answer,
        ):
            found.append((answer.status, await answer.json()))

    assert [status for status, _ in found] == [200, 200]
    assert [health["shards"] for _, health in found] == [sorted(one.held), sorted(two.held)]
    assert [health["processes"] for _, health in found] == [2, 2]
    assert [health["process"] for _, health in found] == [one.leases.name, two.leases.name]
