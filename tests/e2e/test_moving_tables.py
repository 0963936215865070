"""A reposted table is the only one of its match, whatever fails at Discord or in the bot."""

import asyncio
from datetime import timedelta

import pytest

from bot.interactions.error_handler import UNSHOWN
from bot.messaging.content import MessageContent
from sandbox.faults import Fault
from sandbox.permissions import Permission
from tests.support.clock import HOUR, MINUTE, Watch
from tests.support.tables import leads_to, seated, win
from tests.support.waiting import until, written

POST = {"method": "POST", "path": r"^/channels/\d+/messages"}
CALLBACK = {"method": "POST", "path": "/callback"}
DELETE = {"method": "DELETE", "path": r"^/channels/\d+/messages"}


@pytest.fixture
async def table(discord, tmp_path):
    async with seated(discord, tmp_path) as seats:
        yield seats


def tables(table):
    channel = table.discord.world.channel("games").id
    messages = table.discord.world.history[channel]
    return [m for m in messages if not (m.deleted or m.ephemeral_to) and "### Pico" in m.text]


async def bring_down(table, public):
    menu = (await table.person("Ann").click(public, "Menu")).message
    return await table.person("Ann").click(menu, "Bring to the bottom")


async def old_enough(table):
    public = await table.match()
    await table.quiet_now()
    table.discord.clock.advance(timedelta(minutes=1))
    return public


async def assert_replaced(table, old):
    """The table that replaces the old one, once it is stored and follows the match."""
    await table.discord.until(lambda: old.deleted)
    await table.quiet_now()
    (new,) = tables(table)
    query = "SELECT message, leftover, coming FROM places WHERE place = -1"
    assert table.sql(query) == [(new.id, None, 0)]
    await table.trick("Ann", "Bo")
    await table.discord.until(lambda: "beats" in new.text or "loses to" in new.text)
    assert tables(table) == [new]
    return new


async def test_a_reposted_table_that_was_not_confirmed_replaces_the_old_one(table):
    public = await old_enough(table)
    table.discord.faults.add(Fault(**POST, status=503, after=True))

    answer = await bring_down(table, public)

    await table.discord.until(lambda: answer.followups)
    (told,) = answer.followups
    assert told.text.startswith("I can't repost the table yet: ")
    assert told.text.endswith(" It follows as soon as I can.")
    await assert_replaced(table, public)


async def test_a_table_is_reposted_even_if_discord_refuses_the_answer_to_the_click(table):
    """The person who clicked is told that what they did is saved."""
    public = await old_enough(table)
    menu = (await table.person("Ann").click(public, "Menu")).message
    table.discord.faults.add(Fault(**CALLBACK, drop=True, times=2))

    answer = await table.person("Ann").click(menu, "Bring to the bottom")

    assert answer.text == UNSHOWN
    await assert_replaced(table, public)


@pytest.mark.parametrize("restarted", [False, True])
async def test_an_unconfirmed_reposted_table_is_found_even_after_a_refusal(table, restarted):
    """The old table is used meanwhile, and Discord has forgotten the nonce by the next attempt."""
    table.discord.world.set_permissions("games", allow=Permission.READ_MESSAGE_HISTORY)
    public = await old_enough(table)
    table.discord.faults.add(Fault(**POST, status=503, after=True))
    table.discord.faults.add(Fault(**POST, status=403, code=50013, times=2))
    answer = await bring_down(table, public)
    await table.discord.until(lambda: answer.followups)
    slot = await table.bot.services.live.slots.table(1)
    await until(lambda: not (table.discord.faults.ordered or slot.is_coming))
    await table.quiet_now()
    assert len(tables(table)) == 2
    table.discord.clock.advance(timedelta(minutes=10))
    table.watch.advance(10 * MINUTE)

    if restarted:  # a start looks for it by itself
        await table.restart()
    else:
        await bring_down(table, public)

    moved = "SELECT message <> ?, leftover FROM places WHERE place = -1"
    await until(lambda: table.sql(moved, public.id) == [(1, None)])
    await assert_replaced(table, public)


async def test_all_hands_link_to_the_table_that_moved(table):
    """Bo has only a private hand."""
    table.person("Bo").closed = True
    public = await old_enough(table)
    hands = [table.desk("Ann"), await table.hand("Ann", public), await table.hand("Bo", public)]
    before = [leads_to(hand, public) for hand in hands]

    await bring_down(table, public)
    await table.settled()

    (new,) = tables(table)
    assert before == [True] * 3
    assert [leads_to(hand, new) for hand in hands] == [True] * 3


class Gate:
    """Holds up hands that were rendered and are being delivered by one method of `Delivery`."""

    def __init__(self, delivery, way):
        self.reached, self.free = asyncio.Event(), asyncio.Event()
        self._deliver = getattr(delivery, way)

    async def __call__(self, *args, **named):
        (content,) = [arg for arg in args if isinstance(arg, MessageContent)]
        if ": your" in content.head:
            self.reached.set()
            await self.free.wait()
        return await self._deliver(*args, **named)


