"""Time at the wire: countdowns, reminders, and what happens when time has run out."""

import re

from tests.support.clock import DAY, HOUR, MINUTE
from tests.support.waiting import written

BOTH = ("Ann", "Bo")
LAST_SEEN = "SELECT max(hour) FROM puzzle_days"
"""Tells a start how long the bot was off."""


def countdowns(message):
    return [int(second) for second in re.findall(r"<t:(\d+):R>", message.text)]


def reminders(table, name):
    """The reminders somebody got that are complete; they are sent as words only."""
    return [m for m in table.letters(name) if "⏰" in m.text and m.is_v2]


async def prefer(table, name, way, early=None):
    """Let somebody be reminded in this way, and this many seconds before."""
    settings, user = table.bot.services.notice_settings, table.person(name).id
    await settings.choose(user, "time", way)
    await settings.remind_before(user, early)


async def deadline(table, step, *names):
    """Let these people choose in this step, and let time run out for the others."""
    for name in names:
        await table.play(name)
    table.pass_time(2 * MINUTE)
    await table.discord.until(lambda: table.step(table.desk("Ann")) == step + 1)
    await table.quiet_now()


# Countdowns


async def test_the_table_and_the_hands_count_down_to_the_deadline(table):
    due = int(table.watch()) + 2 * MINUTE

    public = await table.match()

    assert countdowns(public) == [due]
    assert [countdowns(table.desk(name)) for name in BOTH] == [[due], [due]]


async def test_a_challenge_counts_down_to_its_expiry_and_says_when_it_has_expired(table):
    public = await table.challenge(pace="slow")
    assert countdowns(public) == [int(table.watch()) + 3 * DAY]
    await table.person("Bo").click(public, "Rules")  # a click doesn't change where the table is

    table.pass_time(3 * DAY)

    await table.discord.until(lambda: "The challenge expired" in public.text)
    assert public.buttons == []


async def test_a_challenge_extended_because_of_downtime_counts_down_to_its_new_expiry(table):
    public = await table.challenge(pace="slow")
    await written(table, LAST_SEEN)
    await table.stop()
    table.watch.advance(3 * DAY + 12 * HOUR)

    await table.start()

    ((expires,),) = table.sql("SELECT due_at FROM matches")
    assert expires > table.watch() + 2 * DAY
    await table.discord.until(lambda: countdowns(public) == [expires])


async def test_without_a_clock_nothing_counts_down(table):
    public = await table.match(pace="none")

    assert countdowns(public) == []
    assert countdowns(table.desk("Ann")) == []


async def test_a_hand_has_no_countdown_after_its_player_has_chosen(table):
    public = await table.match()

    await table.play("Ann")

    assert countdowns(table.desk("Ann")) == []
    assert len(countdowns(public)) == 1


# When time is up


async def test_the_clock_plays_says_so_and_warns_of_the_next_time(table):
    public = await table.match()
    ann, bo = (table.person(name).mention for name in BOTH)
    await table.play("Ann")

    table.pass_time(2 * MINUTE)

    await table.discord.until(lambda: f"Time ran out for {bo}" in public.text)
    await table.quiet_now()
    warned = "You missed your last deadline. Miss one more and you lose your seat."
    assert warned in table.desk("Bo").text
    assert warned not in table.desk("Ann").text
    assert warned not in public.text
    assert countdowns(public) == [int(table.watch()) + 2 * MINUTE]
    assert f"Time ran out for {ann}" not in public.text


async def test_a_choice_in_time_removes_the_warning(table):
    public = await table.match()
    await table.play("Ann")
    table.pass_time(2 * MINUTE)
    await table.discord.until(lambda: table.step(table.desk("Bo")) == 1)

    await table.trick(*BOTH)
    await table.quiet_now()

    assert "You missed" not in table.desk("Bo").text
    assert "Time ran out" not in public.text


