"""`/notify`: how and how early somebody is reminded of a move."""

import pytest

from bot.storage.people import ReminderPreference
from cogs.notify import changed, described


async def notify(table, **options):
    return (await table.person("Ann").slash("notify", channel="games", **options)).message


def kept(table):
    return table.sql("SELECT remind, remind_before FROM people")


async def test_without_a_word_it_says_how_it_is(table):
    said = await notify(table)

    assert said.ephemeral_to is not None
    assert said.text == (
        "If it's still your turn, I remind you **by direct message** **when a quarter of the time "
        "is left**: once a turn, never before half your time is up, and never in live matches. If "
        "my direct messages can't reach you, I mention you at the table."
    )
    assert kept(table) == []


async def test_what_is_named_is_changed_and_the_rest_stays(table):
    await notify(table, by="channel")
    said = await notify(table, early=3600)

    assert "**by a mention at the table** **1 hour before the deadline**" in said.text
    assert kept(table) == [("channel", 3600)]


async def test_a_quarter_of_the_time_can_be_chosen_again(table):
    await notify(table, early=600)

    await notify(table, early=0)

    assert kept(table) == [("dm", None)]


async def test_no_reminders_are_a_choice(table):
    said = await notify(table, by="none")

    assert said.text.startswith("I **don't remind** you of moves.")
    assert kept(table) == [("none", None)]


async def test_it_works_in_direct_messages(table):
    ann = table.person("Ann")

    answer = await ann.slash("notify", channel=ann.dm, by="none")

    assert answer.text.startswith("I **don't remind** you")


@pytest.mark.parametrize(
    ("preference", "channel", "early", "after"),
    [
        (ReminderPreference(), None, None, ReminderPreference()),
        (ReminderPreference("none", 600), "dm", None, ReminderPreference("dm", 600)),
        (ReminderPreference("dm", 600), None, 0, ReminderPreference("dm", None)),
        (ReminderPreference("dm", None), "channel", 28_800, ReminderPreference("channel", 28_800)),
    ],
)
def test_a_wish_changes_by_what_is_named(preference, channel, early, after):
    assert changed(preference, channel, early) == after


@pytest.mark.parametrize(
    ("preference", "words"),
    [
        (ReminderPreference("dm", 600), "**10 minutes before the deadline**"),
        (ReminderPreference("dm", 10_800), "**3 hours before the deadline**"),
        (ReminderPreference("channel", 28_800), "**8 hours before the deadline**"),
    ],
)
def test_every_choice_is_described(preference, words):
    assert words in described(preference)