async def table_moved_during(table, monkeypatch, public, way, acting):
    """Move the table while the hand that results from this act is being sent; the new table."""
    delivery = table.bot.services.delivery
    gate = Gate(delivery, way)
    monkeypatch.setattr(delivery, way, gate)
    acting = asyncio.create_task(acting)
    async with asyncio.timeout(20):
        await gate.reached.wait()
        await bring_down(table, public)
        await table.discord.until(lambda: public.deleted)
        async with (await table.bot.services.live.slots.table(1)).lock:
            gate.free.set()  # the table has moved, and hands know
        await acting
    await table.settled()
    (new,) = tables(table)
    return new


async def test_a_choice_shown_while_its_table_moves_soon_links_to_the_new_one(table, monkeypatch):
    public = await old_enough(table)
    acting = table.play("Ann")

    new = await table_moved_during(table, monkeypatch, public, "answer_in_place", acting)

    assert leads_to(table.desk("Ann"), new)


async def test_a_hand_opened_while_its_table_moves_soon_links_to_the_new_one(table, monkeypatch):
    table.person("Bo").closed = True
    public = await old_enough(table)
    acting = table.hand("Bo", public)

    new = await table_moved_during(table, monkeypatch, public, "answer_privately", acting)

    mine = table.person("Bo").id
    (hand,) = [m for m in table.person("Bo").see("games") if m.ephemeral_to == mine]
    assert leads_to(hand, new)


@pytest.mark.parametrize("way", ["edit", "edit_by"])
async def test_a_hand_edited_while_its_table_moves_links_to_the_new_one(table, monkeypatch, way):
    """Through the channel, and through the click that opened a private hand."""
    public = await old_enough(table)
    hand = table.desk("Ann") if way == "edit" else await table.hand("Ann", public)
    await table.play("Ann")
    await table.settled()
    (await table.bot.services.live.slots.hand(1, 0)).token = None
    acting = table.play("Bo")

    new = await table_moved_during(table, monkeypatch, public, way, acting)

    assert table.step(hand) == 1
    assert leads_to(hand, new)


async def test_a_table_that_could_not_be_reposted_at_once_follows(table):
    public = await old_enough(table)
    table.discord.faults.add(Fault(**POST, status=503))

    await bring_down(table, public)

    await assert_replaced(table, public)


async def test_a_reposted_table_that_was_not_stored_replaces_the_old_one_after_a_crash(table):
    public = await old_enough(table)
    table.discord.faults.add(Fault(**POST, delay=3600.0, after=True))
    pressed = asyncio.create_task(bring_down(table, public))
    await table.discord.until(lambda: len(tables(table)) == 2)
    await table.die()
    await table.start()
    await pressed

    await assert_replaced(table, public)


async def test_an_old_table_that_could_not_be_deleted_is_deleted_later(table):
    public = await old_enough(table)
    table.discord.faults.add(Fault(**DELETE, status=503, times=2))  # now and at the first retry

    await bring_down(table, public)

    await assert_replaced(table, public)


async def test_an_old_table_is_deleted_even_if_its_replacement_was_deleted_too(table):
    """Discord refuses to delete the old one, and a moderator deletes the new one meanwhile."""
    public = await old_enough(table)
    table.discord.faults.add(Fault(**DELETE, status=503, times=1000))
    await bring_down(table, public)
    await table.discord.until(lambda: len(tables(table)) == 2)
    table.discord.world.delete_message(tables(table)[1])

    await table.trick("Ann", "Bo")
    await table.discord.until(lambda: len(tables(table)) == 2)
    table.discord.faults.ordered.clear()

    await assert_replaced(table, public)


async def test_a_table_too_old_to_be_edited_is_replaced_once(table):
    """Even if it can be edited again after the new one was not confirmed."""
    public = await old_enough(table)
    slot = await table.bot.services.live.slots.table(table.match_of(public))
    slot.token = None
    path = f"/channels/{public.channel_id}/messages/{public.id}"
    table.discord.faults.add(Fault(method="PATCH", path=path, status=400, code=30046))
    table.discord.faults.add(Fault(**POST, status=503, after=True))
    await table.trick("Ann", "Bo")

    await assert_replaced(table, public)


async def posting_stored(table):
    """Wait until it is stored that a table is being posted; Discord gets it too late."""
    await written(table, "SELECT * FROM places")


async def die_during(table, command):
    """Kill the bot after a command was carried out and answered, but before it knows that."""
    table.discord.faults.add(Fault(**CALLBACK, delay=3600.0, after=True))
    asked = asyncio.create_task(command)
    await table.discord.until(lambda: tables(table))
    await table.die()
    await table.start()
    await asked
    await table.repaired()
    await table.quiet_now()


async def test_a_match_has_its_table_after_a_crash_before_that_was_stored(table):
    command = table.person("Ann").slash("pico play", channel="games", computer="easy")

    await die_during(table, command)

    (public,) = tables(table)
    assert "Round 1" in public.text
    query = "SELECT message, coming FROM places WHERE place = -1"
    assert table.sql(query) == [(public.id, 0)]