async def test_a_second_missed_deadline_in_a_row_forfeits_the_seat(table):
    public = await table.match()
    await deadline(table, 0, "Ann")

    await table.play("Ann")
    table.pass_time(2 * MINUTE)

    said = f"{table.person('Bo').mention} missed two deadlines in a row."
    await table.discord.until(lambda: said in public.text)
    await table.discord.until(lambda: all(said in table.desk(name).text for name in BOTH))
    assert "seed was" not in public.text  # it can still be resumed


async def test_if_one_of_three_forfeits_they_are_told_and_the_others_play_on(table):
    public = await table.match("Ann", "Bo", "Cleo")

    await deadline(table, 0, "Ann", "Bo")
    await deadline(table, 1, "Ann", "Bo")

    assert f"{table.person('Cleo').mention} ran out of time" in public.text
    assert "You missed two deadlines in a row and lost your seat" in table.desk("Cleo").text
    assert table.cards(table.desk("Cleo")) == []


async def test_a_match_is_closed_if_everybody_is_away(table):
    public = await table.match()
    await deadline(table, 0)

    table.pass_time(2 * MINUTE)

    await table.discord.until(lambda: "**Out of time**: everyone" in public.text)
    assert "everyone still playing missed two deadlines in a row" in public.text
    assert "so I moved for" not in public.text
    assert table.sql("SELECT count(*) FROM results") == [(0,)]
    table.pass_time(7 * DAY)
    await table.discord.until(lambda: "**Closed without a result**: everyone" in public.text)


async def test_a_match_without_a_clock_is_closed_after_30_days_of_silence(table):
    public = await table.match(pace="none")
    table.pass_time(27 * DAY)
    await written(table, "SELECT 1 FROM matches WHERE due_at > ?")

    table.pass_time(3 * DAY)

    await table.discord.until(lambda: "nobody moved for 30 days" in public.text)


# Restarts


async def test_a_deadline_that_passed_while_the_bot_was_away_is_put_off(table):
    public = await table.match(pace="slow")
    await table.told_of_turns()  # otherwise the start sends notices, with new hands
    await table.quiet_now()
    desk = table.desk("Ann")
    await table.stop()
    table.watch.advance(5 * DAY)

    await table.start()

    due = int(table.watch()) + DAY
    await table.discord.until(lambda: countdowns(public) == countdowns(desk) == [due])
    assert [m for m in table.letters("Ann") if "your hand" in m.text] == [desk]
    assert table.sql("SELECT step, due_at FROM matches") == [(0, due)]
    table.pass_time(MINUTE)
    await table.discord.until(lambda: desk.deleted and table.desk("Ann"))  # sent again
    table.pass_time(DAY)
    await table.discord.until(lambda: "Time ran out for" in public.text)


