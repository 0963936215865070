"""Direct messages have one message per match: edits are silent, and a new one replaces the old."""

import asyncio

import pytest

from bot.messaging.failures import UndeliveredError
from sandbox.faults import Fault
from tests.support.clock import HOUR
from tests.support.services import settings
from tests.support.tables import seated
from tests.support.waiting import until

BOTH = ("Ann", "Bo")
DELETE = {"method": "DELETE", "path": r"^/channels/\d+/messages"}
SEND = {"method": "POST", "path": r"^/channels/\d+/messages"}


async def bring(table, seat, match=1):
    return await table.bring(seat, match)


async def second_turn(table, **options):
    """A match whose second turn has begun, and whose first hands have been read."""
    public = await table.match(**{"pace": "slow", **options})
    await table.trick(*BOTH)
    await table.quiet_now()
    for name in BOTH:
        table.person(name).read()
    return public


async def prefer(table, name, value):
    panel = (await table.person(name).slash("preferences", channel="games")).message
    await table.person(name).select(panel, "Where you see your hand", value)


def leftovers(table):
    return table.sql("SELECT place, leftover FROM places WHERE leftover IS NOT NULL")


async def test_a_turn_that_begins_edits_the_existing_hand_and_notifies_nobody(table):
    public = await second_turn(table)
    hands = {name: table.desk(name) for name in BOTH}

    await table.trick(*BOTH)
    await table.quiet_now()

    assert [table.letters(name) for name in BOTH] == [[hands[name]] for name in BOTH]
    assert [table.step(hands[name]) for name in BOTH] == [2, 2]
    assert [table.person(name).unread for name in BOTH] == [0, 0]
    assert table.step(table.desk("Ann", public)) == 2


async def test_a_match_leaves_one_message_in_each_players_direct_messages(table):
    public = await table.match(pace="slow", variant="pico1")

    await table.finish(public, *BOTH)

    assert [len(table.letters(name)) for name in BOTH] == [1, 1]
    assert [table.person(name).unread for name in BOTH] == [1, 1]


async def test_a_hand_that_is_sent_again_notifies_and_the_previous_one_is_deleted(table):
    await second_turn(table)
    old = table.desk("Ann")

    brought = await bring(table, 0)

    assert brought
    assert old.deleted
    (new,) = table.letters("Ann")
    assert table.step(new) == 1
    assert table.person("Ann").unread == 1
    assert leftovers(table) == []
    assert table.sql("SELECT message FROM places WHERE place = 0") == [(new.id,)]
    await table.trick(*BOTH)
    await table.quiet_now()
    assert table.step(new) == 2


async def test_a_hand_is_sent_again_once_a_turn(table):
    await second_turn(table)

    brought = [await bring(table, 0) for _ in range(3)]

    assert brought == [True, True, True]
    assert table.person("Ann").unread == 1
    await table.trick(*BOTH)
    await table.quiet_now()
    assert await bring(table, 0)
    assert len(table.letters("Ann")) == 1
    assert len(table.requests("DELETE")) == 2


@pytest.mark.parametrize("event", ["turn", "accepted"])
async def test_the_first_hand_is_not_sent_again_in_its_own_turn(table, event):
    await table.match(pace="slow")

    assert await table.bring(0, event=event)
    assert table.person("Ann").unread == 1
    assert table.requests("DELETE") == []


async def test_a_player_who_has_chosen_meanwhile_is_not_notified(table):
    await second_turn(table)
    await table.play("Ann")

    assert await bring(table, 0)
    assert table.person("Ann").unread == 0


async def test_no_hand_of_a_match_that_is_over_is_sent_again(table):
    public = await second_turn(table)
    await table.person("Bo").forge(public, custom_id="f1:1:0:leave:")
    await table.over(public, *BOTH)

    assert await bring(table, 0)
    assert [table.person(name).unread for name in BOTH] == [0, 0]


async def test_a_hand_that_was_sent_without_confirmation_is_sent_once(table):
    await second_turn(table)
    table.discord.faults.add(Fault(**SEND, status=503, after=True, times=5))

    with pytest.raises(UndeliveredError):
        await bring(table, 0)
    await table.restart()
    table.discord.faults.clear()
    brought = await bring(table, 0)
    await table.quiet_now()

    assert brought
    assert len(table.letters("Ann")) == 1
    assert table.person("Ann").unread == 1


async def test_a_hand_that_was_sent_but_not_stored_replaces_the_old_one(table):
    """Even if its player owes nothing at the next start; otherwise there would be two."""
    await second_turn(table)
    old = table.desk("Ann")
    table.discord.faults.add(Fault(**SEND, delay=3600.0, after=True))
    bringing = asyncio.create_task(bring(table, 0))
    await table.discord.until(lambda: len(table.letters("Ann")) == 2)
    await table.play("Ann", 2)
    bringing.cancel()

    await table.restart()
    await table.repaired()
    await table.quiet_now()

    (new,) = table.letters("Ann")
    assert old.deleted
    assert [i for i, b in enumerate(table.cards(new)) if "✓" in b.label] == [2]


async def test_a_hand_that_cannot_be_sent_again_stays_and_is_not_retried(table):
    await second_turn(table)
    table.person("Ann").closed = True
    assert not await bring(table, 0)
    sent = len(table.requests("POST", "/messages"))

    await table.restart()
    await table.quiet_now()

    assert len(table.requests("POST", "/messages")) == sent
    assert table.sql("SELECT count(*) FROM places WHERE coming") == [(0,)]


