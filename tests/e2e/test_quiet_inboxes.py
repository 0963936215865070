"""An inbox has one message of a match: edits are silent, and a new one replaces the old one."""

import pytest

from bot.messaging.failures import UndeliveredError
from sandbox.faults import Fault
from tests.support.services import settings
from tests.support.tables import seated

BOTH = ("Ann", "Bo")
DELETE = {"method": "DELETE", "path": r"^/channels/\d+/messages"}
SEND = {"method": "POST", "path": r"^/channels/\d+/messages"}


async def bring(table, seat, match=1):
    return await table.bot.services.live.bring_hand(match, seat)


async def second_turn(table, **options):
    """A match at the usual pace whose second turn has begun, with the first hands read."""
    public = await table.match(**{"pace": "slow", **options})
    await table.trick(*BOTH)
    await table.quiet_now()
    for name in BOTH:
        table.person(name).read()
    return public


def leftovers(table):
    return table.sql("SELECT place, leftover FROM places WHERE leftover IS NOT NULL")


async def test_a_turn_that_begins_changes_the_hand_that_is_there_and_notifies_nobody(table):
    public = await second_turn(table)
    hands = {name: table.desk(name) for name in BOTH}

    await table.trick(*BOTH)
    await table.quiet_now()

    assert [table.letters(name) for name in BOTH] == [[hands[name]] for name in BOTH]
    assert [table.step(hands[name]) for name in BOTH] == [2, 2]
    assert [table.person(name).unread for name in BOTH] == [0, 0]
    assert table.step(table.desk("Ann", public)) == 2


async def test_a_match_leaves_one_message_in_each_inbox(table):
    public = await table.match(pace="slow", variant="pico1")

    await table.finish(public, *BOTH)

    assert [len(table.letters(name)) for name in BOTH] == [1, 1]
    assert [table.person(name).unread for name in BOTH] == [1, 1]


async def test_a_hand_that_is_brought_notifies_and_the_one_before_is_deleted(table):
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


async def test_a_hand_is_brought_once_a_turn(table):
    await second_turn(table)

    brought = [await bring(table, 0) for _ in range(3)]

    assert brought == [True, True, True]
    assert table.person("Ann").unread == 1
    await table.trick(*BOTH)
    await table.quiet_now()
    assert await bring(table, 0)
    assert len(table.letters("Ann")) == 1
    assert len(table.requests("DELETE")) == 2


async def test_the_turn_in_which_the_first_hand_came_needs_no_second_one(table):
    await table.match(pace="slow")

    assert await bring(table, 0)
    assert table.person("Ann").unread == 1
    assert table.requests("DELETE") == []


async def test_who_has_chosen_meanwhile_is_told_nothing(table):
    await second_turn(table)
    await table.play("Ann")

    assert await bring(table, 0)
    assert table.person("Ann").unread == 0


async def test_nothing_is_brought_of_a_match_that_is_over(table):
    public = await second_turn(table)
    await table.person("Bo").forge(public, custom_id="f1:1:0:leave:")
    await table.over(public, *BOTH)

    assert await bring(table, 0)
    assert [table.person(name).unread for name in BOTH] == [0, 0]


async def test_a_hand_whose_answer_was_lost_is_brought_once(table):
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


async def test_a_death_before_the_old_hand_is_deleted_leaves_two_until_the_next_start(table):
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


async def test_an_old_hand_that_discord_fails_to_delete_is_deleted_later(table):
    await second_turn(table)
    old = table.desk("Ann")
    table.discord.faults.add(Fault(**DELETE, status=503, times=5))  # the library tries five times

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


async def test_who_has_closed_direct_messages_keeps_the_hand_and_is_told_elsewhere(table):
    await second_turn(table)
    hand = table.desk("Ann")
    table.person("Ann").closed = True

    brought = [await bring(table, 0) for _ in range(2)]
    await table.trick_at({"Ann": hand, "Bo": table.desk("Bo")})
    await table.quiet_now()

    assert brought == [False, False]
    assert table.letters("Ann") == [hand]
    assert table.step(hand) == 2


async def test_who_wants_the_hand_at_the_table_is_told_there(table):
    panel = (await table.person("Bo").slash("preferences", channel="games")).message
    await table.person("Bo").select(panel, "Where your desk stands", "desk here")
    public = await table.challenge(pace="slow")
    await table.person("Bo").click(public, "Accept")
    await table.discord.until(lambda: table.desk("Ann"))
    await table.quiet_now()

    assert not await bring(table, 1)
    assert table.letters("Bo") == []


async def test_whose_first_direct_message_will_take_long_is_told_at_the_table(discord, tmp_path):
    async with seated(discord, tmp_path, settings_=settings(most_openings=1)) as table:
        public = await table.challenge(pace="slow")
        await table.person("Bo").click(public, "Accept")
        await table.discord.until(lambda: table.letters("Ann") or table.letters("Bo"))
        await table.quiet_now()

        brought = [await bring(table, seat) for seat in (0, 1)]

        assert brought == [bool(table.letters(name)) for name in BOTH]
        assert sorted(brought) == [False, True]