async def test_a_challenge_can_be_withdrawn_after_a_crash_before_its_message_was_stored(table):
    await die_during(table, table.ask("Ann", "Bo"))
    (public,) = tables(table)
    assert table.sql("SELECT message FROM places WHERE place = -1") == [(public.id,)]

    await table.person("Ann").click(public, "Withdraw")

    await table.quiet_now()
    assert "withdrawn" in public.text.lower()
    assert tables(table) == [public]


async def test_a_challenge_that_was_not_posted_before_a_crash_is_not_posted_later(table):
    table.discord.faults.add(Fault(**CALLBACK, delay=3600.0))
    asked = asyncio.create_task(table.ask("Ann", "Bo"))
    await posting_stored(table)
    await table.die()
    await table.start()
    await table.repaired()
    await table.quiet_now()
    asked.cancel()

    assert tables(table) == []
    assert table.requests("POST", r"/messages") == []


async def test_a_match_that_was_not_posted_before_a_crash_gets_its_table(table):
    table.discord.faults.add(Fault(**CALLBACK, delay=3600.0))
    command = table.person("Ann").slash("pico play", channel="games", computer="easy")
    asked = asyncio.create_task(command)
    await posting_stored(table)
    await table.die()
    await table.start()
    await table.repaired()
    await table.quiet_now()
    asked.cancel()

    (public,) = tables(table)
    assert "Round 1" in public.text


async def test_a_hand_sent_long_ago_is_found_even_if_its_nonce_is_forgotten(discord, tmp_path):
    """The bot died before the hand was stored, and returns when Discord has forgotten its nonce."""
    watch = Watch(discord.clock.now().timestamp())
    async with seated(discord, tmp_path, now=watch) as table:
        public = await table.challenge("Ann", "Bo", pace="slow")
        dm = rf"^/channels/{table.person('Bo').dm.id}/messages"
        table.discord.faults.add(Fault(method="POST", path=dm, delay=3600.0, after=True))
        await table.person("Bo").click(public, "Accept")
        await table.discord.until(lambda: table.letters("Bo"))
        await table.die()
        watch.advance(HOUR)
        discord.clock.advance(timedelta(hours=1))
        since = len(table.requests())

        await table.start()
        await table.repaired()
        await table.quiet_now()

        (hand,) = table.letters("Bo")
        sent = table.requests("POST", "/messages", since=since)
        assert [r for r in sent if str(table.person("Bo").dm.id) in r.path] == []
        assert table.sql("SELECT message FROM places WHERE place = 1") == [(hand.id,)]
        for name in ("Ann", "Bo"):
            await table.play(name)
        # After an hour, a notice may have replaced Ann's hand: her newest message counts.
        await table.discord.until(
            lambda: {table.step(table.desk(name)) for name in ("Ann", "Bo")} == {1}
        )


async def match_with_rematch(table):
    """The messages of an ended match (table and both hands), and the table of its rematch."""
    public = await win(table, "Ann", "Bo")
    ended = [public, table.desk("Ann"), table.desk("Bo")]
    for name in ("Ann", "Bo"):
        await table.person(name).click(public, "Rematch")
    await table.settled()
    (new,) = [m for m in tables(table) if m is not public]
    assert [leads_to(message, new) for message in ended] == [True] * 3
    table.discord.clock.advance(timedelta(minutes=1))
    return ended, new


async def test_an_ended_match_links_to_the_moved_table_of_its_rematch(table):
    ended, old = await match_with_rematch(table)

    await bring_down(table, old)
    await table.settled()

    (new,) = [m for m in tables(table) if m is not ended[0]]
    assert old.deleted
    assert [leads_to(message, new) for message in ended] == [True] * 3
    assert table.sql("SELECT settled FROM matches ORDER BY id") == [(1,), (0,)]


async def test_an_ended_match_links_to_its_moved_rematch_after_a_crash(table, monkeypatch):
    """The bot died before it could edit the ended match, and kept nothing about it in memory."""
    ended, old = await match_with_rematch(table)
    monkeypatch.setattr(table.bot.services.live._updater, "table_moved", lambda snapshot: None)
    await bring_down(table, old)
    await table.settled()
    (new,) = [m for m in tables(table) if m is not ended[0]]
    assert [leads_to(message, new) for message in ended] == [False] * 3

    await table.restart()
    await table.repaired()
    await table.quiet_now()

    assert [leads_to(message, new) for message in ended] == [True] * 3


async def test_hands_of_an_ended_match_link_to_where_its_rematch_was_resumed(table):
    (_, *hands), old = await match_with_rematch(table)
    table.discord.world.delete_channel("games")
    await table.discord.until(lambda: all("Paused" in table.desk(n).text for n in ("Ann", "Bo")))

    new = (await table.person("Ann").slash("resume", channel="lobby", match=2)).message

    await table.discord.until(lambda: all(leads_to(hand, new) for hand in hands))
    assert old.id != new.id