async def test_a_crash_before_the_old_hand_is_deleted_leaves_two_until_the_next_start(table):
    await second_turn(table)
    old = table.desk("Ann")
    table.discord.faults.add(Fault(**DELETE, status=503, times=None))
    assert await bring(table, 0)
    await table.stop()
    assert table.letters("Ann")[0] is old
    assert len(table.letters("Ann")) == 2
    assert leftovers(table) == [(0, old.id)]

    table.discord.faults.clear()
    await table.start()
    await table.discord.until(lambda: old.deleted)
    await table.quiet_now()

    assert len(table.letters("Ann")) == 1
    assert leftovers(table) == []


async def test_an_old_hand_that_could_not_be_deleted_is_deleted_later(table, monkeypatch):
    monkeypatch.setattr("bot.live.work_queue.RETRY", (0.05,))  # instead of seconds
    await second_turn(table)
    old = table.desk("Ann")
    table.discord.faults.add(Fault(**DELETE, status=503, times=5))  # not retried by the library

    assert await bring(table, 0)
    await table.quiet_now()

    assert old.deleted
    assert leftovers(table) == []


@pytest.mark.parametrize(("status", "code"), [(403, 50013), (404, 10008)])
async def test_an_old_hand_that_cannot_be_deleted_is_given_up(table, status, code):
    await second_turn(table)
    old = table.desk("Ann")
    card = table.cards(old)[0].custom_id
    table.discord.faults.add(Fault(**DELETE, status=status, code=code, times=None))

    assert await bring(table, 0)
    await table.trick(*BOTH)
    await table.quiet_now()
    late = await table.person("Ann").forge(old, custom_id=card)

    assert len(table.requests("DELETE")) == 1
    assert leftovers(table) == []
    assert late.text.startswith("That round is over.")


async def test_somebody_with_closed_direct_messages_keeps_the_hand_and_is_told_elsewhere(table):
    await second_turn(table)
    hand = table.desk("Ann")
    table.person("Ann").closed = True

    brought = [await bring(table, 0) for _ in range(2)]
    await table.trick_at({"Ann": hand, "Bo": table.desk("Bo")})
    await table.quiet_now()

    assert brought == [False, False]
    assert table.letters("Ann") == [hand]
    assert table.step(hand) == 2


async def test_somebody_who_wants_the_hand_at_the_table_is_told_there(table):
    await prefer(table, "Bo", "desk here")
    public = await table.challenge(pace="slow")
    await table.person("Bo").click(public, "Accept")
    await table.discord.until(lambda: table.desk("Ann"))
    await table.quiet_now()

    assert not await bring(table, 1)
    assert table.letters("Bo") == []


async def test_somebody_whose_first_direct_message_will_take_long_is_told_at_the_table(
    discord, tmp_path
):
    async with seated(discord, tmp_path, settings_=settings(most_openings=1)) as table:
        public = await table.challenge(pace="slow")
        await table.person("Bo").click(public, "Accept")
        await table.discord.until(lambda: table.letters("Ann") or table.letters("Bo"))
        await table.quiet_now()

        brought = [await bring(table, seat) for seat in (0, 1)]

        assert brought == [bool(table.letters(name)) for name in BOTH]
        assert sorted(brought) == [False, True]


# Players who use My hand


@pytest.fixture
async def waiting(discord, tmp_path):
    """A table where no direct message can be opened until an hour has passed."""
    async with seated(discord, tmp_path, settings_=settings(most_openings=1)) as table:
        await prefer(table, "Cleo", "desk here")
        public = await table.challenge("Dan", "Cleo", pace="slow")
        await table.person("Cleo").click(public, "Accept")
        await table.discord.until(lambda: table.letters("Dan"))  # which used up the hourly limit
        await table.quiet_now()
        yield table


async def unsent(table, **options):
    """A match of Ann and Bo whose hands wait in line."""
    public = await table.challenge(pace="slow", **options)
    await table.person("Bo").click(public, "Accept")
    await table.discord.until(lambda: "Round 1" in public.text)
    await table.quiet_now()
    return public


async def test_a_player_who_has_opened_my_hand_gets_no_hand_by_direct_message(waiting):
    ann = waiting.person("Ann").id
    for event in ("accepted", "turn"):  # each would send it
        await waiting.bot.services.notice_settings.choose(ann, event, "none")
    public = await unsent(waiting)

    await waiting.hand("Ann", public)
    await waiting.restart()
    waiting.pass_time(2 * HOUR)
    await waiting.discord.until(lambda: waiting.letters("Bo"))
    await waiting.quiet_now()
    waiting.pass_time(2 * HOUR)
    query = "SELECT user, event FROM notices WHERE match = 2"
    await until(lambda: (ann, "turn") not in waiting.sql(query))
    await waiting.committed()
    await waiting.quiet_now()

    assert waiting.letters("Ann") == []
    assert waiting.sql("SELECT plays_here FROM seats WHERE match = 2") == [(1,), (None,)]


async def test_a_player_who_used_my_hand_and_has_been_away_gets_it_by_direct_message(waiting):
    public = await unsent(waiting)
    await waiting.hand("Ann", public)
    waiting.pass_time(2 * HOUR)
    await waiting.discord.until(lambda: waiting.letters("Bo"))
    waiting.pass_time(2 * HOUR)

    await waiting.told()
    assert await bring(waiting, 0, match=2)

    (hand,) = [letter for letter in waiting.letters("Ann") if waiting.cards(letter)]
    assert len(waiting.cards(hand)) == 6


async def test_a_player_who_used_my_hand_and_then_chooses_direct_messages_gets_it_there(waiting):
    public = await unsent(waiting)
    await waiting.hand("Ann", public)
    waiting.pass_time(2 * HOUR)
    await waiting.discord.until(lambda: waiting.letters("Bo"))
    waiting.pass_time(2 * HOUR)

    await prefer(waiting, "Ann", "desk dm")

    await waiting.discord.until(lambda: waiting.letters("Ann"))
