"""Messages of ended matches whose edits Discord refuses for good: they are not tried again."""

import pytest

from bot.messaging.first_answer import TOKEN_LIFE
from sandbox.faults import Fault
from tests.support.tables import labels, resign

UNSEEN, BLOCKED = (403, 50001), (400, 200000)


@pytest.mark.parametrize("place", ["table", "hand"])
@pytest.mark.parametrize("refusal", [UNSEEN, BLOCKED], ids=["unseen", "blocked"])
async def test_the_bot_gives_up_on_a_message_of_an_ended_match_that_it_cannot_edit(
    table, expired_tokens, monkeypatch, refusal, place
):
    monkeypatch.setattr("bot.live.bar.Bar.is_hopeless", True)  # as after all retries
    public = await table.match()
    await table.quiet_now()
    message = public if place == "table" else table.desk("Bo")
    path = f"/channels/{message.channel_id}/"
    status, code = refusal
    table.discord.faults.add(Fault(method="PATCH", path=path, status=status, code=code, times=None))

    await resign(table, "Ann", table.desk("Ann"))
    await table.quiet_now()
    settled = table.sql("SELECT settled FROM matches")
    since = len(table.discord.requests)
    table.bot.services.live.compare_soon(table.match_of(public))
    await table.quiet_now()
    await table.restart()
    table.bot.services.live.compare_soon(table.match_of(public))
    await table.quiet_now()

    assert settled == [(1,)]
    assert table.requests(method="PATCH", path=path, since=since) == []


@pytest.mark.parametrize("restarts", [False, True])
@pytest.mark.parametrize("lasts", [False, True])
async def test_a_table_that_was_given_up_is_edited_by_a_late_click_on_it(
    table, expired_tokens, monkeypatch, lasts, restarts
):
    """The click's own interaction edits it if the bot still can't."""
    public = await table.match()
    await table.quiet_now()
    path = f"/channels/{public.channel_id}/"
    status, code = UNSEEN
    table.discord.faults.add(Fault(method="PATCH", path=path, status=status, code=code, times=None))
    await resign(table, "Ann", table.desk("Ann"))
    await table.quiet_now()
    assert table.sql("SELECT settled FROM matches") == [(1,)]
    assert "resigned" not in public.text
    if not lasts:
        table.discord.faults.ordered.clear()
    if restarts:
        await table.restart()
        await table.repaired()
    monkeypatch.setattr("bot.messaging.first_answer.TOKEN_LIFE", TOKEN_LIFE)

    answer = await table.person("Bo").click(public, "My hand")
    await table.discord.until(lambda: answer.followups)
    await table.settled()

    assert [told.text for told in answer.followups] == ["That match is over."]
    assert "resigned" in public.text
    assert "Rematch" in labels(public)
    assert table.sql("SELECT settled FROM matches") == [(1,)]
