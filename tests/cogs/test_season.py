"""`/season`: begun by who manages the server, listed for everybody, readable afterwards."""

from bot.storage.seasons import SeasonRecord
from cogs.season import MAX_LISTED_SEASONS, list_content


def seasons(count):
    return [
        SeasonRecord(id=n, name="n" * 40, started_at=10**9, ended_at=10**9)
        for n in range(count, 0, -1)
    ]


async def begin(table, name="Spring", who="Ann"):
    return await table.person(who).slash("season start", channel="games", name=name)


async def test_a_season_is_announced_to_all(table):
    first = await begin(table, "Spring *2027*")
    second = await begin(table, "Summer")

    assert not first.ephemeral
    assert "A new season: Spring \\*2027\\*" in first.text
    assert "is over" not in first.text
    assert "**Spring \\*2027\\*** is over." in second.text


async def test_only_who_manages_the_server_can_begin_one(table):
    answer = await begin(table, who="Bo")

    assert answer.ephemeral
    assert answer.text.startswith("You need the Manage Server permission")
    assert table.sql("SELECT count(*) FROM seasons") == [(0,)]


async def test_a_name_twice_is_a_sentence(table):
    await begin(table)

    answer = await begin(table, "spring")

    assert answer.ephemeral
    assert answer.text.startswith("This server already had a season with this name")


async def test_everybody_can_list_the_seasons(table):
    empty = await table.person("Bo").slash("season list", channel="games")
    await begin(table)
    full = await table.person("Bo").slash("season list", channel="games")

    assert "This server has no season yet." in empty.text
    assert "- **Spring** · <t:" in full.text
    assert full.ephemeral


async def test_a_season_of_before_is_offered_while_one_types_and_can_be_read(table):
    await begin(table, "Spring")
    await begin(table, "Summer")
    ann = table.person("Ann")

    offered = await ann.autocomplete("leaderboard", "season", "spr", channel="games")
    board = await ann.slash("leaderboard", channel="games", game="pico", season="Spring")

    assert [choice["name"] for choice in offered] == ["Spring"]
    assert "### Leaderboard · Pico · Spring" in board.text


def test_a_long_list_fits_into_a_message_and_says_how_many_are_left_out():
    content = list_content(seasons(MAX_LISTED_SEASONS + 3))

    assert len(content.head) + len(content.foot) < 4000
    assert content.foot == "-# and 3 earlier ones"