async def test_a_deadline_stays_the_same_across_a_restart(table):
    public = await table.match(pace="slow")
    table.pass_time(DAY - HOUR)
    before = table.sql("SELECT due_at FROM matches")
    await written(table, LAST_SEEN, [(int(table.watch() // HOUR),)])
    await table.restart()

    assert table.sql("SELECT due_at FROM matches") == before
    table.pass_time(HOUR - 1)
    table.pass_time(1)

    await table.discord.until(lambda: "Time ran out for" in public.text)


async def test_an_act_of_the_clock_that_was_not_shown_before_a_crash_is_shown_at_the_start(table):
    """The act is stored, and nobody has been told of it."""
    public = await table.match(pace="slow")
    match = table.match_of(public)
    async with table.bot.services.storage.transaction() as writing:
        await writing.matches.note_late(match, [0])
    assert "Time ran out" not in public.text

    await table.restart()

    await table.discord.until(lambda: "Time ran out for" in public.text)


# The end


async def test_the_end_of_a_match_is_shown_in_the_existing_hand(table):
    public = await table.match(pace="slow")
    desk = table.desk("Ann")

    await table.person("Bo").forge(public, custom_id=f"f1:{table.match_of(public)}:0:leave:")
    await table.over(public, *BOTH)

    assert table.letters("Ann") == [desk]


# Reminders


async def test_a_reminder_by_direct_message_links_to_hand_and_table(table):
    due = int(table.watch()) + DAY
    public = await table.match(pace="slow")
    desk = table.desk("Bo")
    await table.play("Ann")
    await table.told_of_turns()

    table.pass_time(18 * HOUR)

    await table.discord.until(lambda: reminders(table, "Bo"))
    (said,) = reminders(table, "Bo")
    assert "**Your time is running out.**" in said.text
    assert countdowns(said) == [due]
    assert [b.url.rpartition("/")[2] for b in said.buttons if b.url] == [str(public.id)]
    assert desk.id != said.id  # a new message, which notifies
    assert reminders(table, "Ann") == []


async def test_a_reminder_is_not_repeated_after_a_restart(table):
    await table.match(pace="slow")
    await table.told_of_turns()
    table.pass_time(18 * HOUR)
    await table.discord.until(lambda: all(reminders(table, name) for name in BOTH))

    await table.restart()
    table.watch.advance(MINUTE)
    await table.told()

    assert [len(reminders(table, name)) for name in BOTH] == [1, 1]


async def test_a_mention_in_the_channel_notifies_only_players_who_owe_a_move(table):
    await prefer(table, "Bo", "channel", HOUR)
    await table.match(pace="slow")
    await table.play("Ann")
    await table.told_of_turns()

    table.pass_time(23 * HOUR)

    said = await table.discord.until(
        lambda: [m for m in table.person("Ann").see("games") if "⏰" in m.text]
    )
    assert said[0].text.startswith(f"⏰ {table.person('Bo').mention}: ")
    sent = next(r for r in table.requests("POST", "/messages") if "⏰" in str(r.json))
    assert sent.json["allowed_mentions"]["users"] == [table.person("Bo").id]
    assert reminders(table, "Bo") == []


async def test_a_player_who_wants_no_reminder_gets_none(table):
    await prefer(table, "Bo", "none")
    await table.match(pace="slow")
    await table.told_of_turns()

    table.watch.advance(18 * HOUR)
    await table.told()

    assert [len(reminders(table, name)) for name in BOTH] == [1, 0]


async def test_a_reminder_is_a_mention_if_direct_messages_do_not_arrive(table):
    table.person("Bo").closed = True
    await table.match(pace="slow")
    await table.told_of_turns()

    table.pass_time(18 * HOUR)

    await table.discord.until(
        lambda: [m for m in table.person("Ann").see("games") if "⏰" in m.text]
    )
    assert reminders(table, "Ann")


async def test_after_a_missed_deadline_the_reminder_has_a_warning(table):
    await table.match(pace="slow")
    table.pass_time(DAY)
    await table.discord.until(lambda: table.step(table.desk("Bo")) == 1)
    await table.told_of_turns()

    table.pass_time(18 * HOUR)

    await table.discord.until(lambda: reminders(table, "Bo"))
    assert "Miss one more and you lose your seat" in reminders(table, "Bo")[0].text


async def test_a_second_reminder_is_a_new_hand_and_the_only_message(table):
    for name in BOTH:
        await table.bot.services.notice_settings.choose(table.person(name).id, "last", "dm")
    await prefer(table, "Ann", "none")
    await table.match(pace="slow")
    await table.play("Ann")
    await table.told_of_turns()
    table.pass_time(18 * HOUR)
    await table.discord.until(lambda: reminders(table, "Bo"))
    await table.told()
    first = len(table.letters("Bo"))

    table.pass_time(5 * HOUR)
    await table.discord.until(lambda: len(table.letters("Bo")) > first)
    await table.told()

    (said,) = [m for m in table.letters("Bo") if not m.deleted]
    assert said is table.letters("Bo")[-1]
    assert said.text.startswith("⏰ **Your time is running out.** If it runs out, I move for you.")
    assert all("running out" not in m.text for m in table.letters("Ann"))
