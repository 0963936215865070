"""A clicked message is edited through its interaction, which Discord doesn't count."""

import pytest

from tests.e2e.test_menu import menu
from tests.support.held import held
from tests.support.tables import labels


async def way_of_edit(table, public, name, where, label):
    """Whether the clicked message is edited "by the click" or "counted", if no token is left."""
    await table.told()
    await table.quiet_now()
    slots = table.bot.services.live.slots
    for slot in (await slots.table(1), await slots.hand(1, 0), await slots.hand(1, 1)):
        slot.token = None
    message = public if where == "table" else table.desk(name)
    since, edits = len(table.discord.requests), message.edits

    await table.person(name).click(message, label)

    await table.discord.until(lambda: message.edits > edits)
    await table.quiet_now()
    counted = f"/channels/{message.channel_id}/messages/{message.id}"
    return "counted" if table.requests("PATCH", counted, since) else "by the click"


async def match_with_pause_offered(table):
    """The table of a match in which Ann has offered a pause."""
    public = await table.match(pace="slow")
    await menu(table, "Ann", public, "Offer a pause")
    await table.discord.until(lambda: "Pause the match" in labels(public))
    return public


@pytest.mark.parametrize("answer", ["Pause the match", "Don't pause"])
@pytest.mark.parametrize("where", ["table", "hand"])
async def test_an_answer_to_an_offer_edits_its_message_by_the_click(table, where, answer):
    public = await match_with_pause_offered(table)

    assert await way_of_edit(table, public, "Bo", where, answer) == "by the click"


@pytest.mark.parametrize("where", ["table", "hand"])
async def test_resuming_a_paused_match_edits_its_message_by_the_click(table, where):
    public = await match_with_pause_offered(table)
    await table.person("Bo").click(public, "Pause the match")
    await table.discord.until(lambda: "Resume" in labels(table.desk("Bo")))

    assert await way_of_edit(table, public, "Bo", where, "Resume") == "by the click"


@pytest.mark.parametrize("decision", ["Resume match", "Let it count"])
@pytest.mark.parametrize("where", ["table", "hand"])
async def test_a_decision_on_a_held_result_edits_its_message_by_the_click(table, where, decision):
    public = await held(table)

    assert await way_of_edit(table, public, "Ann", where, decision) == "by the click"
