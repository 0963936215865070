"""A match without a clock that is about to close: those who owe a move are told once."""

import pytest

from tests.support.clock import DAY, HOUR
from tests.support.waiting import until

SAID = "This match closes without a result if nobody moves by"


def told(table, name):
    return [m for m in table.letters(name) if SAID in m.text]


def mentions(person):
    """The reminders in the channel."""
    return [message for message in person.see("games") if "⏰" in message.text]


def closing(table):
    ((closes,),) = table.sql("SELECT due_at FROM matches")
    return f"{SAID} <t:{closes}:f>."


@pytest.fixture
async def public(table):
    """The table of a match without a clock in which Ann has chosen and all notices were sent."""
    public = await table.match(pace="none")
    await table.play("Ann")
    await table.told_of_turns()
    return public


async def test_a_player_who_owes_a_move_is_told_once_three_days_before(table, public):
    table.pass_time(27 * DAY - 600)
    await table.told()
    assert told(table, "Bo") == []
    table.pass_time(600)
    await table.discord.until(lambda: told(table, "Bo"))
    assert closing(table) in told(table, "Bo")[0].text

    table.pass_time(DAY)
    await table.told()
    await table.restart()
    await table.told()

    assert (len(told(table, "Bo")), told(table, "Ann")) == (1, [])
    table.pass_time(2 * DAY)
    await table.discord.until(lambda: "nobody moved for 30 days" in public.text)
    await table.discord.until(lambda: told(table, "Bo") == [])


async def test_after_downtime_past_the_end_the_hand_names_the_new_day(table, public):
    table.pass_time(27 * DAY)
    await table.discord.until(lambda: told(table, "Bo"))
    before = closing(table)
    await table.stop()
    table.watch.advance(3 * DAY + HOUR)

    await table.start()

    await table.discord.until(lambda: before not in table.desk("Bo").text)
    assert closing(table) in table.desk("Bo").text


async def test_a_mention_names_the_day_too(table, public):
    bo = table.person("Bo")
    await table.bot.services.notice_settings.choose(bo.id, "time", "channel")

    table.pass_time(27 * DAY)
    await table.discord.until(lambda: "⏰" in bo.see("games")[-1].text)

    said = bo.see("games")[-1]
    assert said.pinged == {bo.id}
    ((closes,),) = table.sql("SELECT due_at FROM matches")
    assert f"If nobody moves by <t:{closes}:f>, the match closes without a result." in said.text


async def test_after_downtime_past_the_end_a_mention_with_the_new_day_replaces_the_other(
    table, public
):
    bo = table.person("Bo")
    await table.bot.services.notice_settings.choose(bo.id, "time", "channel")
    table.pass_time(27 * DAY)
    await table.discord.until(lambda: mentions(bo))
    await table.told()
    (before,) = mentions(bo)
    await table.stop()
    table.watch.advance(3 * DAY + HOUR)

    await table.start()

    await table.discord.until(lambda: before not in mentions(bo) and mentions(bo))
    (said,) = mentions(bo)
    ((closes,),) = table.sql("SELECT due_at FROM matches")
    assert closes == int(table.watch()) + DAY
    assert f"If nobody moves by <t:{closes}:f>, the match closes without a result." in said.text
    assert said.pinged == {bo.id}


async def test_a_later_move_keeps_the_match(table, public):
    table.pass_time(27 * DAY)
    await table.discord.until(lambda: told(table, "Bo"))

    await table.play("Bo")
    await until(lambda: table.sql("SELECT step FROM matches") == [(1,)])
    table.pass_time(20 * DAY)
    await table.told()

    assert table.sql("SELECT status FROM matches") == [("running",)]
    assert told(table, "Bo") == []
