"""Deleted messages of what is over: they are posted again only if they are needed."""

from datetime import timedelta

import pytest

from tests.support.clock import DAY
from tests.support.tables import resign
from tests.support.waiting import written

MONTH = 30 * DAY


def standing(table):
    """The tables and challenges in the channel."""
    return [m for m in table.person("Dan").see("games") if "### Pico" in m.text]


async def later(table, seconds, query, found):
    """Advance time by these seconds, and wait until the query returns just this value."""
    table.pass_time(seconds)
    await written(table, query, [(found,)])
    await table.settled()


@pytest.fixture
async def ended(table):
    """The table of a match that Bo has resigned."""
    public = await table.match(pace="slow")
    await resign(table, "Bo", public)
    await table.settled()
    assert "wins" in public.text
    return public


async def test_a_deleted_table_is_posted_again_when_its_match_ends(table):
    public = await table.match()
    hand = table.desk("Bo")
    table.discord.world.delete_message(public)

    question = await table.asked_to_resign("Bo", hand)
    await table.person("Bo").click(question.message, "Resign")
    await table.settled()

    (again,) = standing(table)
    assert "wins" in again.text


async def test_a_deleted_ended_table_is_not_posted_again_when_the_table_of_its_rematch_moves(
    table, ended
):
    for name in ("Ann", "Bo"):
        await table.person(name).click(ended, "Rematch")
    await table.settled()
    (rematch,) = [m for m in standing(table) if m is not ended]
    table.discord.world.delete_message(ended)
    table.discord.clock.advance(timedelta(minutes=2))

    menu = await table.person("Ann").click(rematch, "Menu")
    await table.person("Ann").click(menu.message, "Bring to the bottom")
    await table.settled()

    (moved,) = standing(table)
    assert moved is not rematch
    assert "wins" not in moved.text


async def test_a_deleted_ended_table_is_not_posted_again_when_a_rematch_offer_expires(table, ended):
    await table.person("Ann").click(ended, "Rematch")
    await table.settled()
    table.discord.world.delete_message(ended)

    await later(table, 3 * DAY, "SELECT due_at FROM matches", None)

    assert standing(table) == []


async def test_a_deleted_ended_table_is_posted_again_with_a_rematch_offer(table, ended):
    table.discord.world.delete_message(ended)

    await table.person("Ann").click(table.desk("Ann"), "Rematch")
    await table.settled()

    (again,) = standing(table)
    assert "wants a rematch" in again.text


@pytest.mark.parametrize("how", ["expired", "withdrawn"])
async def test_a_deleted_challenge_that_ended_without_a_match_is_not_posted_again(table, how):
    table.discord.world.delete_message(await table.challenge(pace="slow"))

    if how == "withdrawn":
        shown = await table.person("Ann").slash("games", channel="lobby")
        await table.person("Ann").click(shown.message, "Withdraw 1")
        await table.settled()
    else:
        await later(table, MONTH, "SELECT status FROM matches", "expired")

    assert table.sql("SELECT status FROM matches") == [(how,)]
    assert standing(table) == []
