"""A match without a clock that is about to close: those who owe a move are told once."""

import pytest

from tests.support.clock import DAY, HOUR
from tests.support.notices import away, offer_a_draw
from tests.support.waiting import written

SAID = "This match closes without a result if nobody moves by"


def told(table, name):
    """Their hands that were sent to tell them."""
    return [m for m in table.letters(name) if f"⏰ **{SAID}" in m.text]


def mentions(person):
    """The reminders and nudges in the channel."""
    return [message for message in person.see("games") if message.text[0] in "⏰👋"]


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


async def announced(table):
    """Wait until the end is announced, and everybody who is told of it was."""
    table.pass_time(27 * DAY)
    await written(table, "SELECT 1 FROM matches WHERE closes_at NOT NULL")
    await table.told()
    await table.quiet_now()


async def nudge(table):
    """Let Ann nudge Bo, and send the notice of it."""
    menu = await table.person("Ann").click(table.desk("Ann"), "Menu")
    await table.person("Ann").click(menu.message, "Nudge")
    await table.told()
    await table.quiet_now()


async def test_the_table_and_the_hands_name_the_day_once(table, public):
    await announced(table)

    for message in (public, table.desk("Ann"), table.desk("Bo")):
        assert message.text.count(SAID) == 1
    assert f"⏳ {closing(table)}" in public.text
    assert f"⏳ {closing(table)}" in table.desk("Ann").text


@pytest.mark.parametrize("what", ["a nudge", "an offer"])
async def test_a_hand_sent_for_another_reason_still_names_the_day(table, public, what):
    await announced(table)
    before = table.desk("Bo")

    if what == "a nudge":
        await nudge(table)
    else:
        await offer_a_draw(table, "Ann", public)
        await away(table)

    assert table.desk("Bo").id != before.id
    assert f"⏳ {closing(table)}" in table.desk("Bo").text


@pytest.mark.parametrize("downtime", [False, True])
async def test_a_mention_that_nudges_still_names_the_day(table, public, downtime):
    """After downtime past the end, it is replaced by one with the new day."""
    bo = table.person("Bo")
    for event in ("time", "nudged"):
        await table.bot.services.notice_settings.choose(bo.id, event, "channel")
    await announced(table)
    await nudge(table)
    assert [m.text[0] for m in mentions(bo)][-1] == "👋"

    if downtime:
        await table.stop()
        table.watch.advance(3 * DAY + HOUR)
        await table.start()
        await table.discord.until(lambda: "⏰" in mentions(bo)[-1].text)
        await table.told()

    ((closes,),) = table.sql("SELECT due_at FROM matches")
    said = f"If nobody moves by <t:{closes}:f>, the match closes without a result."
    assert [said in message.text for message in mentions(bo)] == [True]


async def test_a_later_move_keeps_the_match(table, public):
    table.pass_time(27 * DAY)
    await table.discord.until(lambda: told(table, "Bo"))

    await table.play("Bo")
    await written(table, "SELECT step FROM matches", [(1,)])
    table.pass_time(20 * DAY)
    await table.told()

    assert table.sql("SELECT status FROM matches") == [("running",)]
    assert told(table, "Bo") == []
