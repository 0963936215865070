"""`/notify`: how somebody is told of each event, in a private message with menus."""

import pytest

from bot.messaging.components import Select
from bot.rendering.notices import EARLY, WAYS, notice_panel
from bot.settings.notices import EARLINESS, EVENTS
from bot.storage.people import NoticePreference
from bot.text import capitalized
from tests.support.typed_commands import typed


async def notify(table):
    answer = await table.person("Ann").slash("notify", channel="games")
    return (await answer.settled()).message


def kept(table):
    return table.sql("SELECT notices, remind_before FROM people")


def told(message):
    """The labels of the events, by the way under which the panel lists them."""
    ways = {f"**{capitalized(words)}**": way for way, words in WAYS.items()}
    labels, found, below = {kind.label for kind in EVENTS.values()}, {}, None
    for line in message.text.splitlines():
        below = ways.get(line, below)
        label = line.partition(" ")[2]
        if below is not None and label in labels:
            found.setdefault(below, []).append(label)
    return found


async def test_a_private_message_says_how_somebody_is_told_of_every_event(table):
    said = await notify(table)

    assert said.ephemeral_to is not None
    events = [kind.label for kind in EVENTS.values()]
    (mentioned,) = [kind.label for kind in EVENTS.values() if kind.default == "channel"]
    second = "Also 1 hour before your time runs out (1 or 3 days a move)"
    by_letter = [e for e in events if e not in {mentioned, second}]
    assert told(said) == {"dm": by_letter, "channel": [mentioned], "none": [second]}
    assert kept(table) == []


async def test_an_event_is_chosen_first_and_then_its_way(table):
    ann, said = table.person("Ann"), await notify(table)

    await ann.select(said, "Pick what to change", "show over")
    await ann.select(said, "How I tell you", "over none")

    assert "Your match is over" in told(said)["none"]
    assert kept(table) == [("over=none", None)]


async def test_one_choice_leaves_the_others_as_they_are(table):
    ann, said = table.person("Ann"), await notify(table)
    await ann.select(said, "How I tell you", "turn channel")
    await ann.select(said, "How early I remind you", "early 3600")

    await ann.select(said, "Pick what to change", "show rematch")
    await ann.select(said, "How I tell you", "rematch none")

    assert kept(table) == [("rematch=none turn=channel", 3600)]
    assert told(said)["channel"] == ["Your turn", "You're challenged"]


async def test_the_default_time_of_reminders_can_be_chosen_again(table):
    ann, said = table.person("Ann"), await notify(table)
    await ann.select(said, "How early I remind you", "early 600")

    await ann.select(said, "How early I remind you", "early 0")

    assert kept(table) == [("", None)]


@pytest.mark.parametrize("forged", ["show soup", "soup dm", "turn soup", "early 7", "early soup"])
async def test_a_forged_choice_is_refused_and_nothing_is_stored(table, forged):
    ann, said = table.person("Ann"), await notify(table)

    answer = await ann.forge(said, custom_id=f"f1:0:0:notify:{forged}")

    assert typed(answer.text) == "I don't know that choice. Use `/notify` again."
    assert kept(table) == []


async def test_it_works_in_direct_messages(table):
    ann = table.person("Ann")

    answer = await (await ann.slash("notify", channel=ann.dm)).settled()

    assert answer.text.startswith("### What I tell you")


def test_every_time_that_can_be_chosen_has_a_text():
    assert set(EARLINESS) == set(EARLY)


@pytest.mark.parametrize("event", EVENTS)
def test_the_panel_fits_a_message_and_marks_what_is_chosen(event):
    content = notice_panel(NoticePreference({event: "none"}, 600), event)

    menus = [row for row in content.rows if isinstance(row, Select)]
    assert [o.value for menu in menus for o in menu.options if o.chosen] == [
        f"show {event}",
        f"{event} none",
        "early 600",
    ]
    assert len(content.head) + len(content.foot) < 1500


def test_the_panel_says_when_a_reminder_comes_later_than_chosen_or_not_at_all():
    said = "**Before your time runs out**: not in the first half of it, never at 2 minutes a move"

    assert said in notice_panel(NoticePreference({}, 3600), "time").rows
