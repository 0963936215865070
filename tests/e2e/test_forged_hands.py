"""Clicks with the custom_id of a hand on a private text without buttons: it stays what it is."""

import pytest
from structlog.testing import capture_logs


@pytest.fixture
async def sentence(table):
    """A private text that only Ann sees, during a match of Ann and Bo."""
    public = await table.match()
    answer = await table.person("Ann").forge(public, custom_id="f1:0:0:soup:")
    await table.quiet_now()
    return answer.message


async def clicked(table, sentence, custom_id):
    """The text after Ann's forged click and another turn, and the warnings and errors logged."""
    with capture_logs() as logged:
        await table.person("Ann").forge(sentence, custom_id=custom_id)
        await table.quiet_now()
        await table.trick("Ann", "Bo")
        await table.quiet_now()
    return sentence.text, [line for line in logged if line["log_level"] not in {"info", "debug"}]


def pick_of(table, name):
    return table.cards(table.desk(name))[0].custom_id


async def test_a_private_text_does_not_become_a_hand_by_the_choice_that_ends_a_round(
    table, sentence
):
    said = sentence.text
    await table.pick("Bo", table.desk("Bo"))

    after, wrong = await clicked(table, sentence, pick_of(table, "Ann"))

    assert (after, wrong) == (said, [])


async def test_a_private_text_does_not_become_a_hand_by_a_late_click(table, sentence):
    said, old = sentence.text, pick_of(table, "Ann")
    await table.trick("Ann", "Bo")
    await table.quiet_now()

    after, wrong = await clicked(table, sentence, old)

    assert (after, wrong) == (said, [])


async def test_a_choice_forged_from_a_private_text_counts(table, sentence):
    """It is as much Ann's own choice as a typed one, and the answer must not say otherwise."""
    answer = await table.person("Ann").forge(sentence, custom_id=pick_of(table, "Ann"))
    await table.quiet_now()

    assert table.sql("SELECT seat FROM moves") == [(0,)]
    assert (answer.message, answer.followups) == (sentence, [])
