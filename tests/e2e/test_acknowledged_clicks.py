"""Clicks whose answer fails after they were acknowledged: people are told what was done anyway."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.interactions.error_handler import ALL_SAVED, UNSHOWN
from cogs.privacy import DELETED, NOTHING_DELETED
from sandbox import Fault
from tests.support.services import AT_ONCE
from tests.support.tables import labels, seated

EDIT = {"method": "PATCH", "path": "/messages/@original$"}
TROUBLE = {"drop": True}
REFUSED = {"status": 403, "code": 50013}


@pytest.fixture
async def slow(discord, tmp_path):
    """A table whose bot defers every answer."""
    async with seated(discord, tmp_path, pacing=replace(AT_ONCE, defer=0.0)) as table:
        yield table


async def ask_question(table, command, **options):
    """The confirmation question that Ann gets for a command."""
    answer = await table.person("Ann").slash(command, channel="games", **options)
    await answer.settled()
    await table.handled()
    return answer.message


async def clicked(table, message, label):
    answer = await table.person("Ann").click(message, label)
    await table.handled()
    return answer


async def click_while_edits_fail(table, message, label, how):
    """The texts that Ann gets beside a question whose message can't be edited after her click."""
    table.discord.faults.add(Fault(**EDIT, **how))
    before = list(labels(message))
    answer = await clicked(table, message, label)
    assert labels(message) == before
    return [note.text for note in answer.followups]


@pytest.mark.parametrize("how", [TROUBLE, REFUSED])
async def test_deletion_is_confirmed_beside_the_question_or_on_it(table, how):
    await table.match()
    question = await ask_question(table, "privacy delete")
    await clicked(table, question, "Delete…")

    told = await click_while_edits_fail(table, question, "Delete it for good", how)
    await clicked(table, question, "Keep it")

    why = f"I can't show you this: I'm not allowed to post there. {ALL_SAVED}"
    assert told == [why if how is REFUSED else UNSHOWN]
    assert question.text == DELETED.head


async def test_somebody_who_cancels_a_second_deletion_is_told_that_nothing_was_deleted(table):
    first = await ask_question(table, "privacy delete")
    await clicked(table, first, "Delete…")
    await clicked(table, first, "Delete it for good")
    table.pass_time(60)
    table.discord.clock.advance(timedelta(seconds=60))

    question = await ask_question(table, "privacy delete")
    await clicked(table, question, "Keep everything")

    assert question.text == NOTHING_DELETED.head


async def test_a_manager_who_starts_a_season_is_told_that_it_is_saved(slow):
    question = await ask_question(slow, "season start", name="Spring")

    told = await click_while_edits_fail(slow, question, "Start the season", TROUBLE)
    await clicked(slow, question, "Don't start it")

    assert told == [UNSHOWN]
    assert slow.sql("SELECT name FROM seasons") == [("Spring",)]
    assert question.text == "I've left this server's seasons as they are."


async def test_a_moderator_who_ends_a_match_is_told_that_it_is_saved(slow):
    await slow.person("Bo").slash("pico play", channel="games", computer="easy", hand="desk")
    await slow.settled()
    question = await ask_question(slow, "moderate end", match=1)

    told = await click_while_edits_fail(slow, question, "End the match", TROUBLE)
    await clicked(slow, question, "Change nothing")

    assert told == [UNSHOWN]
    assert slow.sql("SELECT status FROM matches") == [("closed",)]
    assert question.text == "I've left match 1 as it is."


async def test_nothing_is_said_beside_a_question_that_was_dismissed(slow):
    question = await ask_question(slow, "season start", name="Spring")

    assert (
        await click_while_edits_fail(
            slow, question, "Start the season", {"status": 404, "code": 10008}
        )
        == []
    )


async def test_no_failure_is_reported_for_a_hand_that_is_edited_right_afterwards(table):
    await table.match()
    table.bot.services.router._defer_after = 0.0
    desk = table.desk("Ann")
    table.discord.faults.add(Fault(**EDIT, **TROUBLE))

    answer = await table.pick("Ann", desk)
    await table.discord.until(lambda: any("✓" in label for label in labels(desk)))

    assert answer.followups == []
