"""Orders for conquest typed in one line: what `/conquest order` accepts, offers and refuses."""

import pytest

from tests.support.conquest_tables import begun, ordered
from tests.support.tables import labels
from tests.support.typed_commands import typed


async def test_an_order_in_one_line_is_answered_privately_with_the_hand(table):
    public = await begun(table)

    answer = await ordered(table, "Ann", "e5 - 9 - d4")
    await table.settled()

    assert answer.message.ephemeral_to == table.person("Ann").id
    assert "You chose E5-9-D4." in answer.message.text
    assert "You chose E5-9-D4." in table.desk("Ann", public).text
    assert table.sql("SELECT move FROM moves") == [("E5-9-D4",)]


async def test_an_order_is_autocompleted(table):
    await begun(table)

    offered = await table.person("Ann").autocomplete(
        "conquest order", "order", "e5-9", channel="games"
    )
    nobody = await table.person("Dan").autocomplete(
        "conquest order", "order", "e5-9", channel="games"
    )

    assert [choice["value"] for choice in offered] == [
        f"E5-9-{square}" for square in ("D4", "D5", "D6", "E4", "F4", "F5")
    ]
    assert offered[0]["name"] == "E5-9-D4 (empty)"
    assert nobody == []


@pytest.mark.parametrize(
    ("order", "sentence"),
    [
        ("E5-11-D4", "From E5, you can send 1 to 10 troops of the red battalion, not 11."),
        ("E5-9-C3", "Troops move one step to a neighboring square, and C3 isn't next to E5."),
        ("E5-9-E6", "E6 is marked for the green battalion, so the red battalion can't enter it."),
        ("fight", "It's time to plan: write an order like E5-9-D4, or pass."),
        ("E5-9-Z4", "Z4 isn't on the board: rows go from A to J, columns from 1 to 10."),
    ],
)
async def test_an_invalid_order_is_refused_with_the_reason(table, order, sentence):
    await begun(table)

    answer = await ordered(table, "Ann", order)

    assert answer.text == sentence
    assert answer.ephemeral
    assert table.sql("SELECT count(*) FROM moves") == [(0,)]


async def test_somebody_without_a_match_is_told_so(table):
    await begun(table)

    answers = [await ordered(table, "Dan", "pass", **which) for which in ({}, {"match": 404})]

    refusal = (
        "No match of Divide & Conquer (board) in this server is waiting for you. `/games` lists "
        "yours."
    )
    assert [typed(answer.text) for answer in answers] == [refusal] * 2


async def test_with_several_matches_one_must_be_named(table):
    first = await begun(table, ("Ann", "Bo"))
    second = await begun(table, ("Ann", "Cleo"))
    numbers = [table.match_of(public) for public in (first, second)]

    offered = await table.person("Ann").autocomplete("conquest order", "match", "", channel="games")
    direct = await table.person("Ann").autocomplete(
        "conquest order", "match", "", channel=table.person("Ann").dm
    )
    unclear = await table.person("Ann").autocomplete(
        "conquest order", "order", "pass", channel="games"
    )
    clear = await table.person("Ann").autocomplete(
        "conquest order", "order", "pass", channel="games", match=numbers[0]
    )
    refused = await ordered(table, "Ann", "pass / pass")
    await ordered(table, "Ann", "pass / pass", match=numbers[1])
    await ordered(table, "Ann", "E5-1-D5 / pass")  # only the other match still waits for an order

    assert [choice["value"] for choice in offered] == numbers
    assert offered[0]["name"] == (
        f"Match {numbers[0]}, 2 players, turn 1 of 100: secret orders · #games"
    )
    server = table.bot.get_guild(table.discord.world.guild.id).name
    assert direct == [{**line, "name": f"{line['name']} · {server}"} for line in offered]
    assert unclear == []
    assert clear[0]["value"].startswith("pass / ")
    assert refused.text.startswith("2 matches of Divide & Conquer (board) are waiting for you here")
    assert table.sql("SELECT match, move FROM moves ORDER BY match") == [
        (numbers[0], "E5-1-D5 / pass"),
        (numbers[1], "pass / pass"),
    ]


async def test_a_match_in_another_channel_is_meant_if_it_is_the_only_one(table):
    await begun(table)

    await ordered(table, "Ann", "E5-2-D5", channel="lobby")

    assert table.sql("SELECT move FROM moves") == [("E5-2-D5",)]


async def test_a_match_of_another_game_takes_no_orders(table):
    public = await table.match("Ann", "Bo")
    number = table.match_of(public)

    answer = await ordered(table, "Ann", "pass", match=number)

    assert answer.text == (
        f"Match {number} isn't a match of Divide & Conquer (board). Pick one from the list."
    )


async def test_a_number_without_a_match_is_refused(table):
    """People can type any number."""
    await begun(table)

    told = [(await ordered(table, "Ann", "pass", match=number)).text for number in (404, 0, -5)]

    refusal = (
        "No match of Divide & Conquer (board) with that number is being played. Pick one from "
        "the list."
    )
    assert told == [refusal] * 3


async def test_an_order_can_be_given_in_direct_messages(table):
    public = await begun(table)
    ann = table.person("Ann")

    offered = await ann.autocomplete("conquest order", "order", "e5-9", channel=ann.dm)
    answer = await ordered(table, "Ann", "e5-9-d4", channel=ann.dm)
    await table.settled()

    assert offered[0]["value"] == "E5-9-D4"
    assert answer.text == "You chose **E5-9-D4**. You can change it until everyone's in."
    assert table.sql("SELECT move FROM moves") == [("E5-9-D4",)]
    assert "You chose E5-9-D4." in table.desk("Ann", public).text


async def test_in_direct_messages_the_matches_of_all_servers_are_offered(table):
    first = await begun(table, ("Ann", "Bo"))
    second = await begun(table, ("Ann", "Cleo"))
    numbers = [table.match_of(public) for public in (first, second)]
    ann = table.person("Ann")

    refused = await ordered(table, "Ann", "pass / pass", channel=ann.dm)
    offered = await ann.autocomplete("conquest order", "match", "", channel=ann.dm)
    await ordered(table, "Ann", "pass / pass", channel=ann.dm, match=numbers[1])
    stranger = await ordered(table, "Dan", "pass", channel=table.person("Dan").dm)

    assert refused.text.startswith("2 matches of Divide & Conquer (board) are waiting for you here")
    assert [choice["value"] for choice in offered] == numbers
    assert table.sql("SELECT match FROM moves") == [(numbers[1],)]
    assert typed(stranger.text) == (
        "No match of Divide & Conquer (board) is waiting for you. `/games` lists yours."
    )


async def test_the_last_order_given_in_direct_messages_is_confirmed(table):
    public = await begun(table, ("Ann", "Bo"))
    await ordered(table, "Bo", "pass / pass")

    answer = await ordered(table, "Ann", "pass / pass", channel=table.person("Ann").dm)
    await table.discord.until(lambda: "Turn 1 was revealed" in public.text)

    assert answer.text == "Everyone's in now. The table shows what happened."


async def test_nobody_can_be_challenged_in_direct_messages(table):
    ann, bo = table.person("Ann"), table.person("Bo")

    answer = await ann.slash("conquest play", channel=ann.dm, opponent=bo)

    assert "server" in answer.text
    assert table.sql("SELECT count(*) FROM matches") == [(0,)]


async def test_the_button_at_the_table_says_orders(table):
    public = await begun(table)

    assert labels(public) == ["My orders", "Menu", "Rules"]
    assert (await table.hand("Ann", public)).ephemeral_to == table.person("Ann").id
