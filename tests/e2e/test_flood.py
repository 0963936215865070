"""A flood of clicks at the wire: its author is told to slow down, and nobody else notices."""

import asyncio
import gc

import pytest

from bot.interactions.flood_control import MAX_LISTS
from sandbox import Fault
from tests.support.services import settings
from tests.support.waiting import until

INVOKER = "CommandTree-invoker"
"""The prefix of the names of the library's tasks for commands and autocompletion."""

SLOW_DOWN = "Slow down, please: that was more than 30 clicks in 10 seconds. Try again in "


@pytest.fixture
async def table(table):
    await table.restart(settings_=settings(most_clicks=30))
    return table


async def flooded(table, name, public):
    """Let somebody click as often as they're allowed."""
    for _ in range(30):
        await table.person(name).forge(public, custom_id="f1:0:0:page:nowhere")


async def test_the_31st_click_is_refused_while_another_persons_click_counts(table):
    public = await table.challenge()
    ann = table.person("Ann")
    await flooded(table, "Cleo", public)

    hurried = await table.person("Cleo").click(public, "Decline")
    await ann.click(public, "Withdraw")

    assert hurried.text.startswith(SLOW_DOWN + "10 seconds; ")
    assert hurried.message.ephemeral_to == table.person("Cleo").id
    assert table.sql("SELECT status FROM matches") == [("withdrawn",)]


async def test_a_click_over_the_limit_changes_nothing(table):
    public = await table.challenge()
    await flooded(table, "Bo", public)
    before = table.sql("SELECT * FROM matches")

    hurried = await table.person("Bo").click(public, "Accept")

    assert hurried.text.startswith(SLOW_DOWN)
    assert table.sql("SELECT * FROM matches") == before


async def test_clicks_work_again_after_the_wait_that_was_announced(table):
    public = await table.challenge(hand="desk")
    bo = table.person("Bo")
    await flooded(table, "Bo", public)
    hurried = await bo.click(public, "Accept")
    table.pass_time(10)

    await bo.click(public, "Accept")
    await table.discord.until(lambda: table.desk("Bo", public) is not None)

    assert "Try again in 10 seconds; " in hurried.text
    assert table.sql("SELECT status FROM matches") == [("running",)]


async def test_commands_are_counted_together_with_clicks_and_refused_likewise(table):
    public = await table.challenge()
    await flooded(table, "Bo", public)

    hurried = await table.person("Bo").slash("pico rules", channel="games")
    at_home = await table.person("Bo").slash("games", channel=table.person("Bo").dm)

    assert hurried.text.startswith(SLOW_DOWN)
    assert at_home.text.startswith(SLOW_DOWN)


async def test_the_31st_command_is_refused(table):
    ann = table.person("Ann")
    for _ in range(30):
        await ann.slash("notify", channel="games")

    assert (await ann.slash("notify", channel="games")).text.startswith(SLOW_DOWN)


async def test_autocompletion_does_not_count(table):
    public = await table.challenge()
    cleo = table.person("Cleo")
    for _ in range(40):
        await cleo.autocomplete("conquest order", "order", "E5", channel="games")

    answer = await cleo.forge(public, custom_id="f1:0:0:page:nowhere")

    assert answer.text.startswith("I don't know the rules of that game. </help:")


async def test_somebody_told_to_slow_down_still_gets_autocompletion(table):
    public = await table.challenge()
    await flooded(table, "Cleo", public)

    offered = await table.person("Cleo").autocomplete(
        "conquest order", "order", "E5", channel="games"
    )

    assert offered == []


async def test_somebody_who_types_faster_than_humanly_possible_gets_no_suggestions_for_a_while(
    table,
):
    await table.match("Bo", "Cleo")
    ann = table.person("Ann")

    async def offered():
        return await ann.autocomplete("moderate end", "match", "", channel="lobby")

    for _ in range(MAX_LISTS):
        assert await offered()

    assert await offered() == []
    table.pass_time(10)
    assert await offered()


async def test_an_empty_list_of_suggestions_that_comes_too_late_is_no_error(table):
    ann, bugs = table.person("Ann"), []
    for _ in range(MAX_LISTS):
        await ann.autocomplete("moderate end", "match", "", channel="lobby")
    asyncio.get_running_loop().set_exception_handler(lambda _, context: bugs.append(context))
    table.discord.faults.add(Fault(path="/callback$", status=404, code=10062, after=True))

    await ann.autocomplete("moderate end", "match", "", channel="lobby")
    await until(lambda: not any(t.get_name() == INVOKER for t in asyncio.all_tasks()))
    gc.collect()

    assert not table.discord.faults.ordered
    assert bugs == []
